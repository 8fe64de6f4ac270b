"""Mean turns of eight profiles by a recursion over HP, which only falls: states are solved HP by HP.

At h: v = start + M v + sum over spreads s of w_s x_s(h) + sum over actions a of down_a(h) k_a, where M is the
chance to stay at h, x_s(h) what damage by one action leads to, and down_a(h) the chance that it defeats.
M is the same for every h of a place, so it is factored once, and every vector on the right is solved for
once: then an h costs one dot product for each spread and a few sums of vectors of the chain's size.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import Readings
from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all, set_part
from buildsearch.systems.vitality.exact.batch.lanes.defeats import Ahead, ahead_of, set_ahead, set_defeats
from buildsearch.systems.vitality.exact.batch.lanes.program import PIVOT, Program
from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_scaled,
    copy,
    multiply,
    two_dots_down,
)
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.moves import NOTHING

# A pivot below this is a state that is left so rarely that the turn limit decides.
STUCK = 1e-6


class LaneMemory(NamedTuple):
    """Memory that is used again for every eight profiles of a chain; numbers by state in lanes."""

    matrix: NDArray[np.float64]
    inverse: NDArray[np.float64]  # of the pivots
    base: NDArray[np.float64]
    led_to: NDArray[np.float64]  # by spread
    defeats: NDArray[np.float64]  # by action
    dooms: NDArray[np.float64]
    known: NDArray[np.float64]  # the value by place, state and HP
    ahead: Ahead
    weights: NDArray[np.float64]  # by step
    two: NDArray[np.float64]  # by spread: sums of two neighbouring HP
    read: NDArray[np.float64]
    stuck: NDArray[np.bool_]  # by lane: some state is hardly ever left


@inner
def lane_memory(
    program: Program, steps: NDArray[np.void], spreads: int, states: int, places: Places, tables: Tables
) -> LaneMemory:
    """Memory for a chain."""
    actions = tables.actions
    return LaneMemory(
        np.zeros(program.size * LANES),
        np.zeros(states * LANES),
        np.zeros(states * LANES),
        np.zeros(max(spreads, 1) * states * LANES),
        np.zeros(actions * states * LANES),
        np.zeros(actions * states * LANES if tables.bleeds else 0),
        np.zeros(places.max_hp.sum() * states * LANES),
        ahead_of(len(places.max_hp), states, tables),
        np.zeros(len(steps)),
        np.zeros(max(spreads, 1) * 2 * LANES),
        np.zeros(LANES),
        np.zeros(LANES, np.bool_),
    )


@inner
def _substitute(program: Program, memory: LaneMemory, vector: NDArray[np.float64], start: int) -> None:
    """Solve for the values by state that start there, in place."""
    matrix = memory.matrix
    inverse = memory.inverse
    substituting = program.substituting
    for i in range(len(substituting)):
        state = substituting[i, 0]
        other = substituting[i, 1]
        if other < 0:
            multiply(vector, start + state * LANES, inverse, state * LANES)
        else:
            add_product(
                vector, start + state * LANES, matrix, substituting[i, 2] * LANES, vector,
                start + other * LANES,
            )  # fmt: skip


@inner
def _factor(program: Program, memory: LaneMemory) -> None:
    """LU in place; what is below the pivots and above them is kept with the other sign, to be added."""
    matrix = memory.matrix
    inverse = memory.inverse
    factoring = program.factoring
    slots = program.slots
    stuck = memory.stuck
    for i in range(len(factoring)):
        kind = factoring[i, 0]
        if kind >= 0:
            add_product(
                matrix, kind * LANES, matrix, factoring[i, 1] * LANES, matrix, factoring[i, 2] * LANES
            )
        elif kind == PIVOT:
            for lane in range(LANES):
                pivot = matrix[factoring[i, 2] * LANES + lane]
                if pivot < STUCK:
                    stuck[lane] = True
                    pivot = 1.0
                inverse[factoring[i, 1] * LANES + lane] = 1.0 / pivot
        else:
            at = factoring[i, 2] * LANES
            for lane in range(LANES):
                matrix[at + lane] *= -inverse[factoring[i, 1] * LANES + lane]
    states = len(slots)
    for i in range(states):
        for j in range(i + 1, states):
            slot = slots[i, j]
            if slot >= 0:
                for lane in range(LANES):
                    matrix[slot * LANES + lane] = -matrix[slot * LANES + lane]


@inner
def _set_up(
    program: Program,
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    place: int,
    places: Places,
    tables: Tables,
    growth: float,
    memory: LaneMemory,
) -> None:
    """Factor a place's matrix, and solve for what does not depend on the next enemy."""
    matrix = memory.matrix
    led_to = memory.led_to
    weights = memory.weights
    slots = program.slots
    sets = places.sets
    nothing = tables.nothing
    touching = tables.touched
    classes = tables.classes
    states = len(slots)
    strike_class = places.strike_class[place]
    set_all(matrix, 0.0)
    set_all(led_to, 0.0)
    for i in range(states):
        at = slots[i, i] * LANES
        for lane in range(LANES):
            matrix[at + lane] = 1.0
    for i in range(len(steps)):
        step = steps[i]
        weight = growth * step["chance"] * sets[place, step["event"]]
        weights[i] = weight
        missed = slots[step["state"], step["missed"]] * LANES
        if step["action"] == NOTHING:
            for lane in range(LANES):
                matrix[missed + lane] -= weight
            continue
        row = (step["action"] * classes + strike_class) * LANES
        add_scaled(matrix, missed, -weight, nothing, row)
        touched = slots[step["state"], step["touched"]] * LANES
        add_scaled(matrix, touched, -weight, touching, row)
        at = (step["spread"] * states + step["state"]) * LANES
        for lane in range(LANES):
            led_to[at + lane] += weight
    _factor(program, memory)
    set_all(memory.base, 1.0 if growth == 1.0 else 0.0)
    _substitute(program, memory, memory.base, np.int64(0))
    for i in range(len(spreads)):
        _substitute(program, memory, led_to, i * states * LANES)


