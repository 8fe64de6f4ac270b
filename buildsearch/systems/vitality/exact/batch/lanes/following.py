"""Fights turn by turn where no outcome changes what is done: by place and HP where they are, eight at a time.

What bleeds is followed as in `pending`: with nothing pending, with a bleed that is taken off already, doomed.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all, set_part
from buildsearch.systems.vitality.exact.batch.lanes.spreading import add_left
from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_products,
    add_scaled,
)
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.moves import NOTHING, SPECIAL

# Fewer fights than this are none: in a hundred turns they are worth less than 1e-13.
_EMPTY = 1e-16


class Followed(NamedTuple):
    """Where fights are, this turn and the next: numbers by place and HP less 1 in lanes."""

    now: NDArray[np.float64]
    later: NDArray[np.float64]
    # With a bleed pending; by place those who fall after their next turn. Empty where nothing bleeds.
    pending: NDArray[np.float64]
    later_pending: NDArray[np.float64]
    doomed: NDArray[np.float64]
    later_doomed: NDArray[np.float64]
    lowest: NDArray[np.int64]  # by place the lowest HP that anybody has
    mass: NDArray[np.float64]  # in all
    two: NDArray[np.float64]
    stays: NDArray[np.float64]


@inner
def followed_for(places: Places, tables: Tables) -> Followed:
    """Memory for fights against these enemies."""
    size = places.max_hp.sum() * LANES
    bleeds = 1 if tables.bleeds else 0
    doomed = len(places.max_hp) * LANES * bleeds
    return Followed(
        np.zeros(size), np.zeros(size), np.zeros(size * bleeds), np.zeros(size * bleeds), np.zeros(doomed),
        np.zeros(doomed), places.max_hp + 1, np.zeros(LANES), np.zeros(2 * LANES), np.zeros(LANES),
    )  # fmt: skip


@inner
def begin(places: Places, followed: Followed) -> None:
    """Everybody stands before the first enemy, who has all HP."""
    set_all(followed.now, 0.0)
    set_all(followed.pending, 0.0)
    set_all(followed.doomed, 0.0)
    full = (places.max_hp[0] - 1) * LANES
    set_part(followed.now, full, full + LANES, 1.0)
    for place in range(len(places.max_hp)):
        followed.lowest[place] = places.max_hp[place] + 1
    followed.lowest[0] = places.max_hp[0]


@inner
def weigh(followed: Followed) -> bool:
    """Add up, and empty lanes with hardly any: nobody knows who goes beside it. Whether any is left."""
    mass = followed.mass
    set_all(mass, 0.0)
    for part in (followed.now, followed.pending, followed.doomed):
        for i in range(0, len(part), LANES):
            add_scaled(mass, 0, 1.0, part, i)
    some = False
    for lane in range(LANES):
        if mass[lane] >= _EMPTY:
            some = True
        elif mass[lane] > 0.0:
            mass[lane] = 0.0
            followed.now[lane::LANES] = 0.0
            followed.pending[lane::LANES] = 0.0
            followed.doomed[lane::LANES] = 0.0
    return some


@inner
def rows_of(action: int, strike_class: int, tables: Tables) -> tuple[int, int]:
    """The rows of an action and of its echo, which is the same row where nothing bleeds."""
    if not tables.bleeds or action < SPECIAL:
        row = action * tables.classes + strike_class
        return row, row
    plain = SPECIAL + 2 * (action - SPECIAL)
    return plain * tables.classes + strike_class, (plain + 1) * tables.classes + strike_class


@inner
def _strike(
    row: int,
    harming: int,
    low_hp: int,
    max_hp: int,
    at: int,
    tables: Tables,
    source: NDArray[np.float64],
    stay: NDArray[np.float64],
    harmed: NDArray[np.float64],
    followed: Followed,
) -> None:
    """One part of a place: who is not hurt goes to `stay`, who is, by the row `harming`, to `harmed`."""
    stays = followed.stays
    for lane in range(LANES):
        stays[lane] = tables.nothing[row * LANES + lane] + tables.touched[row * LANES + lane]
    add_products(stay, at + low_hp * LANES, stays, 0, source, at + low_hp * LANES, max_hp + 1 - low_hp)
    high = tables.highest[harming]
    add_left(
        tables.chances, harming * tables.width * LANES, tables.lowest[harming], high, source, at, low_hp,
        max_hp, harmed, at, max(tables.kill_at[row] + 1, low_hp - high), followed.two,
    )  # fmt: skip


@inner
def turn(action: int, places: Places, tables: Tables, followed: Followed) -> Followed:
    """One turn of an action; where fights are then."""
    now = followed.now
    later = followed.later
    pending = followed.pending
    later_pending = followed.later_pending
    doomed = followed.doomed
    later_doomed = followed.later_doomed
    lowest = followed.lowest
    at_least = tables.at_least
    hps = places.max_hp
    bleeds = tables.bleeds
    set_all(later, 0.0)
    set_all(later_pending, 0.0)
    set_all(later_doomed, 0.0)
    # From the last place to the first: who falls arrives where everybody has had this turn.
    field = hps.sum()
    for place in range(len(hps) - 1, -1, -1):
        max_hp = hps[place]
        field -= max_hp
        low_hp = lowest[place]
        if low_hp > max_hp:
            continue
        at = (field - 1) * LANES  # of HP 0
        then = (field + max_hp + hps[place + 1] - 1) * LANES if place + 1 < len(hps) else -1
        if bleeds and then >= 0:
            add_scaled(later, then, 1.0, doomed, place * LANES)
        if action == NOTHING:
            for i in range(at + low_hp * LANES, at + (max_hp + 1) * LANES):
                later[i] += now[i]
                if bleeds:
                    later[i] += pending[i]
        else:
            row, echo = rows_of(action, places.strike_class[place], tables)
            kill_at = tables.kill_at[row]
            # One call for both parts: numba compiles what it inlines once for each.
            for part in range(2 if bleeds else 1):
                source = now if part == 0 else pending
                harming = echo if part == 0 else row
                harmed = later_pending if harming != row else later
                _strike(row, harming, low_hp, max_hp, at, tables, source, later, harmed, followed)
            if echo != row:
                for hp in range(low_hp, max_hp + 1):
                    add_product(
                        later_doomed, place * LANES, now, at + hp * LANES, tables.dooms,
                        (echo * tables.width + hp) * LANES,
                    )  # fmt: skip
            high = max(tables.highest[row], tables.highest[echo])
            lowest[place] = max(min(kill_at + 1, low_hp), low_hp - high)
            if then >= 0:
                for hp in range(low_hp, max_hp + 1):
                    down = (row * tables.width + max(1, hp - kill_at)) * LANES
                    add_product(later, then, now, at + hp * LANES, at_least, down)
                    if bleeds:
                        add_product(later, then, pending, at + hp * LANES, at_least, down)
        if then >= 0:
            lowest[place + 1] = min(lowest[place + 1], hps[place + 1])
    return Followed(
        later, now, later_pending, pending, later_doomed, doomed, lowest, followed.mass, followed.two,
        followed.stays,
    )  # fmt: skip
