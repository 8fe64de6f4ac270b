"""What both kernels read from a plan before the first fight, and how they count its end."""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from buildsearch.engines.wins import DREW, LOST, WON


class Bounds(NamedTuple):
    """How far the tables of a plan go: `ress` rows of RES, `states` of a combatant."""

    lowest_eva: int
    highest_eva: int
    highest_res: int
    ress: int
    reach: int
    states: int
    most_hp: int
    most_resolve: int


@njit(inline="always")
def bounds_of(plan: np.void) -> Bounds:
    """The bounds of a plan's first record."""
    ress = plan["highest_res"] + 1
    states = (plan["highest_eva"] - plan["lowest_eva"] + 1) * ress * (2 * plan["reach"] + 2)
    return Bounds(
        plan["lowest_eva"],
        plan["highest_eva"],
        plan["highest_res"],
        ress,
        plan["reach"],
        states,
        plan["most_hp"],
        plan["most_resolve"],
    )


@njit(inline="always")
def end_of(over: bool, we_stand: bool) -> int:
    """Where a fight is counted: time ran out, they fell, or we did."""
    if not over:
        return DREW
    return WON if we_stand else LOST
