"""Small parts that all recursions over HP share."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.moves import BASIC


@njit(cache=True, nogil=True)
def row_of(action: int, strike_class: int, first_row: int, classes: int) -> int:
    """The row of a turn's damage."""
    if action == BASIC:
        return strike_class
    return first_row + (action - BASIC - 1) * classes + strike_class


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
