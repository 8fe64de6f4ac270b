"""Mean turns of eight profiles by a recursion over HP, which only falls: states are solved HP by HP.

At h: v = start + M v + sum over spreads s of w_s x_s(h) + sum over actions a of down_a(h) k_a, where M is the
chance to stay at h, x_s(h) what damage by one action leads to, and down_a(h) the chance that it defeats.
M is the same for every h of a place, so it is factored once, and every vector on the right is solved for
once: then an h costs one dot product for each spread and a few sums of vectors of the chain's size.

With t turns to go the same holds of v_t on the left and v_(t-1) on the right, where nothing is to be solved
(`lane_turns`): how a turn limit is respected that is near.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import Readings
from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all, set_part, uncounted
from buildsearch.systems.vitality.exact.batch.lanes.defeats import (
    Ahead,
    ahead_of,
    set_ahead,
    set_defeats,
    set_dooms,
)
from buildsearch.systems.vitality.exact.batch.lanes.program import PIVOT, Program, Terms, doom_row, spread_row
from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_products,
    add_scaled,
    copy,
    multiply,
    two_dots_down,
)
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.moves import NOTHING

# A pivot below this is a state that is left so rarely that the turn limit decides.
STUCK = 1e-6
# So near to its value without a limit it stays there.
_SETTLED = 1e-11


class LaneMemory(NamedTuple):
    """Memory that is used again for every eight profiles of a chain; numbers by state in lanes."""

    matrix: NDArray[np.float64]
    inverse: NDArray[np.float64]  # of the pivots
    base: NDArray[np.float64]
    coefficients: NDArray[np.float64]  # of `Terms`
    known: NDArray[np.float64]  # the value by place, state and HP
    ahead: Ahead
    weights: NDArray[np.float64]  # by step
    two: NDArray[np.float64]  # by spread: sums of two neighbouring HP
    led_to: NDArray[np.float64]  # by HP: what a spread leads to
    read: NDArray[np.float64]
    stuck: NDArray[np.bool_]  # by lane: some state is hardly ever left


@inner
def lane_memory(
    program: Program, steps: NDArray[np.void], spreads: int, states: int, places: Places, tables: Tables
) -> LaneMemory:
    """Memory for a chain."""
    return LaneMemory(
        np.zeros(program.size * LANES),
        np.zeros(states * LANES),
        np.zeros(states * LANES),
        np.zeros(program.at_last.starts[len(program.at_last.slots)] * LANES),
        np.zeros(places.max_hp.sum() * states * LANES),
        ahead_of(len(places.max_hp), states, tables),
        np.zeros(len(steps)),
        np.zeros(max(spreads, 1) * 2 * LANES),
        np.zeros(places.max_hp.max() * LANES),
        np.zeros(LANES),
        np.zeros(LANES, np.bool_),
    )


@uncounted
def _substitute(
    program: Program, memory: LaneMemory, vector: NDArray[np.float64], slots: NDArray[np.int64]
) -> None:
    """Solve for numbers by state, in place; `slots`: which of the vector they are, -1: nothing."""
    matrix = memory.matrix
    inverse = memory.inverse
    substituting = program.substituting
    for i in range(len(substituting)):
        state = substituting[i, 0]
        other = substituting[i, 1]
        if other < 0:
            if slots[state] >= 0:
                multiply(vector, slots[state] * LANES, inverse, state * LANES)
        elif slots[other] >= 0:
            add_product(
                vector, slots[state] * LANES, matrix, substituting[i, 2] * LANES, vector,
                slots[other] * LANES,
            )  # fmt: skip


@uncounted
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


@uncounted
def _fill(
    steps: NDArray[np.void],
    place: int,
    places: Places,
    tables: Tables,
    growth: float,
    matrix: NDArray[np.float64],
    stays: NDArray[np.int64],
    coefficients: NDArray[np.float64],
    terms: Terms,
    weights: NDArray[np.float64],
) -> None:
    """A place's chances to stay, those of spreads, and those of steps, each times the growth.

    `stays`: by state and state after which number of the matrix it is.
    """
    sets = places.sets
    nothing = tables.nothing
    touching = tables.touched
    actions = tables.actions
    strike_class = places.strike_class[place]
    set_all(matrix, 0.0)
    slots = terms.slots
    starts = terms.starts
    first = starts[spread_row(0, actions)] * LANES
    set_part(coefficients, first, starts[len(slots) - len(stays)] * LANES, 0.0)
    for i in range(len(steps)):
        step = steps[i]
        weight = growth * step["chance"] * sets[place, step["event"]]
        weights[i] = weight
        missed = stays[step["state"], step["missed"]] * LANES
        if step["action"] == NOTHING:
            for lane in range(LANES):
                matrix[missed + lane] += weight
            continue
        row = (step["action"] * tables.classes + strike_class) * LANES
        add_scaled(matrix, missed, weight, nothing, row)
        touched = stays[step["state"], step["touched"]] * LANES
        add_scaled(matrix, touched, weight, touching, row)
        at = slots[spread_row(step["spread"], actions), step["state"]] * LANES
        for lane in range(LANES):
            coefficients[at + lane] += weight


@uncounted
def _set_up(
    program: Program,
    steps: NDArray[np.void],
    spreads: int,
    place: int,
    places: Places,
    tables: Tables,
    growth: float,
    memory: LaneMemory,
) -> None:
    """Factor a place's matrix, and solve for what does not depend on the next enemy."""
    matrix = memory.matrix
    slots = program.slots
    terms = program.at_last
    _fill(steps, place, places, tables, growth, matrix, slots, memory.coefficients, terms, memory.weights)
    for i in range(len(matrix)):
        matrix[i] = -matrix[i]
    for i in range(len(slots)):
        at = slots[i, i] * LANES
        for lane in range(LANES):
            matrix[at + lane] += 1.0
    _factor(program, memory)
    set_all(memory.base, 1.0 if growth == 1.0 else 0.0)
    _substitute(program, memory, memory.base, program.states)
    for spread in range(spreads):
        _substitute(program, memory, memory.coefficients, terms.slots[spread_row(spread, tables.actions)])


