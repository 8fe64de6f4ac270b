"""The damage of a whole turn's attack, from that of one strike.

Without splinter and bleed a turn does the same to every HP: strikes add up, and a target is down when their
sum reaches its HP. What would follow after that changes nothing, so strikes are simply convolved.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step


@step
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


@step
def add_times(weight: float, row: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Add a row so many times. A loop, as numba compiles every formula over arrays as a function."""
    for i in range(len(out)):
        out[i] += weight * row[i]


@step
def sum_of(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of two rows."""
    found = np.zeros(len(first))
    add_times(1.0, first, found)
    add_times(1.0, second, found)
    return found


class Strikes(NamedTuple):
    """What one strike does, and what follows from it.

    `harmless` and `harmful`: a base strike and its Double Tap, by whether the base strike does damage.
    `again`: the harmful one with its Extra Attack, nothing where there is none.
    """

    any_strike: NDArray[np.float64]
    harmless: NDArray[np.float64]
    harmful: NDArray[np.float64]
    both: NDArray[np.float64]
    again: NDArray[np.float64]


@step
def strikes_of(
    plain: NDArray[np.float64], critical: NDArray[np.float64], double_tap: int, extra: int, bleeds: bool
) -> Strikes:
    """From one strike's damage as `fill_strike` has it."""
    size = len(plain)
    any_strike = sum_of(plain, critical)
    if double_tap == 0 and extra == 0 and not bleeds:
        # Nobody asks for anything else.
        return Strikes(any_strike, any_strike, any_strike, any_strike, any_strike)
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
    again = np.zeros(size)
    if extra > 0:
        add_convolved(harmful, any_strike, again)
    return Strikes(any_strike, harmless, harmful, sum_of(harmless, harmful), again)


@step
def turn_damage(
    one: Strikes,
    missed: float,
    strikes: int,
    double_tap: int,
    extra: int,
) -> tuple[NDArray[np.float64], float]:
    """The chance of each total (the last: all of the HP or more), and of a hit that does nothing.

    At most one Extra Attack a turn.
    """
    any_strike, harmless, _, both, again = one
    size = len(any_strike)
    touched = 1.0
    if double_tap == 0 and extra == 0:
        total = any_strike
        for _ in range(1, strikes):
            touched *= missed
            more = np.zeros(size)
            add_convolved(total, any_strike, more)
            total = more
        return total, max(total[0] - touched * missed, 0.0)
    # With the Extra Attack still to come, and after it.
    ready = np.zeros(size)
    spent = np.zeros(size)
    if extra > 0:
        add_times(1.0, harmless, ready)
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
