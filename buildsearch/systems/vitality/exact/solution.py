"""What solving a build gives: the whole distribution of its fights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Solution:
    """`ends[t]`: the chance that a fight counts t turns. Survival is None where HP was not followed."""

    ends: NDArray[np.float64]
    timeouts: float
    lost: float
    cut: float
    survival: float | None

    @property
    def mean(self) -> float:
        """Mean turns."""
        return float(self.ends @ np.arange(len(self.ends)))

    @property
    def stdev(self) -> float:
        """The standard deviation of the turns."""
        turns = np.arange(len(self.ends)) - self.mean
        return float(np.sqrt(self.ends @ turns**2))
