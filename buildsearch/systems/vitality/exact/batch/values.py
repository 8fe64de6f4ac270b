"""Mean turns by a recursion over HP, which only falls: states of the chain are solved HP by HP.

At h: v = 1 + M v + (what damage leads to), where M is the chance to stay at h. M is the same for every h of
a place, so it is factored once. Values spread upwards as soon as they are known, one scaled addition of
vectors for each (action, state after damage).
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING

# A pivot below this is a state that is left so rarely that the turn limit decides.
_STUCK = 1e-6


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
def _substitute(matrix: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    size = len(values)
    for i in range(1, size):
        total = values[i]
        for j in range(i):
            total -= matrix[i, j] * values[j]
        values[i] = total
    for i in range(size - 1, -1, -1):
        total = values[i]
        for j in range(i + 1, size):
            total -= matrix[i, j] * values[j]
        values[i] = total / matrix[i, i]


@njit(cache=True, nogil=True)
def value(
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    first_row: int,
    growth: float,
) -> float:
    """The mean number of turns, or with a growth above 1 the mean of growth ** turns; NaN: no such number."""
    classes = damages.classes
    counts = growth == 1.0
    after = np.zeros(states) if counts else np.ones(states)
    values = np.zeros(states)
    matrix = np.zeros((states, states))
    for place in range(len(places.max_hp) - 1, -1, -1):
        strike_class = places.strike_class[place]
        max_hp = places.max_hp[place]
        cleared = places.ends_wave[place] != 0
        weights = np.zeros(len(steps))
        matrix[:] = 0.0
        for i in range(states):
            matrix[i, i] = 1.0
        for i in range(len(steps)):
            step = steps[i]
            weight = growth * step["chance"] * places.events[place, step["event"]]
            weights[i] = weight
            if step["action"] == NOTHING:
                matrix[step["state"], step["missed"]] -= weight
            else:
                row = row_of(step["action"], strike_class, first_row, classes)
                touched = damages.touched[row]
                matrix[step["state"], step["missed"]] -= weight * (damages.chances[row, 0] - touched)
                matrix[step["state"], step["touched"]] -= weight * touched
        if not _factor(matrix):
            return np.nan
        sums = np.zeros((len(spreads), max_hp + 1))
        for hp in range(1, max_hp + 1):
            values[:] = 1.0 if counts else 0.0
            for i in range(len(steps)):
                step = steps[i]
                action = step["action"]
                if action == NOTHING:
                    continue
                row = row_of(action, strike_class, first_row, classes)
                kill_at = damages.kill_at[row]
                down = damages.at_least[row, max(1, hp - kill_at)]
                then = after[step["cleared"]] if cleared else after[step["defeated"]]
                values[step["state"]] += weights[i] * (sums[step["spread"], hp] + down * then)
            if states == 1:
                values[0] /= matrix[0, 0]
            else:
                _substitute(matrix, values)
            for i in range(len(spreads)):
                action = spreads[i, 0]
                row = row_of(action, strike_class, first_row, classes)
                if hp <= damages.kill_at[row]:
                    continue
                known = values[spreads[i, 1]]
                chances = damages.chances[row]
                target = sums[i]
                for damage in range(1, max_hp - hp + 1):
                    target[hp + damage] += known * chances[damage]
        after[:] = values
    # The first turn starts in state 0.
    return after[0]
