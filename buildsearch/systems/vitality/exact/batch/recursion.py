"""Mean turns by a recursion over HP, which only falls: states of the chain are solved HP by HP.

At h: v = start + M v + sum over spreads s of w_s x_s(h) + sum over actions a of down_a(h) k_a, where M is the
chance to stay at h, x_s(h) what damage by one action leads to, and down_a(h) the chance that it defeats.
M is the same for every h of a place, so it is factored once, and every vector on the right is solved for
once: then an h costs one dot product for each spread and a few sums of vectors of the chain's size.

Inner loops stand where they are used, with unsigned indices: a signed index may mean "from the end", and
asking that for every element keeps the compiler from using vectors; and a helper may not be inlined when
numba loads it from its cache. Sums may be regrouped (`reassoc`), else dot products use no vectors: the same
code runs on the same numbers whatever else is in a batch, so results do not depend on it.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.values import row_of, substitute
from buildsearch.systems.vitality.exact.moves import NOTHING

# A pivot below this is a state that is left so rarely that the turn limit decides.
STUCK = 1e-6
REGROUPED = {"reassoc", "nsz", "contract"}


class Memory(NamedTuple):
    """Memory that is used again for every profile of a chain."""

    matrix: NDArray[np.float64]
    # What is not zero beside the diagonal of the factored matrix, in the order in which it is needed.
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    values: NDArray[np.float64]
    after: NDArray[np.float64]
    # Vectors over states, solved: for the turn itself, for each spread, for each action that defeats.
    base: NDArray[np.float64]
    led_to: NDArray[np.float64]
    defeats: NDArray[np.float64]
    # By state: the value at each HP.
    known: NDArray[np.float64]
    # By step: its chance at this place. By spread and by action: the row of damages.
    weights: NDArray[np.float64]
    spread_rows: NDArray[np.int64]
    action_rows: NDArray[np.int64]


@njit(cache=True, nogil=True)
def memory_for(steps: NDArray[np.void], spreads: int, states: int, most_hp: int) -> Memory:
    """Memory for a chain."""
    actions = 1
    for i in range(len(steps)):
        actions = max(actions, steps[i]["action"] + 1)
    return Memory(
        np.zeros((states, states)),
        np.zeros((states * states + 1, 2), np.int64),
        np.zeros((states * states + 1, 2), np.int64),
        np.zeros(states),
        np.zeros(states),
        np.zeros(states),
        np.zeros((max(spreads, 1), states)),
        np.zeros((actions, states)),
        np.zeros((states, most_hp + 1)),
        np.zeros(len(steps)),
        np.zeros(max(spreads, 1), np.int64),
        np.full(actions, -1, np.int64),
    )


@njit(cache=True, nogil=True)
def _factor(matrix: NDArray[np.float64], lower: NDArray[np.int64], upper: NDArray[np.int64]) -> bool:
    """LU in place without exchanges (rows sum to less than one); False: some state is hardly ever left.

    Chains are sparse: what is not zero is listed. The first row of a list is how many there are.
    """
    size = len(matrix)
    for i in range(size):
        if matrix[i, i] < STUCK:
            return False
        for j in range(i + 1, size):
            if matrix[j, i] != 0.0:
                factor = matrix[j, i] / matrix[i, i]
                matrix[j, i] = factor
                for k in range(i + 1, size):
                    matrix[j, k] -= factor * matrix[i, k]
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
    return True


@njit(cache=True, nogil=True)
def set_up(
    steps: NDArray[np.void], spreads: NDArray[np.int64], place: int, places: Places, damages: Damages,
    first_row: int, growth: float, scratch: Memory,
) -> bool:  # fmt: skip
    """Factor a place's matrix, solve for what does not depend on the next enemy; False: it cannot be left."""
    matrix = scratch.matrix
    weights = scratch.weights
    strike_class = places.strike_class[place]
    states = len(matrix)
    matrix[:] = 0.0
    for i in range(states):
        matrix[i, i] = 1.0
    scratch.led_to[:] = 0.0
    for i in range(len(steps)):
        step = steps[i]
        weight = growth * step["chance"] * places.sets[place, step["event"]]
        weights[i] = weight
        if step["action"] == NOTHING:
            matrix[step["state"], step["missed"]] -= weight
            continue
        row = row_of(step["action"], strike_class, first_row, damages.classes)
        touched = damages.touched[row]
        matrix[step["state"], step["missed"]] -= weight * (damages.chances[row, 0] - touched)
        if touched > 0.0:
            matrix[step["state"], step["touched"]] -= weight * touched
        scratch.led_to[step["spread"], step["state"]] += weight
        scratch.spread_rows[step["spread"]] = row
        scratch.action_rows[step["action"]] = row
    if states == 1:
        leave = matrix[0, 0]
        if leave < STUCK:
            return False
        scratch.base[0] = (1.0 if growth == 1.0 else 0.0) / leave
        for i in range(len(spreads)):
            scratch.led_to[i, 0] /= leave
        return True
    if not _factor(matrix, scratch.lower, scratch.upper):
        return False
    scratch.base[:] = 1.0 if growth == 1.0 else 0.0
    substitute(matrix, scratch.lower, scratch.upper, scratch.base)
    for i in range(len(spreads)):
        substitute(matrix, scratch.lower, scratch.upper, scratch.led_to[i])
    return True


@njit(cache=True, nogil=True)
def set_defeats(steps: NDArray[np.void], place: int, places: Places, scratch: Memory) -> None:
    """Solve for what an action that defeats leads to: the values at the next enemy, from `after`."""
    defeats = scratch.defeats
    defeats[:] = 0.0
    cleared = places.ends_wave[place] != 0
    for i in range(len(steps)):
        step = steps[i]
        if step["action"] != NOTHING:
            then = scratch.after[step["cleared"] if cleared else step["defeated"]]
            defeats[step["action"], step["state"]] += scratch.weights[i] * then
    for action in range(len(defeats)):
        if scratch.action_rows[action] >= 0:
            if len(scratch.values) == 1:
                defeats[action, 0] /= scratch.matrix[0, 0]
            else:
                substitute(scratch.matrix, scratch.lower, scratch.upper, defeats[action])