@inner
def sum_two(
    chances: NDArray[np.float64], row: int, low: int, high: int, known: NDArray[np.float64], at: int,
    left: int, two: NDArray[np.float64], to: int,
) -> None:  # fmt: skip
    """What damage of 2 or more leads to that leaves somebody standing, two neighbouring HP at a time.

    `left`: an even number of HP that are to be lost, and one more. `at`: where the first number is to be.
    Rows start at an even damage (`low`) and end at an odd one, so that products come in pairs.
    """
    first = max(low, 2)
    pairs = (min(high + 1, left) - first) // 2
    more = 1 if pairs >= 0 and left <= high else 0
    two_dots_down(two, to, chances, row + first * LANES, known, at - first * LANES, max(pairs, 0), more)


@inner
def lane_values(  # noqa: PLR0912, PLR0915 - one recursion
    program: Program,
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    tables: Tables,
    growth: float,
    readings: Readings,
    memory: LaneMemory,
) -> None:
    """Fill `known` with mean turns to come, and `read` with the weighted sum of `readings`.

    With a growth above 1 they are means of growth ** turns. `stuck`: in which lanes there is no such number.
    """
    states = len(program.slots)
    actions = len(program.action_starts) - 1
    width = tables.width
    classes = tables.classes
    known = memory.known
    two = memory.two
    led_to = memory.led_to
    defeats = memory.defeats
    dooms = memory.dooms
    base = memory.base
    chances = tables.chances
    doomed = tables.dooms
    at_least = tables.at_least
    lowest = tables.lowest
    highest = tables.highest
    kill_at = tables.kill_at
    spread_starts = program.spread_starts
    spread_states = program.spread_states
    action_starts = program.action_starts
    action_states = program.action_states
    ahead = memory.ahead
    is_echo = tables.is_echo
    read = memory.read
    read_states = readings.states
    read_weights = readings.weights
    hps = places.max_hp
    set_all(memory.stuck, False)
    set_all(read, 0.0)
    turn = 1.0 if growth == 1.0 else 0.0
    set_part(ahead.full, len(hps) * states * LANES, len(ahead.full), 1.0 - turn)
    field = hps.sum()
    for place in range(len(hps) - 1, -1, -1):
        max_hp = hps[place]
        strike_class = places.strike_class[place]
        field -= max_hp
        if places.same_as_next[place] == 0:
            _set_up(program, steps, spreads, place, places, tables, growth, memory)
        set_defeats(steps, place, places, tables, states, turn, memory.weights, ahead, defeats, dooms)
        for action in range(1, actions):
            if action_starts[action + 1] > action_starts[action]:
                _substitute(program, memory, defeats, action * states * LANES)
                if is_echo[action]:
                    _substitute(program, memory, dooms, action * states * LANES)
        start = field * states * LANES
        for hp in range(1, max_hp + 1):
            at = start + (hp - 1) * LANES
            for g in range(states):
                copy(known, at + g * max_hp * LANES, base, g * LANES)
            for action in range(1, actions):
                begin = action_starts[action]
                end = action_starts[action + 1]
                if begin == end:
                    continue
                row = action * classes + strike_class
                down = (row * width + max(1, hp - kill_at[row])) * LANES
                for i in range(begin, end):
                    g = action_states[i]
                    add_product(
                        known, at + g * max_hp * LANES, at_least, down, defeats,
                        (action * states + g) * LANES,
                    )  # fmt: skip
                    if is_echo[action]:
                        add_product(
                            known, at + g * max_hp * LANES, doomed, (row * width + hp) * LANES, dooms,
                            (action * states + g) * LANES,
                        )  # fmt: skip
            for spread in range(len(spreads)):
                row = spreads[spread, 0] * classes + strike_class
                low = lowest[row]
                high = highest[row]
                first = row * width * LANES
                there = at + spreads[spread, 1] * max_hp * LANES
                left = hp - kill_at[row]
                if left <= 1:
                    continue
                both = spread * 2 * LANES
                own = both + left % 2 * LANES
                if left % 2 == 0:
                    sum_two(chances, first, low, high, known, there, left, two, both)
                if low < 2:
                    add_product(two, own, chances, first + LANES, known, there - LANES)
                for i in range(spread_starts[spread], spread_starts[spread + 1]):
                    g = spread_states[i]
                    add_product(
                        known, at + g * max_hp * LANES, two, own, led_to, (spread * states + g) * LANES
                    )
        for i in range(len(read_states)):
            at = start + read_states[i] * max_hp * LANES
            for k in range(max_hp):
                weight = read_weights[i, field + k]
                if weight != 0.0:
                    add_scaled(read, 0, weight, known, at + k * LANES)
        set_ahead(place, max_hp, strike_class, tables, states, known, start, ahead)
