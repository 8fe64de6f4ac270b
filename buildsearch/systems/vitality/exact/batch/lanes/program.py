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


class Program(NamedTuple):
    """Numbers in `slots` are places of the matrix that may differ from zero, -1: always zero."""

    slots: NDArray[np.int64]
    size: int
    # In order: (PIVOT, state, its slot), (DIVIDE, state, slot to divide by its pivot), and (slot, one slot,
    # other slot): add their product.
    factoring: NDArray[np.int64]
    # (state, other state, slot): add slot * other state's; with -1 for the other state: divide by the pivot.
    substituting: NDArray[np.int64]
    # Spread after spread, and action after action, the states that a value reaches without damage.
    spread_starts: NDArray[np.int64]
    spread_states: NDArray[np.int64]
    action_starts: NDArray[np.int64]
    action_states: NDArray[np.int64]


@inner
def _fill_in(steps: NDArray[np.void], states: int) -> tuple[NDArray[np.bool_], int]:
    """Which places of the matrix differ from zero once it is factored, and how many products that takes."""
    stays = np.zeros((states, states), np.bool_)
    for i in range(states):
        stays[i, i] = True
    for i in range(len(steps)):
        stays[steps[i]["state"], steps[i]["missed"]] = True
        if steps[i]["action"] != NOTHING:
            stays[steps[i]["state"], steps[i]["touched"]] = True
    products = 0
    for i in range(states):
        for j in range(i + 1, states):
            if stays[j, i]:
                products += 1
                for k in range(i + 1, states):
                    if stays[i, k]:
                        stays[j, k] = True
                        products += 1
    return stays, products


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
def program_of(steps: NDArray[np.void], spreads: NDArray[np.int64], states: int, actions: int) -> Program:
    """The lists of a chain."""
    stays, products = _fill_in(steps, states)
    slots = np.full((states, states), -1)
    size = np.int64(0)
    for i in range(states):
        for j in range(states):
            if stays[i, j]:
                slots[i, j] = size
                size += 1
    substituting = _substituting(slots, size)
    spread_starts = np.zeros(len(spreads) + 1, np.int64)
    spread_states = np.zeros(len(spreads) * states, np.int64)
    action_starts = np.zeros(actions + 1, np.int64)
    action_states = np.zeros(actions * states, np.int64)
    reached = np.zeros(states, np.bool_)
    for which in range(len(spreads)):
        set_all(reached, False)
        for i in range(len(steps)):
            if steps[i]["action"] != NOTHING and steps[i]["spread"] == which:
                reached[steps[i]["state"]] = True
        spread_starts[which + 1] = _list_reached(substituting, reached, spread_states, spread_starts[which])
    for action in range(NOTHING + 1, actions):
        set_all(reached, False)
        for i in range(len(steps)):
            if steps[i]["action"] == action:
                reached[steps[i]["state"]] = True
        action_starts[action + 1] = _list_reached(substituting, reached, action_states, action_starts[action])
    return Program(
        slots, size, _factoring(slots, products), substituting, spread_starts, spread_states, action_starts,
        action_states,
    )  # fmt: skip


@inner
def _list_reached(
    substituting: NDArray[np.int64], reached: NDArray[np.bool_], listed: NDArray[np.int64], count: int
) -> int:
    """List the states that are not zero after substituting; the answer: where the list ends."""
    for i in range(len(substituting)):
        if substituting[i, 1] >= 0 and reached[substituting[i, 1]]:
            reached[substituting[i, 0]] = True
    for state in range(len(reached)):
        if reached[state]:
            listed[count] = state
            count += 1
    return count