@uncounted
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


@uncounted
def _sweep(  # noqa: PLR0917 - a place's coefficients, and where its values are read and written
    terms: Terms,
    coefficients: NDArray[np.float64],
    base: NDArray[np.float64],
    spreads: NDArray[np.int64],
    strike_class: int,
    tables: Tables,
    memory: LaneMemory,
    at_once: bool,
    lowest: int,
    max_hp: int,
    states: int,
    start: int,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
) -> None:
    """The values of a place from the lowest HP up, in `after`, out of what HP below have in `before`."""
    actions = tables.actions
    width = tables.width
    classes = tables.classes
    chances = tables.chances
    doomed = tables.dooms
    at_least = tables.at_least
    lows = tables.lowest
    highs = tables.highest
    kill_at = tables.kill_at
    is_echo = tables.is_echo
    starts = terms.starts
    state_of = terms.states
    two = memory.two
    led_to = memory.led_to
    first_stay = len(starts) - 1 - states
    count = max_hp + 1 - lowest
    first = start + (lowest - 1) * LANES
    for state in range(states):
        for k in range(count):
            copy(after, first + (state * max_hp + k) * LANES, base, state * LANES)
    for state in range(states):
        for i in range(starts[first_stay + state], starts[first_stay + state + 1]):
            add_products(
                after, first + state_of[i] * max_hp * LANES, coefficients, i * LANES, before,
                first + state * max_hp * LANES, count,
            )  # fmt: skip
    for action in range(1, actions):
        row = (action * classes + strike_class) * width * LANES
        kill = kill_at[action * classes + strike_class]
        # At the threshold or below any damage defeats.
        low = min(max(kill + 1 - lowest, 0), count)
        for i in range(starts[action - 1], starts[action]):
            to = first + state_of[i] * max_hp * LANES
            for k in range(low):
                add_product(after, to + k * LANES, coefficients, i * LANES, at_least, row + LANES)
            add_products(
                after, to + low * LANES, coefficients, i * LANES, at_least,
                row + (lowest + low - kill) * LANES, count - low,
            )  # fmt: skip
        if is_echo[action]:
            which = doom_row(action, actions)
            for i in range(starts[which], starts[which + 1]):
                add_products(
                    after, first + state_of[i] * max_hp * LANES, coefficients, i * LANES, doomed,
                    row + lowest * LANES, count,
                )  # fmt: skip
    # Where values are read that were written here, one HP after the other; else all of them at once.
    most = count if at_once else 1
    for bottom in range(lowest, max_hp + 1, most):
        at = start + (bottom - 1) * LANES
        for spread in range(len(spreads)):
            row = spreads[spread, 0] * classes + strike_class
            both = spread * 2 * LANES
            low = lows[row]
            high = highs[row]
            here = row * width * LANES
            # Those with fewer HP have nothing left that could be lost.
            begin = max(bottom, kill_at[row] + 2)
            for hp in range(begin, bottom + most):
                left = hp - kill_at[row]
                odd = left % 2
                own = both + odd * LANES
                there = start + (spreads[spread, 1] * max_hp + hp - 1) * LANES
                if odd == 0 or hp == lowest:
                    sum_two(chances, here, low, high, before, there - odd * LANES, left - odd, two, both)
                if low < 2:
                    add_product(two, own, chances, here + LANES, before, there - LANES)
                copy(led_to, (hp - bottom) * LANES, two, own)
            which = spread_row(spread, actions)
            for i in range(starts[which], starts[which + 1]):
                add_products(
                    after, at + (state_of[i] * max_hp + begin - bottom) * LANES, coefficients, i * LANES,
                    led_to, (begin - bottom) * LANES, bottom + most - begin,
                )  # fmt: skip


