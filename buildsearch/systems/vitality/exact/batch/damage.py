"""The damage of a whole turn's attack, from that of one strike.

Without splinter and bleed a turn does the same to every HP: strikes add up, and a target is down when their
sum reaches its HP. What would follow after that changes nothing, so strikes are simply convolved.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def add_convolved(first: NDArray[np.float64], second: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Add the distribution of the sum to `out`; the last index is "that much or more"."""
    last = len(out) - 1
    for i in range(last + 1):
        weight = first[i]
        if weight == 0.0:
            continue
        room = last - i
        for k in range(room):
            out[np.uint64(i + k)] += weight * second[np.uint64(k)]
        beyond = 0.0
        for j in range(room, last + 1):
            beyond += second[j]
        out[last] += weight * beyond


@njit(cache=True, nogil=True)
def turn_damage(
    strike: NDArray[np.float64], max_hp: int, strikes: int, double_tap: int, extra: int
) -> tuple[NDArray[np.float64], float]:
    """The chance of each total (the last: all of the HP or more), and of a hit that does nothing.

    `strike` is in the order of `fill_outcomes`. At most one Extra Attack a turn.
    """
    plain = np.zeros(max_hp + 1)
    critical = np.zeros(max_hp + 1)
    plain[0] = strike[0]
    for damage in range(max_hp + 1):
        plain[damage] += strike[1 + damage]
        critical[damage] = strike[2 + max_hp + damage]
    any_strike = plain + critical
    missed = 1.0
    ready = np.zeros(max_hp + 1)  # the Extra Attack is still to come
    spent = np.zeros(max_hp + 1)
    if extra > 0:
        ready[0] = 1.0
    else:
        spent[0] = 1.0
    # One base strike and its Double Tap, by whether the base strike did damage.
    harmless = np.zeros(max_hp + 1)
    harmful = np.zeros(max_hp + 1)
    if double_tap != 0:
        harmless[0] += plain[0]
        harmless += critical[0] * any_strike
        harmful[1:] += plain[1:]
        critical[0] = 0.0
        add_convolved(critical, any_strike, harmful)
    else:
        harmless[0] = any_strike[0]
        harmful[1:] = any_strike[1:]
    both = harmless + harmful
    again = np.zeros(max_hp + 1)
    if extra > 0:
        add_convolved(harmful, any_strike, again)
    for _ in range(strikes):
        missed *= strike[0]
        next_spent = np.zeros(max_hp + 1)
        add_convolved(spent, both, next_spent)
        if extra > 0:
            next_ready = np.zeros(max_hp + 1)
            add_convolved(ready, harmless, next_ready)
            add_convolved(ready, again, next_spent)
            ready = next_ready
        spent = next_spent
    total = ready + spent
    return total, max(total[0] - missed, 0.0)
