"""The damage of a whole turn's attack, from that of one strike.

Without splinter and bleed a turn does the same to every HP: strikes add up, and a target is down when their
sum reaches its HP. What would follow after that changes nothing, so strikes are simply convolved.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner


@inner
def add_convolved(first: NDArray[np.float64], second: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Add the distribution of the sum to `out`; the last index is "that much or more"."""
    last = len(out) - 1
    low = 0
    while low < last and second[low] == 0.0:
        low += 1
    high = last
    while high > low and second[high - 1] == 0.0:
        high -= 1
    beyond = np.empty(last + 1)
    total = 0.0
    for i in range(last, -1, -1):
        total += second[i]
        beyond[i] = total
    for i in range(last + 1):
        weight = first[i]
        if weight == 0.0:
            continue
        for k in range(min(high, last - i) - low):
            out[np.uint64(i + low + k)] += weight * second[np.uint64(low + k)]
        out[last] += weight * beyond[last - i]


@inner
def add_times(weight: float, row: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Add a row so many times. A loop, as numba compiles every formula over arrays as a function."""
    for i in range(len(out)):
        out[i] += weight * row[i]


@inner
def sum_of(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of two rows."""
    found = np.zeros(len(first))
    add_times(1.0, first, found)
    add_times(1.0, second, found)
    return found


@njit(cache=True, nogil=True)
def turn_damage(
    plain: NDArray[np.float64],
    critical: NDArray[np.float64],
    missed: float,
    strikes: int,
    double_tap: int,
    extra: int,
) -> tuple[NDArray[np.float64], float]:
    """The chance of each total (the last: all of the HP or more), and of a hit that does nothing.

    From one strike's damage as `fill_strike` has it. At most one Extra Attack a turn.
    """
    size = len(plain)
    any_strike = sum_of(plain, critical)
    touched = 1.0
    if double_tap == 0 and extra == 0:
        total = any_strike
        for _ in range(1, strikes):
            touched *= missed
            more = np.zeros(size)
            add_convolved(total, any_strike, more)
            total = more
        return total, max(total[0] - touched * missed, 0.0)
    # One base strike and its Double Tap, by whether the base strike did damage.
    harmless = np.zeros(size)
    harmful = np.zeros(size)
    if double_tap != 0:
        harmless[0] += plain[0]
        add_times(critical[0], any_strike, harmless)
        add_times(1.0, plain, harmful)
        harmful[0] = 0.0
        hurting = np.zeros(size)
        add_times(1.0, critical, hurting)
        hurting[0] = 0.0
        add_convolved(hurting, any_strike, harmful)
    else:
        add_times(1.0, any_strike, harmful)
        harmless[0] = any_strike[0]
        harmful[0] = 0.0
    both = sum_of(harmless, harmful)
    # With the Extra Attack still to come, and after it.
    ready = np.zeros(size)
    spent = np.zeros(size)
    again = np.zeros(size)
    if extra > 0:
        add_times(1.0, harmless, ready)
        add_convolved(harmful, any_strike, again)
        add_times(1.0, again, spent)
    else:
        add_times(1.0, both, spent)
    for _ in range(1, strikes):
        touched *= missed
        next_spent = np.zeros(size)
        add_convolved(spent, both, next_spent)
        if extra > 0:
            next_ready = np.zeros(size)
            add_convolved(ready, harmless, next_ready)
            add_convolved(ready, again, next_spent)
            ready = next_ready
        spent = next_spent
    total = sum_of(ready, spent)
    return total, max(total[0] - touched * missed, 0.0)
