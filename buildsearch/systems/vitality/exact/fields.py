"""Numbering of fields for single-target attacks: which enemy is the target, its HP, its bleed.

Only the target is ever hurt: everybody before it is down, everybody after it untouched. A bleed of at least
the remaining HP defeats, however large, so it is cut to them.
"""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def field_of(base: int, ticks: int, hp: int, bleed: int, left: int) -> int:
    """The field of a target with so many HP and a bleed with so many ticks left; 0: no bleed."""
    field = base + (hp - 1) + ticks * (hp * (hp - 1) // 2)
    if bleed > 0:
        field += 1 + (min(bleed, hp) - 1) * ticks + (left - 1)
    return field


def fields_of_one(max_hp: int, ticks: int) -> int:
    """How many fields one enemy takes."""
    return max_hp + ticks * (max_hp * (max_hp + 1) // 2)


def bases_of(max_hps: NDArray[np.int64], ticks: int) -> NDArray[np.int64]:
    """The first field of each place, and behind them the number of all."""
    sizes = [fields_of_one(int(hp), ticks) for hp in max_hps]
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
