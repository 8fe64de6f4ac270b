"""What happens to a creature, without chance: wounds, stress and life. Each step is stated here once.

A creature is dead when its wounds are one more than it can sustain. Scalars in, scalars out: inlined into the
kernels that run them.
"""

from __future__ import annotations

from numba import njit


@njit(inline="always")
def sustain(wounds: int, most: int, number: int) -> int:
    """Wounds at once. Text, Wounds: dead with more than the maximum, or with any when already there."""
    if number <= 0:
        return wounds
    if number > most or wounds >= most:
        return most + 1
    return min(most, wounds + number)


@njit(inline="always")
def harm(
    wounds: int, most: int, stress: int, capacity: int, number: int, factor: int, change: int
) -> tuple[int, int]:
    """An effect of so many wounds: doubled when over, then modified, then absorbed by free stress."""
    if stress > capacity:
        number *= factor
    number = max(0, number + change)
    absorbed = min(number, max(0, capacity - stress))
    return sustain(wounds, most, number - absorbed), stress + absorbed


@njit(inline="always")
def gain(
    wounds: int, most: int, stress: int, capacity: int, number: int, factor: int, limit: int, breaking: int
) -> tuple[int, int]:
    """Stress that is not absorbed wounds: doubled when over; beyond the limit it wounds, past everything."""
    if number <= 0:
        return wounds, stress
    if stress > capacity:
        number *= factor
    stress += number
    if stress > limit:
        wounds = sustain(wounds, most, breaking)
    return wounds, stress


@njit(inline="always")
def life(wounds: int, most: int, stress: int, capacity: int) -> int:
    """What is left of a creature: 0 if dead, else 1, the wounds it can sustain, and its free stress."""
    if wounds > most:
        return 0
    return 1 + most - wounds + max(0, capacity - stress)
