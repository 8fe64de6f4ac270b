"""Attacks in which no outcome changes what is done: turns are followed forward in time, eight at a time.

After some turns many are all alike: few uses are followed by basic attacks, channelling by the attack at its
last level. What is left of a fight is then the same for every profile, or needs one state. With w(i, h) the
chance that enemy i has h HP left after the first l turns

    E min(N, n) = sum over t < l of P(N > t) + sum over i, h of w(i, h) E min(N', n - l)

and where N' is of the attack, E N' is taken with a proof that the limit is far, as in `solving`.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import GROWTHS, TOLERANCE
from buildsearch.systems.vitality.exact.batch.lanes.compiled import inner
from buildsearch.systems.vitality.exact.batch.lanes.tables import (
    Ladders,
    Tables,
    fill_tables,
    group_from,
    tables_for,
)
from buildsearch.systems.vitality.exact.batch.lanes.values import STUCK
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_products,
    add_scaled,
    copy,
    dot_pairs_down,
    dot_pairs_up,
    multiply,
)
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING

# Fewer fights than this are none: in a hundred turns they are worth less than 1e-13.
_EMPTY = 1e-16


class _Followed(NamedTuple):
    """By place and HP in lanes where fights are, this turn and the next; `lowest` HP by place."""

    now: NDArray[np.float64]
    later: NDArray[np.float64]
    lowest: NDArray[np.int64]
    total: NDArray[np.float64]
    stays: NDArray[np.float64]


@inner
def _turn(action: int, places: Places, tables: Tables, followed: _Followed) -> None:
    """One turn of an action, from `now` to `later`."""
    now = followed.now
    later = followed.later
    lowest = followed.lowest
    total = followed.total
    stays = followed.stays
    chances = tables.chances
    at_least = tables.at_least
    hps = places.max_hp
    later[:] = 0.0
    # From the last place to the first: who falls arrives where everybody has had this turn.
    field = hps.sum()
    for place in range(len(hps) - 1, -1, -1):
        max_hp = hps[place]
        field -= max_hp
        low_hp = lowest[place]
        if low_hp > max_hp:
            continue
        at = (field - 1) * LANES  # of HP 0
        if action == NOTHING:
            for i in range((field + low_hp - 1) * LANES, (field + max_hp) * LANES):
                later[i] += now[i]
            continue
        row = action * tables.classes + places.strike_class[place]
        first = row * tables.width
        low = tables.lowest[row]
        high = tables.highest[row]
        kill_at = tables.kill_at[row]
        for lane in range(LANES):
            stays[lane] = tables.nothing[row * LANES + lane] + tables.touched[row * LANES + lane]
        add_products(later, at + low_hp * LANES, stays, 0, now, at + low_hp * LANES, max_hp + 1 - low_hp)
        lowest[place] = max(min(kill_at + 1, low_hp), low_hp - high)
        for hp in range(max(kill_at + 1, lowest[place]), max_hp - low + 1):
            # An even damage first, as everywhere: what comes before it is 0.
            least = max(low, low_hp - hp - (low_hp - hp) % 2)
            reach = min(high, max_hp - hp) + 1 - least
            dot_pairs_up(total, 0, chances, (first + least) * LANES, now, at + (hp + least) * LANES, reach)
            add_scaled(later, at + hp * LANES, 1.0, total, 0)
        if place + 1 == len(hps):
            continue
        then = (field + max_hp + hps[place + 1] - 1) * LANES
        for hp in range(low_hp, max_hp + 1):
            add_product(later, then, now, at + hp * LANES, at_least, (first + max(1, hp - kill_at)) * LANES)
        lowest[place + 1] = min(lowest[place + 1], hps[place + 1])


@inner
def _weigh(now: NDArray[np.float64], mass: NDArray[np.float64]) -> bool:
    """Add up, and empty lanes with hardly any: nobody knows who goes beside it. Whether any is left."""
    mass[:] = 0.0
    for i in range(0, len(now), LANES):
        add_scaled(mass, 0, 1.0, now, i)
    some = False
    for lane in range(LANES):
        if mass[lane] >= _EMPTY:
            some = True
        elif mass[lane] > 0.0:
            mass[lane] = 0.0
            now[lane::LANES] = 0.0
    return some


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


class _Alike(NamedTuple):
    """Turns that are all of one action: `known` by class and HP less 1, and scratch for it, in lanes."""

    known: NDArray[np.float64]
    ahead: NDArray[np.float64]
    led_to: NDArray[np.float64]
    stuck: NDArray[np.bool_]  # there is no such number
    read: NDArray[np.float64]


@inner
def _set_known(
    row: int, hp: int, growth: float, tables: Tables, start: int, total: NDArray[np.float64], alike: _Alike
) -> None:
    """The mean turns of attacks of one row, or of growth ** turns, from this place of `known` on."""
    known = alike.known
    led_to = alike.led_to
    chances = tables.chances
    at_least = tables.at_least
    low = tables.lowest[row]
    high = tables.highest[row]
    first = row * tables.width
    for lane in range(LANES):
        leaves = 1.0 - growth * (tables.nothing[row * LANES + lane] + tables.touched[row * LANES + lane])
        if leaves < STUCK:
            alike.stuck[lane] = True
            leaves = 1.0
        led_to[lane] = growth / leaves
    for left in range(1, hp + 1):
        at = start + (left - 1) * LANES
        reach = min(high, left - 1) + 1 - low
        dot_pairs_down(total, 0, chances, (first + low) * LANES, known, at - low * LANES, reach)
        if growth == 1.0:
            for lane in range(LANES):
                total[lane] += 1.0
        else:
            add_scaled(total, 0, 1.0, at_least, (first + left) * LANES)
        multiply(total, 0, led_to, 0)
        copy(known, at, total, 0)


@inner
def _read_alike(
    last: int, growth: float, places: Places, tables: Tables, followed: _Followed, alike: _Alike
) -> None:
    """Fill `read` with the mean turns to come from `now`, or what growth ** turns is on top of 1."""
    known = alike.known
    ahead = alike.ahead
    read = alike.read
    hps = places.max_hp
    now = followed.now
    alike.stuck[:] = False
    for strike_class in range(tables.classes):
        row = last * tables.classes + strike_class
        # With a threshold the last HP need not be lost.
        hp = max(1, tables.hp[strike_class] - tables.kill_at[row])
        _set_known(row, hp, growth, tables, strike_class * tables.width * LANES, followed.total, alike)
    read[:] = 0.0
    ahead[:] = 0.0 if growth == 1.0 else 1.0
    field = hps.sum()
    for place in range(len(hps) - 1, -1, -1):
        max_hp = hps[place]
        field -= max_hp
        strike_class = places.strike_class[place]
        kill_at = tables.kill_at[last * tables.classes + strike_class]
        start = strike_class * tables.width
        for hp in range(followed.lowest[place], max_hp + 1):
            at = (start + max(1, hp - kill_at) - 1) * LANES
            here = (field + hp - 1) * LANES
            for lane in range(LANES):
                if growth == 1.0:
                    read[lane] += now[here + lane] * (known[at + lane] + ahead[lane])
                else:
                    read[lane] += now[here + lane] * (known[at + lane] * ahead[lane] - 1.0)
        at = (start + max(1, max_hp - kill_at) - 1) * LANES
        for lane in range(LANES):
            if growth == 1.0:
                ahead[lane] += known[at + lane]
            else:
                ahead[lane] *= known[at + lane]


@inner
def _prove(
    last: int,
    turns: int,
    limit: int,
    places: Places,
    tables: Tables,
    followed: _Followed,
    alike: _Alike,
    moments: NDArray[np.float64],
    means: NDArray[np.float64],
) -> None:
    """Take half of what the limit takes off at most off the means; NaN where that may be much.

    `moments`: by growth what the first turns add to the mean of growth ** turns.
    """
    proved = np.zeros(LANES, np.bool_)
    for i in range(len(GROWTHS)):
        is_open = False
        for lane in range(len(means)):
            is_open = is_open or (not proved[lane] and 2 * means[lane] <= limit)
        if not is_open:
            break
        growth = GROWTHS[i]
        _read_alike(last, growth, places, tables, followed, alike)
        for lane in range(len(means)):
            # The proof is a factor of two away at least, and nobody knows who goes beside it.
            if proved[lane] or alike.stuck[lane] or not 2 * means[lane] <= limit:
                continue
            moment = moments[i, lane] + growth**turns * alike.read[lane]
            bound = moment * growth**-limit / (math.e * math.log(growth))
            if bound < TOLERANCE:
                proved[lane] = True
                means[lane] -= bound / 2
    for lane in range(len(means)):
        if not proved[lane]:
            means[lane] = np.nan


@njit(cache=True, nogil=True)
def follow_turns(
    damages: Damages,
    splinter: Splinter,
    ladders: Ladders,
    places: Places,
    actions: NDArray[np.int64],
    last: int,
    limit: int,
    means: NDArray[np.float64],
) -> None:
    """Mean turns of profiles that make these actions one after the other, and then the last for ever.

    Those that defeat at the same HP stand together (`tables.group_from`). NaN where the limit may be near;
    followed up to the limit, or where the last action is the basic attack, nobody is too near to it.
    """
    turns = min(len(actions), limit)
    tables = tables_for(max(actions.max(), last) + 1, places, damages, splinter)
    fields = places.max_hp.sum()
    size = fields * LANES
    followed = _Followed(np.zeros(size), np.zeros(size), places.max_hp + 1, np.zeros(LANES), np.zeros(LANES))
    after = basic_values(places, damages, limit - turns) if last == BASIC else np.zeros(0)
    size = tables.classes * tables.width * LANES
    alike = _Alike(
        np.zeros(size), np.zeros(LANES), np.zeros(LANES), np.zeros(LANES, np.bool_), np.zeros(LANES)
    )
    mean = np.zeros(LANES)
    mass = np.zeros(LANES)
    moments = np.zeros((len(GROWTHS), LANES))
    everybody = np.arange(len(means))
    start = 0
    while start < len(means):
        eight = group_from(ladders, everybody, start)
        stop = start + len(eight.starts)
        fill_tables(tables, damages, splinter, eight)
        followed.now[:] = 0.0
        full = (places.max_hp[0] - 1) * LANES
        followed.now[full : full + LANES] = 1.0
        followed.lowest[:] = places.max_hp + 1
        followed.lowest[0] = places.max_hp[0]
        mean[:] = 0.0
        moments[:] = 1.0
        for turn in range(turns):
            if not _weigh(followed.now, mass):
                break
            add_scaled(mean, 0, 1.0, mass, 0)
            for i in range(len(GROWTHS)):
                for lane in range(LANES):
                    moments[i, lane] += (GROWTHS[i] - 1.0) * GROWTHS[i] ** turn * mass[lane]
            _turn(actions[turn], places, tables, followed)
            followed = _Followed(
                followed.later, followed.now, followed.lowest, followed.total, followed.stays
            )
        _weigh(followed.now, mass)
        if last == BASIC:
            for i in range(fields):
                add_scaled(mean, 0, after[i], followed.now, i * LANES)
            means[start:stop] = mean[: stop - start]
            start = stop
            continue
        _read_alike(last, 1.0, places, tables, followed, alike)
        for lane in range(stop - start):
            means[start + lane] = np.inf if alike.stuck[lane] else mean[lane] + alike.read[lane]
        _prove(last, turns, limit, places, tables, followed, alike, moments, means[start:stop])
        start = stop
