"""Enemies one after the other: from the chances that each lasts so many turns to the mean of the fight.

Eight fights side by side. How long an enemy lasts may depend on the phase that it is met in, the number of
turns before it modulo the number of phases. With P(A = a) the chance that those before it have taken a turns,
and B what it takes from there on

    E min(A + B, n) = E min(A, n) + sum over a of P(A = a) E min(B, n - a)
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all, set_part
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_products,
    add_scaled,
    copy,
    interleave,
)


class _Enemies(NamedTuple):
    """By class, phase and number of turns, in lanes: who stands after them, who falls in the last of them,
    and the mean turns of so many. `longest`: by class and phase, nobody falls after more turns."""

    stands: NDArray[np.float64]
    falls: NDArray[np.float64]
    reach: NDArray[np.float64]
    longest: NDArray[np.int64]


@inner
def _fill(
    lasts: NDArray[np.float64], item_of: NDArray[np.int64], start: int, enemies: _Enemies,
    begins: NDArray[np.int64],
) -> None:  # fmt: skip
    """The enemies of the eight fights from this one on, the last repeated."""
    stands, falls, reach, longest = enemies
    phases, size = lasts.shape[1], lasts.shape[2]
    flat = lasts.reshape(-1)
    for which in range(item_of.shape[1]):
        for phase in range(phases):
            for lane in range(LANES):
                item = item_of[min(start + lane, len(item_of) - 1), which]
                begins[lane] = (item * phases + phase) * size
            kind = which * phases + phase
            first = kind * size * LANES
            interleave(stands, first, flat, begins, size)
            last = size - 1
            while last > 0 and not stands[first + (last - 1) * LANES : first + last * LANES].any():
                last -= 1
            longest[kind] = last
            for turns in range(1, size):
                at = first + turns * LANES
                copy(falls, at, stands, at - LANES)
                add_scaled(falls, at, -1.0, stands, at)
                copy(reach, at, reach, at - LANES)
                add_scaled(reach, at, 1.0, stands, at - LANES)


@njit(cache=True, nogil=True)
def one_after_another(
    lasts: NDArray[np.float64],
    item_of: NDArray[np.int64],
    class_of: NDArray[np.int64],
    means: NDArray[np.float64],
    beyond: NDArray[np.float64],
) -> None:
    """By fight the mean turns up to the last that there is a place for, and the chance of more of them.

    `lasts[i, phase, t]`: the chance that item i takes more than t turns. `item_of`: by fight and class of
    enemy. `class_of`: by enemy, in their order.
    """
    phases, size = lasts.shape[1], lasts.shape[2]
    most = size - 1
    numbers = item_of.shape[1] * phases * size * LANES
    enemies = _Enemies(
        np.zeros(numbers), np.zeros(numbers), np.zeros(numbers), np.zeros(item_of.shape[1] * phases, np.int64)
    )
    begins = np.zeros(LANES, np.int64)
    taken = np.zeros(size * LANES)
    after = np.zeros(size * LANES)
    mean = np.zeros(LANES)
    # Of those who meet the last enemy in time: everybody, and those whom it outlasts.
    met = np.zeros(LANES)
    outlasted = np.zeros(LANES)
    for start in range(0, len(item_of), LANES):
        _fill(lasts, item_of, start, enemies, begins)
        set_all(taken, 0.0)
        set_part(taken, 0, LANES, 1.0)
        set_all(mean, 0.0)
        set_all(met, 0.0)
        set_all(outlasted, 0.0)
        for place in range(len(class_of)):
            is_last = place == len(class_of) - 1
            set_all(after, 0.0)
            for turns in range(size):
                at = turns * LANES
                if not taken[at : at + LANES].any():
                    continue
                kind = class_of[place] * phases + turns % phases
                left = (kind * size + most - turns) * LANES
                add_product(mean, 0, taken, at, enemies.reach, left)
                if is_last:
                    add_scaled(met, 0, 1.0, taken, at)
                    add_product(outlasted, 0, taken, at, enemies.stands, left)
                else:
                    count = min(enemies.longest[kind], most - turns)
                    falls = (kind * size + 1) * LANES
                    add_products(after, at + LANES, taken, at, enemies.falls, falls, count)
            taken, after = after, taken
        for lane in range(min(LANES, len(item_of) - start)):
            means[start + lane] = mean[lane]
            beyond[start + lane] = 1.0 - (met[lane] - outlasted[lane])
