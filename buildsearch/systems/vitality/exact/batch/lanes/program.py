"""What solving a process's chain takes, worked out once and used for every profile behind it.

The chance to stay at an HP is a sparse matrix with the same zeros for every profile: which products factoring
it takes, which substituting, and which states a vector reaches are lists here.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all
from buildsearch.systems.vitality.exact.moves import NOTHING

# Entries of `factoring` that are not products.
PIVOT, DIVIDE = -1, -2


class Terms(NamedTuple):
    """What the value of a state is a sum of: coefficients, each times what its row is at an HP.

    Rows: the chance to defeat by action, the chance to doom by action, what a spread leads to, and what
    states are worth that a turn may be spent in.
    """

    slots: NDArray[np.int64]  # by row and state the number of the coefficient, -1: none
    starts: NDArray[np.int64]  # by row its first coefficient
    states: NDArray[np.int64]  # by coefficient


class Program(NamedTuple):
    """Numbers in `slots` are places of the matrix that may differ from zero, -1: always zero."""

    states: NDArray[np.int64]  # their numbers
    slots: NDArray[np.int64]
    size: int
    # In order: (PIVOT, state, its slot), (DIVIDE, state, slot to divide by its pivot), and (slot, one slot,
    # other slot): add their product.
    factoring: NDArray[np.int64]
    # (state, other state, slot): add slot * other state's; with -1 for the other state: divide by the pivot.
    substituting: NDArray[np.int64]
    # After one turn, and after as many as are spent without damage.
    at_once: Terms
    at_last: Terms


@inner
def doom_row(action: int, actions: int) -> int:
    """The row of dooms by an action; that of defeats is one less than its number."""
    return actions + action - 2


@inner
def spread_row(spread: int, actions: int) -> int:
    """The row of a spread."""
    return 2 * (actions - 1) + spread


@inner
def _stays(steps: NDArray[np.void], states: int) -> NDArray[np.bool_]:
    """From which state to which a turn may lead that does no damage; and each to itself."""
    stays = np.zeros((states, states), np.bool_)
    for i in range(states):
        stays[i, i] = True
    for i in range(len(steps)):
        stays[steps[i]["state"], steps[i]["missed"]] = True
        if steps[i]["action"] != NOTHING:
            stays[steps[i]["state"], steps[i]["touched"]] = True
    return stays


@inner
def _fill_in(stays: NDArray[np.bool_]) -> int:
    """Add the places of the matrix that differ from zero once it is factored; the products that takes."""
    states = len(stays)
    products = 0
    for i in range(states):
        for j in range(i + 1, states):
            if stays[j, i]:
                products += 1
                for k in range(i + 1, states):
                    if stays[i, k]:
                        stays[j, k] = True
                        products += 1
    return products


@inner
def _factoring(slots: NDArray[np.int64], products: int) -> NDArray[np.int64]:
    """The list of `Program.factoring`."""
    states = len(slots)
    listed = np.zeros((products + states, 3), np.int64)
    count = 0
    for i in range(states):
        listed[count] = (PIVOT, i, slots[i, i])
        count += 1
        for j in range(i + 1, states):
            if slots[j, i] < 0:
                continue
            listed[count] = (DIVIDE, i, slots[j, i])
            count += 1
            for k in range(i + 1, states):
                if slots[i, k] >= 0:
                    listed[count] = (slots[j, k], slots[j, i], slots[i, k])
                    count += 1
    return listed


@inner
def _substituting(slots: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The list of `Program.substituting`."""
    states = len(slots)
    listed = np.zeros((size, 3), np.int64)
    count = 0
    for i in range(states):
        for j in range(i):
            if slots[i, j] >= 0:
                listed[count] = (i, j, slots[i, j])
                count += 1
    for i in range(states - 1, -1, -1):
        for j in range(i + 1, states):
            if slots[i, j] >= 0:
                listed[count] = (i, j, slots[i, j])
                count += 1
        listed[count] = (i, -1, 0)
        count += 1
    return listed


@inner
def program_of(
    steps: NDArray[np.void], spreads: int, states: int, actions: int, is_echo: NDArray[np.bool_]
) -> Program:
    """The lists of a chain."""
    stays = _stays(steps, states)
    has = np.zeros((spread_row(spreads, actions) + states, states), np.bool_)
    for i in range(states):
        for j in range(states):
            has[len(has) - states + j, i] = stays[i, j]
    for i in range(len(steps)):
        action = steps[i]["action"]
        if action != NOTHING:
            has[action - 1, steps[i]["state"]] = True
            has[spread_row(steps[i]["spread"], actions), steps[i]["state"]] = True
            has[doom_row(action, actions), steps[i]["state"]] |= is_echo[action]
    at_once = _terms(has)
    products = _fill_in(stays)
    slots = np.full((states, states), -1)
    size = np.int64(0)
    for i in range(states):
        for j in range(states):
            if stays[i, j]:
                slots[i, j] = size
                size += 1
    substituting = _substituting(slots, size)
    for row in range(len(has)):
        if row >= len(has) - states:
            set_all(has[row], False)
        for i in range(len(substituting)):
            if substituting[i, 1] >= 0 and has[row, substituting[i, 1]]:
                has[row, substituting[i, 0]] = True
    return Program(
        np.arange(states), slots, size, _factoring(slots, products), substituting, at_once, _terms(has)
    )


@inner
def _terms(has: NDArray[np.bool_]) -> Terms:
    rows, states = has.shape
    found = Terms(np.full((rows, states), -1), np.zeros(rows + 1, np.int64), np.zeros(has.size, np.int64))
    count = 0
    for row in range(rows):
        for state in range(states):
            if has[row, state]:
                found.slots[row, state] = count
                found.states[count] = state
                count += 1
        found.starts[row + 1] = count
    return found
