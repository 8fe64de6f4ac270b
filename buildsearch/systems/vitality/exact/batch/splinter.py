"""Splinter: what follows a defeat does not depend on the HP it took.

The next enemy is at full HP, so the strikes after a defeat are a short chain over enemies: strike, and while
it defeats and strikes are left, strike the next. Base and triggered defeats both feed it here.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.moves import SPECIAL


class Splinter(NamedTuple):
    """One strike by row of `Damages`. Without Splinter the limit is 0 and the rest is empty."""

    limit: int  # strikes a turn
    missed: NDArray[np.float64]
    strikes: NDArray[np.float64]  # by damage that leaves the enemy standing; 0: a hit without damage
    defeats: NDArray[np.float64]


def no_splinter() -> Splinter:
    """For builds without it."""
    return Splinter(0, np.zeros(0), np.zeros((0, 0)), np.zeros(0))


@njit(cache=True, nogil=True)
def after_defeat(
    step: np.void,
    place: int,
    level_row: int,
    places: Places,
    splinter: Splinter,
    standing: NDArray[np.float64],
    full: NDArray[np.float64],
) -> float:
    """The value after a defeat at a place.

    `standing[place, level, state]`: what a hit that leaves that place's enemy standing is worth; `full[place,
    state]`: the value there at full HP, the place behind the last being the end. `level_row` is the first row
    of the level.
    """
    level = step["action"] - SPECIAL
    found = 0.0
    weight = 1.0
    target = place + 1
    done = 0
    while done < splinter.limit and places.ends_wave[target - 1] == 0:
        row = level_row + places.strike_class[target]
        found += weight * standing[target, level, step["splintered"]]
        found += weight * splinter.missed[row] * full[target, step["defeated"]]
        weight *= splinter.defeats[row]
        target += 1
        done += 1
    then = step["cleared"] if places.ends_wave[target - 1] != 0 else step["defeated"]
    return found + weight * full[target, then]