@uncounted
def _read(
    states: NDArray[np.int64], weights: NDArray[np.float64], start: int, max_hp: int, field: int,
    values: NDArray[np.float64], read: NDArray[np.float64],
) -> None:  # fmt: skip
    """Add the weighted sum of a place's values, which start there."""
    for i in range(len(states)):
        at = start + states[i] * max_hp * LANES
        for k in range(max_hp):
            weight = weights[i, field + k]
            if weight != 0.0:
                add_scaled(read, 0, weight, values, at + k * LANES)


@uncounted
def lane_values(
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
    known = memory.known
    ahead = memory.ahead
    hps = places.max_hp
    actions = tables.actions
    slots = program.at_last.slots
    coefficients = memory.coefficients
    set_all(memory.stuck, False)
    set_all(memory.read, 0.0)
    turn = 1.0 if growth == 1.0 else 0.0
    set_part(ahead.full, len(hps) * states * LANES, len(ahead.full), 1.0 - turn)
    field = hps.sum()
    for place in range(len(hps) - 1, -1, -1):
        max_hp = hps[place]
        strike_class = places.strike_class[place]
        field -= max_hp
        if places.same_as_next[place] == 0:
            _set_up(program, steps, len(spreads), place, places, tables, growth, memory)
        set_defeats(
            steps, place, places, tables, states, turn, memory.weights, ahead, program.at_last, coefficients
        )
        if tables.bleeds:
            set_dooms(steps, place, tables, states, memory.weights, ahead, program.at_last, coefficients)
        for row in range(spread_row(0, actions)):
            if program.at_last.starts[row + 1] > program.at_last.starts[row]:
                _substitute(program, memory, coefficients, slots[row])
        start = field * states * LANES
        _sweep(
            program.at_last, coefficients, memory.base, spreads, strike_class, tables, memory, False, 1,
            max_hp, states, start, known, known,
        )  # fmt: skip
        _read(readings.states, readings.weights, start, max_hp, field, known, memory.read)
        set_ahead(place, max_hp, strike_class, tables, states, known, start, ahead)


@uncounted
def _settle(
    known: NDArray[np.float64], start: int, states: int, max_hp: int, stuck: NDArray[np.bool_],
    floors: NDArray[np.int64], now: NDArray[np.float64], later: NDArray[np.float64],
) -> None:  # fmt: skip
    """Raise floors, by lane, over HP whose values no longer change, and put these in both arrays.

    Lane by lane: what a lane gets is the same whoever goes beside it.
    """
    lowest = floors.min()
    for lane in range(LANES):
        floor = floors[lane]
        for hp in range(lowest, floor):
            for state in range(states):
                at = start + (state * max_hp + hp - 1) * LANES + lane
                later[at] = known[at]
        while floor <= max_hp and not stuck[lane]:
            settled = True
            for state in range(states):
                at = start + (state * max_hp + floor - 1) * LANES + lane
                settled = settled and known[at] - later[at] < _SETTLED
            if not settled:
                break
            for state in range(states):
                at = start + (state * max_hp + floor - 1) * LANES + lane
                now[at] = known[at]
                later[at] = known[at]
            floor += 1
        floors[lane] = floor


@inner
def lane_turns(
    program: Program,
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    tables: Tables,
    limit: int,
    states_read: NDArray[np.int64],
    by_turn: NDArray[np.float64],
    memory: LaneMemory,
) -> None:
    """Fill `read` with mean turns where a fight ends at the limit; `known` has those without one.

    `by_turn[t, i, field]`: the chance to come in before turn t in state `states_read[i]`, HP - 1 by place.
    """
    states = len(program.slots)
    hps = places.max_hp
    enemies = len(hps)
    ahead = memory.ahead
    read = memory.read
    known = memory.known
    terms = program.at_once
    slots = terms.slots
    coefficients = np.zeros((enemies, terms.starts[len(slots)] * LANES))
    weights = np.zeros((enemies, len(steps)))
    one = np.ones(LANES * states)
    stays = np.zeros((states, states), np.int64)
    for i in range(states):
        for j in range(states):
            stays[i, j] = slots[len(slots) - states + j, i]
    for place in range(enemies):
        own = coefficients[place]
        _fill(steps, place, places, tables, 1.0, own, stays, own, terms, weights[place])
    now = np.zeros(len(known))
    later = np.zeros(len(known))
    floors = np.ones((enemies, LANES), np.int64)
    set_all(ahead.full, 0.0)
    set_all(ahead.standing, 0.0)
    set_all(ahead.doomed, 0.0)
    set_all(read, 0.0)
    for turns in range(1, limit + 1):
        entering = limit + 1 - turns
        field = 0
        # The first place first: of those behind it what they were worth with a turn less is asked for.
        for place in range(enemies):
            max_hp = hps[place]
            strike_class = places.strike_class[place]
            start = field * states * LANES
            lowest = floors[place].min()
            if lowest <= max_hp:
                own = coefficients[place]
                if tables.bleeds:
                    set_dooms(steps, place, tables, states, weights[place], ahead, terms, own)
                set_defeats(steps, place, places, tables, states, 1.0, weights[place], ahead, terms, own)
                _sweep(
                    terms, own, one, spreads, strike_class, tables, memory, True, lowest, max_hp, states,
                    start, now, later,
                )  # fmt: skip
                _settle(known, start, states, max_hp, memory.stuck, floors[place], now, later)
                set_ahead(place, max_hp, strike_class, tables, states, later, start, ahead)
            if entering < len(by_turn):
                _read(states_read, by_turn[entering], start, max_hp, field, later, read)
            field += max_hp
        now, later = later, now
