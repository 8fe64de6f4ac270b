"""Eight profiles forward in time, where the turn limit may cut fights short.

With the value V of every situation known, the limit n takes off a mean what those are worth that are still
fighting then: E min(N, n) = E N - sum over situations of P(there after n turns) V(there). So only fights that
may last that long need to be followed (`lasting`). Where nothing is known about that all are followed, and
the mean is the sum over turns of the chance to be fighting.

A place is left alone as soon as hardly any fight is there. All this is decided lane by lane: what a lane gets
is the same whoever goes beside it.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all, set_part
from buildsearch.systems.vitality.exact.batch.lanes.lasting import Lasting, drop, set_floors
from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables
from buildsearch.systems.vitality.exact.batch.lanes.transitions import Transitions, weights_of
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_products,
    add_scaled,
    add_scaled_all,
    dot_pairs_up,
    dot_up,
    multiply,
)
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.moves import BASIC

# A place with less is empty: seven places in a hundred turns lose 7e-14 fights, worth less than 1e-11.
_EMPTY = 1e-16


class Walked(NamedTuple):
    """Where fights are: by place, state and HP in lanes, this turn and the next."""

    now: NDArray[np.float64]
    later: NDArray[np.float64]
    together: NDArray[np.float64]  # by spread and HP
    downs: NDArray[np.float64]
    total: NDArray[np.float64]
    masses: NDArray[np.float64]  # by state
    # By place and state those who fall after their next turn, this turn and the next.
    doomed: NDArray[np.float64]
    next_doomed: NDArray[np.float64]


@inner
def walk_memory(states: int, spreads: int, downs: int, places: Places, tables: Tables) -> Walked:
    """Memory for a chain."""
    size = places.max_hp.sum() * states * LANES
    doomed = len(places.max_hp) * states * LANES if tables.bleeds else 0
    return Walked(
        np.zeros(size),
        np.zeros(size),
        np.zeros(max(spreads, 1) * places.max_hp.max() * LANES),
        np.zeros(max(downs, 1) * LANES),
        np.zeros(LANES),
        np.zeros(states * LANES),
        np.zeros(doomed),
        np.zeros(doomed),
    )


@inner
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


@inner
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
    set_all(here, 0.0)
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


@inner
def _weigh_doomed(doomed: NDArray[np.float64], start: int, states: int, here: NDArray[np.float64]) -> bool:
    """As `_weigh`, for those of a place who are doomed."""
    some = False
    for lane in range(LANES):
        total = 0.0
        for state in range(states):
            total += doomed[start + state * LANES + lane]
        if total >= _EMPTY:
            some = True
        else:
            total = 0.0
            for state in range(states):
                doomed[start + state * LANES + lane] = 0.0
        here[lane] = total
    return some


@inner
def _splinter(
    step: np.void,
    place: int,
    places: Places,
    tables: Tables,
    states: int,
    mass: NDArray[np.float64],
    later: NDArray[np.float64],
) -> None:
    """Those whose attack has just defeated somebody at a place strike on; `mass` is scratch afterwards."""
    hps = places.max_hp
    ends_wave = places.ends_wave
    strike_class = places.strike_class
    leaves = tables.splinter_leaves
    missed = tables.splinter_missed
    defeats = tables.splinter_defeats
    field = 0
    for i in range(place + 1):
        field += hps[i]
    target = place + 1
    while target <= place + tables.splinters and ends_wave[target - 1] == 0:
        row = step["action"] * tables.classes + strike_class[target]
        start = field * states * LANES
        hp = hps[target]
        at = start + step["splintered"] * hp * LANES
        add_products(later, at, mass, 0, leaves, row * tables.width * LANES, hp)
        at = start + (step["defeated"] * hp + hp - 1) * LANES
        add_product(later, at, mass, 0, missed, row * LANES)
        multiply(mass, 0, defeats, row * LANES)
        field += hp
        target += 1
    if target < len(hps):
        then = step["cleared"] if ends_wave[target - 1] != 0 else step["defeated"]
        at = (field * states + then * hps[target] + hps[target] - 1) * LANES
        add_scaled(later, at, 1.0, mass, 0)


@inner
def lane_walk(  # noqa: PLR0912, PLR0915, PLR0917 - one walk; its parts share all of these
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    tables: Tables,
    transitions: Transitions,
    max_turns: int,
    arriving: NDArray[np.int64],
    by_turn: NDArray[np.float64],
    lasting: Lasting,
    values: tuple[NDArray[np.float64], NDArray[np.float64]],
    walked: Walked,
    alive: NDArray[np.float64],
    beyond_limit: NDArray[np.float64],
) -> None:
    """Fill in the sum over turns of the chance to be fighting, and what the turns beyond the limit are worth.

    The first is true only in lanes without a growth, where nothing is dropped. `by_turn[t, i, field]`: the
    chance to come in before turn t in state `arriving[i]`, HP - 1 by place. `values`: `LaneMemory.known`, and
    of those who are doomed.
    """
    weights = weights_of(steps, transitions, places, tables)
    # Everything in locals: reading an array out of a tuple counts references.
    staying = weights.stays
    striking = weights.strikes
    chances_of = weights.steps
    hps = places.max_hp
    strike_classes = places.strike_class
    ends_wave = places.ends_wave
    classes = tables.classes
    lows = tables.lowest
    highs = tables.highest
    kill_ats = tables.kill_at
    fallen = transitions.downs
    down_of = transitions.down_of
    enemies = len(hps)
    width = tables.width
    now = walked.now
    later = walked.later
    together = walked.together
    downs = walked.downs
    total = walked.total
    masses = walked.masses
    doomed = walked.doomed
    next_doomed = walked.next_doomed
    dooms = tables.dooms
    is_echo = tables.is_echo
    bleeds = tables.bleeds
    splinters = tables.splinters
    chances = tables.chances
    at_least = tables.at_least
    stays = transitions.stays
    strikes = transitions.strikes
    most = hps.max()
    ones = np.ones(most * LANES)
    here = np.zeros(LANES)
    floors = np.zeros((enemies, LANES), np.int64)
    lowest_of = np.zeros(enemies, np.int64)
    next_floors = np.zeros((enemies, LANES), np.int64)
    next_lowest_of = np.zeros(enemies, np.int64)
    for place in range(enemies):
        floors[place] = hps[place] + 1
    set_floors(lasting, places, max_turns, floors, lowest_of)
    busy = np.zeros(states, np.bool_)
    filled = np.zeros(len(spreads), np.bool_)
    mass = np.zeros(LANES)
    set_all(now, 0.0)
    set_all(later, 0.0)
    set_all(doomed, 0.0)
    set_all(next_doomed, 0.0)
    set_all(alive, 0.0)
    for turn in range(1, max_turns + 1):
        if turn < len(by_turn):
            _arrive(turn, arriving, by_turn, places, states, now)
        for place in range(enemies):
            for lane in range(LANES):
                next_floors[place, lane] = floors[place, lane]
        set_floors(lasting, places, max_turns - turn, next_floors, next_lowest_of)
        field = 0
        fighting = False
        for place in range(enemies):
            max_hp = hps[place]
            start = field * states * LANES
            field += max_hp
            lowest = lowest_of[place]
            cleared = ends_wave[place] != 0
            next_start = field * states * LANES
            next_hp = hps[place + 1] if place + 1 < enemies else 0
            if bleeds and _weigh_doomed(doomed, place * states * LANES, states, here):
                fighting = True
                for lane in range(LANES):
                    alive[lane] += here[lane]
                if place + 1 < enemies:
                    for i in range(len(steps)):
                        then = steps[i]["cleared"] if cleared else steps[i]["defeated"]
                        add_scaled(
                            later, next_start + (then * next_hp + next_hp - 1) * LANES, chances_of[place, i],
                            doomed, (place * states + steps[i]["state"]) * LANES,
                        )  # fmt: skip
            if lowest > max_hp:
                continue
            drop(now, start, states, max_hp, lowest, floors[place])
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
            set_all(filled, False)
            for i in range(len(strikes)):
                weight = striking[place, i]
                if weight == 0.0 or not busy[strikes[i, 0]]:
                    continue
                spread = strikes[i, 1]
                if not filled[spread]:
                    filled[spread] = True
                    set_part(together, spread * most * LANES, (spread * most + max_hp) * LANES, 0.0)
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
            if bleeds:
                for i in range(len(steps)):
                    state = steps[i]["state"]
                    if not is_echo[steps[i]["action"]] or not busy[state]:
                        continue
                    row = steps[i]["action"] * classes + strike_class
                    dot_up(
                        total, 0, now, start + (state * max_hp + lowest - 1) * LANES, dooms,
                        (row * width + lowest) * LANES, max_hp + 1 - lowest,
                    )  # fmt: skip
                    at = (place * states + steps[i]["damaged"]) * LANES
                    add_scaled(next_doomed, at, chances_of[place, i], total, 0)
            if place + 1 == enemies or (splinters == 0 and next_lowest_of[place + 1] > next_hp):
                continue
            for i in range(len(fallen)):
                state = fallen[i, 0]
                if not busy[state]:
                    set_part(downs, i * LANES, (i + 1) * LANES, 0.0)
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
            for i in range(len(steps)):
                if down_of[i] < 0:
                    continue
                if splinters > 0 and steps[i]["action"] > BASIC:
                    set_all(mass, 0.0)
                    add_scaled(mass, 0, chances_of[place, i], downs, down_of[i] * LANES)
                    _splinter(steps[i], place, places, tables, states, mass, later)
                    continue
                then = steps[i]["cleared"] if cleared else steps[i]["defeated"]
                at = next_start + (then * next_hp + next_hp - 1) * LANES
                add_scaled(later, at, chances_of[place, i], downs, down_of[i] * LANES)
        now, later = later, now
        set_all(later, 0.0)
        doomed, next_doomed = next_doomed, doomed
        set_all(next_doomed, 0.0)
        if not fighting and turn + 1 >= len(by_turn):
            break
        floors, next_floors = next_floors, floors
        lowest_of, next_lowest_of = next_lowest_of, lowest_of
    known, known_doomed = values
    dot_up(beyond_limit, 0, doomed, 0, known_doomed, 0, len(doomed) // LANES)
    field = 0
    for place in range(enemies):
        size = hps[place] * states
        dot_up(total, 0, now, field * states * LANES, known, field * states * LANES, size)
        add_product(beyond_limit, 0, total, 0, ones, 0)
        field += hps[place]
