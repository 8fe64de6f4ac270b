"""Mean turns by a recursion over HP, which only falls: states of the chain are solved HP by HP.

At h: v = 1 + M v + (what damage leads to), where M is the chance to stay at h. M is the same for every h of
a place, so it is factored once. Values spread upwards as soon as they are known, one scaled addition of
vectors for each (action, state after damage).

Inner loops stand where they are used, with unsigned indices: a signed index may mean "from the end", and
asking that for every element keeps the compiler from using vectors (57 instead of 8 ns for 48 elements); and
a helper may not be inlined when numba loads it from its cache.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING

# A pivot below this is a state that is left so rarely that the turn limit decides.
_STUCK = 1e-6


class Scratch(NamedTuple):
    """Memory that is used again for every profile of a chain."""

    matrix: NDArray[np.float64]
    values: NDArray[np.float64]
    after: NDArray[np.float64]
    sums: NDArray[np.float64]
    # By step that attacks: its weight, what it brings when it defeats; its state, spread, row, threshold.
    weights: NDArray[np.float64]
    then: NDArray[np.float64]
    attacks: NDArray[np.int64]
    # What is not zero beside the diagonal of the factored matrix, in the order in which it is needed.
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    spread_rows: NDArray[np.int64]


@njit(cache=True, nogil=True)
def scratch_for(steps: int, spreads: int, states: int, most_hp: int) -> Scratch:
    """Memory for chains of this size."""
    return Scratch(
        np.zeros((states, states)),
        np.zeros(states),
        np.zeros(states),
        np.zeros((max(spreads, 1), most_hp + 1)),
        np.zeros(steps),
        np.zeros(steps),
        np.zeros((steps, 4), np.int64),
        np.zeros((states * states + 1, 2), np.int64),
        np.zeros((states * states + 1, 2), np.int64),
        np.zeros(max(spreads, 1), np.int64),
    )


@njit(cache=True, nogil=True)
def row_of(action: int, strike_class: int, first_row: int, classes: int) -> int:
    """The row of a turn's damage."""
    if action == BASIC:
        return strike_class
    return first_row + (action - BASIC - 1) * classes + strike_class


@njit(cache=True, nogil=True)
def _factor(matrix: NDArray[np.float64]) -> bool:
    """LU in place without exchanges (rows sum to less than one); False: some state is hardly ever left."""
    size = len(matrix)
    for i in range(size):
        if matrix[i, i] < _STUCK:
            return False
        for j in range(i + 1, size):
            if matrix[j, i] != 0.0:
                factor = matrix[j, i] / matrix[i, i]
                matrix[j, i] = factor
                for k in range(i + 1, size):
                    matrix[j, k] -= factor * matrix[i, k]
    return True


@njit(cache=True, nogil=True)
def _list_entries(matrix: NDArray[np.float64], lower: NDArray[np.int64], upper: NDArray[np.int64]) -> None:
    """Chains are sparse: list what is not zero once a place. The first row is how many there are."""
    size = len(matrix)
    below = 0
    above = 0
    for i in range(size):
        for j in range(i):
            if matrix[i, j] != 0.0:
                below += 1
                lower[below, 0] = i
                lower[below, 1] = j
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, size):
            if matrix[i, j] != 0.0:
                above += 1
                upper[above, 0] = i
                upper[above, 1] = j
    lower[0, 0] = below
    upper[0, 0] = above


@njit(cache=True, nogil=True)
def substitute(
    matrix: NDArray[np.float64],
    lower: NDArray[np.int64],
    upper: NDArray[np.int64],
    values: NDArray[np.float64],
) -> None:
    """Solve for the values in place."""
    for entry in range(1, lower[0, 0] + 1):
        i = lower[entry, 0]
        j = lower[entry, 1]
        values[i] -= matrix[i, j] * values[j]
    entry = 1
    entries = upper[0, 0]
    for i in range(len(values) - 1, -1, -1):
        while entry <= entries and upper[entry, 0] == i:
            j = upper[entry, 1]
            values[i] -= matrix[i, j] * values[j]
            entry += 1
        values[i] /= matrix[i, i]


@njit(cache=True, nogil=True)
def set_up(
    steps: NDArray[np.void], place: int, places: Places, damages: Damages, first_row: int, growth: float,
    scratch: Scratch,
) -> int:  # fmt: skip
    """Steps and factored matrix at a place; the answer: how many steps attack, -1 where it cannot be left."""
    matrix = scratch.matrix
    strike_class = places.strike_class[place]
    cleared = places.ends_wave[place] != 0
    matrix[:] = 0.0
    for i in range(len(matrix)):
        matrix[i, i] = 1.0
    count = 0
    for i in range(len(steps)):
        step = steps[i]
        weight = growth * step["chance"] * places.events[place, step["event"]]
        if weight == 0.0:
            continue
        if step["action"] == NOTHING:
            matrix[step["state"], step["missed"]] -= weight
            continue
        row = row_of(step["action"], strike_class, first_row, damages.classes)
        touched = damages.touched[row]
        matrix[step["state"], step["missed"]] -= weight * (damages.chances[row, 0] - touched)
        matrix[step["state"], step["touched"]] -= weight * touched
        scratch.weights[count] = weight
        scratch.then[count] = scratch.after[step["cleared"] if cleared else step["defeated"]]
        attack = scratch.attacks[count]
        attack[0] = step["state"]
        attack[1] = step["spread"]
        attack[2] = row
        attack[3] = damages.kill_at[row]
        scratch.spread_rows[step["spread"]] = row
        count += 1
    if not _factor(matrix):
        return -1
    _list_entries(matrix, scratch.lower, scratch.upper)
    return count
