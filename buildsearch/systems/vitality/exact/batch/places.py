"""The enemies of an encounter as the value recursion walks through them, and tables of damage by row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Damage rarer than this in all is left out of values; it stays among what defeats.
NEGLIGIBLE = 1e-14


class Places(NamedTuple):
    """Enemies in the order in which they are attacked."""

    strike_class: NDArray[np.int64]
    max_hp: NDArray[np.int64]
    ends_wave: NDArray[np.int64]
    events: NDArray[np.float64]  # by place: the chances of `chain`'s events
    sets: NDArray[np.float64]  # the same for `lumping`'s sets of events
    same_as_next: NDArray[np.int64]  # whether class and events are those of the enemy after it


class Damages(NamedTuple):
    """Turns' damage. Rows 0 to classes - 1 are the basic attack's; a profile's follow, level by class."""

    chances: NDArray[np.float64]  # by damage; the last of a class is "all HP or more"
    at_least: NDArray[np.float64]  # their sums from the end
    touched: NDArray[np.float64]  # a hit without damage
    kill_at: NDArray[np.int64]  # damage that leaves so many HP or fewer defeats
    # Between these all damage lies but for a chance of `NEGLIGIBLE`.
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    # The same where the first damaging strike counts twice; empty where nothing bleeds.
    echoes: NDArray[np.float64]
    echo_at_least: NDArray[np.float64]
    classes: int
    # `chances` from the last damage to the first, so that a sum over damage runs upwards in both arrays;
    # empty where nobody asked for it.
    backwards: NDArray[np.float64]
