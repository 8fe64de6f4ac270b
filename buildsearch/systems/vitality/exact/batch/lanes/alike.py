"""Fights whose turns are all alike from now on: mean turns, or means of growth ** turns, eight at a time."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all
from buildsearch.systems.vitality.exact.batch.lanes.following import Followed, rows_of
from buildsearch.systems.vitality.exact.batch.lanes.spreading import add_damage_of_one, sum_two
from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables
from buildsearch.systems.vitality.exact.batch.lanes.values import STUCK
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES, add_scaled
from buildsearch.systems.vitality.exact.batch.places import Damages, Places


class Alike(NamedTuple):
    """By class and HP less 1 what is to come, with nothing pending and with a bleed; in lanes."""

    calm: NDArray[np.float64]
    pending: NDArray[np.float64]
    ahead: NDArray[np.float64]
    stuck: NDArray[np.bool_]  # there is no such number
    read: NDArray[np.float64]
    two: NDArray[np.float64]
    echoed: NDArray[np.float64]


@inner
def alike_for(tables: Tables) -> Alike:
    """Memory for it."""
    size = tables.classes * tables.width * LANES
    return Alike(
        np.zeros(size), np.zeros(size if tables.bleeds else 0), np.zeros(LANES), np.zeros(LANES, np.bool_),
        np.zeros(LANES), np.zeros(2 * LANES), np.zeros(2 * LANES),
    )  # fmt: skip


@inner
def basic_values(places: Places, damages: Damages, turns: int) -> NDArray[np.float64]:
    """By place and HP the mean turns of basic attacks, so many turns at most."""
    hps = places.max_hp
    values = np.zeros(hps.sum())
    before = np.zeros(hps.sum())
    for _ in range(turns):
        before, values = values, before
        field = 0
        for place in range(len(hps)):
            row = damages.basic[places.strike_class[place]]
            high = damages.highest[row]
            after = before[field + hps[place] + hps[place + 1] - 1] if place + 1 < len(hps) else 0.0
            for hp in range(1, hps[place] + 1):
                mean = 1.0 + damages.at_least[row, hp] * after
                for damage in range(min(high, hp - 1) + 1):
                    mean += damages.chances[row, damage] * before[field + hp - 1 - damage]
                values[field + hp - 1] = mean
            field += hps[place]
    return values


@inner
def _set_known(row: int, echo: int, hp: int, growth: float, tables: Tables, start: int, alike: Alike) -> None:
    """What attacks of one row and its echo take, from this place of `calm` and `pending` on."""
    calm = alike.calm
    pending = alike.pending
    two = alike.two
    echoed = alike.echoed
    chances = tables.chances
    at_least = tables.at_least
    width = tables.width
    low = tables.lowest[echo]
    high = tables.highest[echo]
    plain_low = tables.lowest[row]
    plain_high = tables.highest[row]
    # A turn counts for means; of growth ** turns the defeat is 1, and the turn of the doomed a growth.
    turn = 1.0 if growth == 1.0 else 0.0
    hurt = calm if echo == row else pending
    stays = np.zeros(LANES)
    leaves = np.zeros(LANES)
    for lane in range(LANES):
        stays[lane] = tables.nothing[row * LANES + lane] + tables.touched[row * LANES + lane]
        leaves[lane] = 1.0 - growth * stays[lane]
        if leaves[lane] < STUCK:
            alike.stuck[lane] = True
            leaves[lane] = 1.0
    set_all(two, 0.0)
    set_all(echoed, 0.0)
    for left in range(1, hp + 1):
        at = start + (left - 1) * LANES
        part = left % 2 * LANES
        if part == 0:
            sum_two(chances, echo * width * LANES, low, high, hurt, at, left, echoed, 0)
        add_damage_of_one(chances, echo * width * LANES, low, high, hurt, at, left, echoed, part)
        add_scaled(echoed, part, 1.0 - turn, at_least, (row * width + left) * LANES)
        if echo != row:
            add_scaled(echoed, part, growth, tables.dooms, (echo * width + left) * LANES)
        for lane in range(LANES):
            calm[at + lane] = (turn + growth * echoed[part + lane]) / leaves[lane]
        if echo != row:
            if part == 0:
                sum_two(chances, row * width * LANES, plain_low, plain_high, calm, at, left, two, 0)
            add_damage_of_one(chances, row * width * LANES, plain_low, plain_high, calm, at, left, two, part)
            add_scaled(two, part, 1.0 - turn, at_least, (row * width + left) * LANES)
            for lane in range(LANES):
                pending[at + lane] = turn + growth * (stays[lane] * calm[at + lane] + two[part + lane])


@inner
def read_alike(
    action: int, growth: float, places: Places, tables: Tables, followed: Followed, alike: Alike
) -> None:
    """Fill `read` with the mean turns of an action to come, or what growth ** turns is on top of 1."""
    ahead = alike.ahead
    read = alike.read
    hps = places.max_hp
    is_mean = growth == 1.0
    set_all(alike.stuck, False)
    for strike_class in range(tables.classes):
        row, echo = rows_of(action, strike_class, tables)
        # With a threshold the last HP need not be lost.
        hp = max(1, tables.hp[strike_class] - tables.kill_at[row])
        _set_known(row, echo, hp, growth, tables, strike_class * tables.width * LANES, alike)
    set_all(read, 0.0)
    set_all(ahead, 0.0 if is_mean else 1.0)
    field = hps.sum()
    for place in range(len(hps) - 1, -1, -1):
        max_hp = hps[place]
        field -= max_hp
        strike_class = places.strike_class[place]
        row, echo = rows_of(action, strike_class, tables)
        kill_at = tables.kill_at[row]
        start = strike_class * tables.width
        for hp in range(followed.lowest[place], max_hp + 1):
            at = (start + max(1, hp - kill_at) - 1) * LANES
            here = (field + hp - 1) * LANES
            _add_read(followed.now, here, alike.calm, at, is_mean, ahead, read)
            if tables.bleeds:
                _add_read(followed.pending, here, alike.pending, at, is_mean, ahead, read)
        if tables.bleeds:
            for lane in range(LANES):
                more = 1.0 + ahead[lane] if is_mean else growth * ahead[lane] - 1.0
                read[lane] += followed.doomed[place * LANES + lane] * more
        at = (start + max(1, max_hp - kill_at) - 1) * LANES
        for lane in range(LANES):
            if is_mean:
                ahead[lane] += alike.calm[at + lane]
            else:
                ahead[lane] *= alike.calm[at + lane]


@inner
def _add_read(
    there: NDArray[np.float64], here: int, known: NDArray[np.float64], at: int, is_mean: bool,
    ahead: NDArray[np.float64], read: NDArray[np.float64],
) -> None:  # fmt: skip
    for lane in range(LANES):
        value = known[at + lane] + ahead[lane] if is_mean else known[at + lane] * ahead[lane] - 1.0
        read[lane] += there[here + lane] * value
