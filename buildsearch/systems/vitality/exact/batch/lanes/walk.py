"""Eight profiles forward in time, where the turn limit may cut fights short.

With the value V of every situation known, the limit n takes off a mean what those are worth that are still
fighting then: E min(N, n) = E N - sum over situations of P(there after n turns) V(there). So only fights that
may last that long need to be followed. Fights that are ahead of time are dropped where the mean of g^N from
there says that they hardly last, as (N - n)+ <= g^(N - n) / (e ln g): all that is dropped takes less than
`_DROPPED` off in sum, as every fight is dropped at most once. Where there is no such mean all are followed,
and the mean is the sum over turns of the chance to be fighting.

A place is left alone as soon as hardly any fight is there. All this is decided lane by lane: what a lane gets
is the same whoever goes beside it.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_products,
    add_scaled,
    add_scaled_all,
    dot_pairs_up,
    dot_up,
    keep_largest,
)
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.moves import NOTHING

_DROPPED = 1e-11
# A place with less is empty: seven places in a hundred turns lose 7e-14 fights, worth less than 1e-11.
_EMPTY = 1e-16


class Moves(NamedTuple):
    """The steps of a chain, those that do the same to the same state taken together."""

    # (state, state after): nothing was hurt.
    stays: NDArray[np.int64]
    # (state, spread): somebody may be.
    strikes: NDArray[np.int64]
    # (state, action): somebody may fall.
    downs: NDArray[np.int64]
    # By step: which of them it belongs to.
    stay_of: NDArray[np.int64]
    touch_of: NDArray[np.int64]
    strike_of: NDArray[np.int64]
    down_of: NDArray[np.int64]


@njit(cache=True, nogil=True)
def _number_of(pairs: NDArray[np.int64], count: int, first: int, second: int) -> int:
    """The place of a pair in a list of so many; the count where it is new."""
    for i in range(count):
        if pairs[i, 0] == first and pairs[i, 1] == second:
            return i
    pairs[count, 0] = first
    pairs[count, 1] = second
    return count


@njit(cache=True, nogil=True)
def moves_of(steps: NDArray[np.void]) -> Moves:
    """The distinct moves of a chain."""
    size = len(steps)
    stays = np.zeros((2 * size, 2), np.int64)
    strikes = np.zeros((size, 2), np.int64)
    downs = np.zeros((size, 2), np.int64)
    of = np.full((4, size), -1)
    staying = 0
    striking = 0
    falling = 0
    for i in range(size):
        step = steps[i]
        of[0, i] = _number_of(stays, staying, step["state"], step["missed"])
        staying = max(staying, of[0, i] + 1)
        if step["action"] == NOTHING:
            continue
        of[1, i] = _number_of(stays, staying, step["state"], step["touched"])
        staying = max(staying, of[1, i] + 1)
        of[2, i] = _number_of(strikes, striking, step["state"], step["spread"])
        striking = max(striking, of[2, i] + 1)
        of[3, i] = _number_of(downs, falling, step["state"], step["action"])
        falling = max(falling, of[3, i] + 1)
    return Moves(stays[:staying], strikes[:striking], downs[:falling], of[0], of[1], of[2], of[3])


class _Weights(NamedTuple):
    """By place: the chances of moves."""

    stays: NDArray[np.float64]  # in lanes
    strikes: NDArray[np.float64]
    defeats: NDArray[np.float64]  # by step


@njit(cache=True, nogil=True)
def _weights(steps: NDArray[np.void], moves: Moves, places: Places, tables: Tables) -> _Weights:
    enemies = len(places.max_hp)
    weights = _Weights(
        np.zeros(enemies * len(moves.stays) * LANES),
        np.zeros((enemies, len(moves.strikes))),
        np.zeros((enemies, len(steps))),
    )
    staying = weights.stays
    striking = weights.strikes
    defeating = weights.defeats
    sets = places.sets
    strike_classes = places.strike_class
    nothing = tables.nothing
    touched = tables.touched
    classes = tables.classes
    stay_of = moves.stay_of
    touch_of = moves.touch_of
    strike_of = moves.strike_of
    stays = len(moves.stays)
    for place in range(enemies):
        first = place * stays
        for i in range(len(steps)):
            step = steps[i]
            weight = step["chance"] * sets[place, step["event"]]
            at = (first + stay_of[i]) * LANES
            if step["action"] == NOTHING:
                for lane in range(LANES):
                    staying[at + lane] += weight
                continue
            row = (step["action"] * classes + strike_classes[place]) * LANES
            add_scaled(staying, at, weight, nothing, row)
            add_scaled(staying, (first + touch_of[i]) * LANES, weight, touched, row)
            striking[place, strike_of[i]] += weight
            defeating[place, i] = weight
    return weights


class Walked(NamedTuple):
    """Where fights are: by place, state and HP in lanes, this turn and the next."""

    now: NDArray[np.float64]
    later: NDArray[np.float64]
    together: NDArray[np.float64]  # by spread and HP
    downs: NDArray[np.float64]
    total: NDArray[np.float64]
    masses: NDArray[np.float64]  # by state


@njit(cache=True, nogil=True)
def walk_memory(states: int, spreads: int, downs: int, places: Places) -> Walked:
    """Memory for a chain."""
    size = places.max_hp.sum() * states * LANES
    return Walked(
        np.zeros(size),
        np.zeros(size),
        np.zeros(max(spreads, 1) * places.max_hp.max() * LANES),
        np.zeros(max(downs, 1) * LANES),
        np.zeros(LANES),
        np.zeros(states * LANES),
    )


@njit(cache=True, nogil=True)
def _arrive(
    turn: int,
    states: NDArray[np.int64],
    by_turn: NDArray[np.float64],
    places: Places,
    chain_states: int,
    now: NDArray[np.float64],
) -> None:
    """Add who arrives in a turn, the same in every lane."""
    field = 0
    for place in range(len(places.max_hp)):
        max_hp = places.max_hp[place]
        for i in range(len(states)):
            at = (field * chain_states + states[i] * max_hp) * LANES
            for k in range(max_hp):
                chance = by_turn[turn, i, field + k]
                for lane in range(LANES):
                    now[at + k * LANES + lane] += chance
        field += max_hp


@njit(cache=True, nogil=True)
def _weigh(
    now: NDArray[np.float64],
    start: int,
    states: int,
    max_hp: int,
    lowest: int,
    masses: NDArray[np.float64],
    here: NDArray[np.float64],
    ones: NDArray[np.float64],
) -> bool:
    """Add up a place by state, and in all; lanes with hardly any are emptied. Whether any is left."""
    here[:] = 0.0
    for state in range(states):
        at = start + (state * max_hp + lowest - 1) * LANES
        dot_up(masses, state * LANES, now, at, ones, 0, max_hp + 1 - lowest)
        add_product(here, 0, masses, state * LANES, ones, 0)
    some = False
    for lane in range(LANES):
        if here[lane] >= _EMPTY:
            some = True
        elif here[lane] > 0.0:
            for k in range(states * max_hp):
                now[start + k * LANES + lane] = 0.0
    return some


class Lasting(NamedTuple):
    """How long fights last: by lane a growth (0: none), and the means of growth ** turns."""

    growths: NDArray[np.float64]
    # By place and HP, in lanes: the largest mean there or at fewer HP.
    peaks: NDArray[np.float64]


@njit(cache=True, nogil=True)
def set_lasting(
    moments: NDArray[np.float64], growth: float, states: int, places: Places, lasting: Lasting
) -> None:
    """Fill in the lanes of this growth, from means by place, state and HP."""
    peak = np.zeros(LANES)
    growths = lasting.growths
    peaks = lasting.peaks
    hps = places.max_hp
    field = 0
    for place in range(len(hps)):
        max_hp = hps[place]
        peak[:] = 0.0
        for hp in range(max_hp):
            for state in range(states):
                keep_largest(peak, 0, moments, (field * states + state * max_hp + hp) * LANES)
            for lane in range(LANES):
                if growths[lane] == growth:
                    peaks[(field + hp) * LANES + lane] = peak[lane]
        field += max_hp


@njit(cache=True, nogil=True)
def _set_floors(
    lasting: Lasting, places: Places, turns: int, floors: NDArray[np.int64], lowest: NDArray[np.int64]
) -> None:
    """By place and lane the HP below which nobody lasts so many turns; by place the lowest of all lanes.

    With fewer turns to go more fights last, so floors are looked for from those of the turn before down.
    """
    growths = lasting.growths
    peaks = lasting.peaks
    hps = places.max_hp
    for lane in range(LANES):
        growth = growths[lane]
        most = -1.0
        if growth > 0.0:
            most = _DROPPED * math.e * math.log(growth) * growth**turns
        field = 0
        for place in range(len(hps)):
            floor = floors[place, lane]
            while floor > 1 and peaks[(field + floor - 2) * LANES + lane] > most:
                floor -= 1
            floors[place, lane] = floor
            field += hps[place]
    for place in range(len(hps)):
        lowest[place] = floors[place].min()


@njit(cache=True, nogil=True)
def _drop(
    now: NDArray[np.float64], start: int, states: int, max_hp: int, lowest: int, floors: NDArray[np.int64]
) -> None:
    """Empty those cells of lanes that others still look at."""
    for lane in range(LANES):
        for hp in range(lowest, min(floors[lane], max_hp + 1)):
            for state in range(states):
                now[start + (state * max_hp + hp - 1) * LANES + lane] = 0.0


@njit(cache=True, nogil=True)
def lane_walk(  # noqa: PLR0912, PLR0915, PLR0917 - one walk; its parts share all of these
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    tables: Tables,
    moves: Moves,
    max_turns: int,
    arriving: NDArray[np.int64],
    by_turn: NDArray[np.float64],
    lasting: Lasting,
    values: NDArray[np.float64],
    walked: Walked,
    alive: NDArray[np.float64],
    beyond_limit: NDArray[np.float64],
) -> None:
    """Fill in the sum over turns of the chance to be fighting, and what the turns beyond the limit are worth.

    The first is true only in lanes without a growth, where nothing is dropped. `by_turn[t, i, field]`: the
    chance to come in before turn t in state `arriving[i]`, HP - 1 by place. `values`: `LaneMemory.known`.
    """
    weights = _weights(steps, moves, places, tables)
    # Everything in locals: reading an array out of a tuple counts references.
    staying = weights.stays
    striking = weights.strikes
    defeating = weights.defeats
    hps = places.max_hp
    strike_classes = places.strike_class
    ends_wave = places.ends_wave
    classes = tables.classes
    lows = tables.lowest
    highs = tables.highest
    kill_ats = tables.kill_at
    fallen = moves.downs
    down_of = moves.down_of
    enemies = len(hps)
    width = tables.width
    now = walked.now
    later = walked.later
    together = walked.together
    downs = walked.downs
    total = walked.total
    masses = walked.masses
    chances = tables.chances
    at_least = tables.at_least
    stays = moves.stays
    strikes = moves.strikes
    most = hps.max()
    ones = np.ones(most * LANES)
    here = np.zeros(LANES)
    floors = np.zeros((enemies, LANES), np.int64)
    lowest_of = np.zeros(enemies, np.int64)
    next_floors = np.zeros((enemies, LANES), np.int64)
    next_lowest_of = np.zeros(enemies, np.int64)
    for place in range(enemies):
        floors[place] = hps[place] + 1
    _set_floors(lasting, places, max_turns, floors, lowest_of)
    busy = np.zeros(states, np.bool_)
    filled = np.zeros(len(spreads), np.bool_)
    now[:] = 0.0
    later[:] = 0.0
    alive[:] = 0.0
    for turn in range(1, max_turns + 1):
        if turn < len(by_turn):
            _arrive(turn, arriving, by_turn, places, states, now)
        next_floors[:] = floors
        _set_floors(lasting, places, max_turns - turn, next_floors, next_lowest_of)
        field = 0
        fighting = False
        for place in range(enemies):
            max_hp = hps[place]
            start = field * states * LANES
            field += max_hp
            lowest = lowest_of[place]
            if lowest > max_hp:
                continue
            _drop(now, start, states, max_hp, lowest, floors[place])
            if not _weigh(now, start, states, max_hp, lowest, masses, here, ones):
                continue
            fighting = True
            for lane in range(LANES):
                alive[lane] += here[lane]
            for state in range(states):
                busy[state] = False
                for lane in range(LANES):
                    if masses[state * LANES + lane] > 0.0:
                        busy[state] = True
            strike_class = strike_classes[place]
            next_lowest = next_lowest_of[place]
            count = max_hp + 1 - lowest
            for i in range(len(stays)):
                if busy[stays[i, 0]]:
                    add_products(
                        later, start + (stays[i, 1] * max_hp + lowest - 1) * LANES, staying,
                        (place * len(stays) + i) * LANES, now,
                        start + (stays[i, 0] * max_hp + lowest - 1) * LANES, count,
                    )  # fmt: skip
            filled[:] = False
            for i in range(len(strikes)):
                weight = striking[place, i]
                if weight == 0.0 or not busy[strikes[i, 0]]:
                    continue
                spread = strikes[i, 1]
                if not filled[spread]:
                    filled[spread] = True
                    together[spread * most * LANES : (spread * most + max_hp) * LANES] = 0.0
                add_scaled_all(
                    together, (spread * most + lowest - 1) * LANES, weight, now,
                    start + (strikes[i, 0] * max_hp + lowest - 1) * LANES, count,
                )  # fmt: skip
            for i in range(len(spreads)):
                if not filled[i]:
                    continue
                row = spreads[i, 0] * classes + strike_class
                low = lows[row]
                high = highs[row]
                target = start + (spreads[i, 1] * max_hp - 1) * LANES
                for hp in range(max(kill_ats[row] + 1, next_lowest), max_hp - low + 1):
                    dot_pairs_up(
                        total, 0, chances, (row * width + low) * LANES, together,
                        (i * most + hp + low - 1) * LANES, min(high, max_hp - hp) + 1 - low,
                    )  # fmt: skip
                    add_product(later, target + hp * LANES, total, 0, ones, 0)
            if place + 1 == enemies or next_lowest_of[place + 1] > hps[place + 1]:
                continue
            for i in range(len(fallen)):
                state = fallen[i, 0]
                if not busy[state]:
                    downs[i * LANES : (i + 1) * LANES] = 0.0
                    continue
                row = fallen[i, 1] * classes + strike_class
                kill_at = min(kill_ats[row], max_hp)
                at = start + state * max_hp * LANES
                down = row * width * LANES
                first = max(lowest - 1, kill_at)
                dot_up(
                    downs, i * LANES, now, at + first * LANES, at_least, down + (1 + first - kill_at) * LANES,
                    max_hp - first,
                )  # fmt: skip
                if kill_at >= lowest:
                    # At the threshold or below any damage defeats.
                    dot_up(total, 0, now, at + (lowest - 1) * LANES, ones, 0, kill_at + 1 - lowest)
                    add_product(downs, i * LANES, total, 0, at_least, down + LANES)
            next_hp = hps[place + 1]
            next_start = field * states * LANES
            cleared = ends_wave[place] != 0
            for i in range(len(steps)):
                if down_of[i] < 0:
                    continue
                then = steps[i]["cleared"] if cleared else steps[i]["defeated"]
                at = next_start + (then * next_hp + next_hp - 1) * LANES
                add_scaled(later, at, defeating[place, i], downs, down_of[i] * LANES)
        now, later = later, now
        later[:] = 0.0
        if not fighting and turn + 1 >= len(by_turn):
            break
        floors, next_floors = next_floors, floors
        lowest_of, next_lowest_of = next_lowest_of, lowest_of
    beyond_limit[:] = 0.0
    field = 0
    for place in range(enemies):
        size = hps[place] * states
        dot_up(total, 0, now, field * states * LANES, values, field * states * LANES, size)
        add_product(beyond_limit, 0, total, 0, ones, 0)
        field += hps[place]
