"""What a turn's action can do to the enemies: a table of transitions between fields.

A field is all there is to know about the enemies between two turns. How fields are numbered is the
business of who fills the table; the pass through time (`forward`) only needs the numbers. Of single
targets a field says which enemy is the target, its HP, its bleed: everybody before it is down, everybody
after it untouched. A bleed of at least the remaining HP defeats, however large, so it is cut to them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

# What happened on the way. CALM: nobody retaliates, because a new wave is only just coming.
DAMAGED, DEFEATED, HIT, CALM = 1, 2, 4, 8
BIT_SETS = 16
OVER = -1

# Actions: nothing (waiting, charging, a failed activation), a basic attack, then the attack by level.
NOTHING, BASIC, SPECIAL = range(3)


@dataclass(frozen=True, eq=False)
class Transitions:
    """The transitions of action a from field f are entries `starts[a, f]` up to `starts[a, f + 1]`."""

    first_field: int
    starts: NDArray[np.int64]
    fields: NDArray[np.int64]
    bits: NDArray[np.int64]
    chances: NDArray[np.float64]
    # Which of `living` stand in a field.
    living_of: NDArray[np.int64]
    living: list[list[int]]
    # Fields whose last enemies fall before the attacker's action: there is nobody to act against.
    idle: NDArray[np.bool_]

    @property
    def size(self) -> int:
        return len(self.living_of)


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
