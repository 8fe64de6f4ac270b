"""One strike of Splinter, by row of damage."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Splinter(NamedTuple):
    """One strike by row of `Damages`. Without Splinter the limit is 0 and the rest is empty."""

    limit: int  # strikes a turn
    missed: NDArray[np.float64]
    strikes: NDArray[np.float64]  # by damage; 0: a hit without damage
    at_least: NDArray[np.float64]  # so much damage or more


def no_splinter() -> Splinter:
    """For builds without it."""
    return Splinter(0, np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0)))
