"""The best part of a space: who is in it, ties at its end sharing the places that are left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.arrays import Floats
from buildsearch.model.evaluation import TIE


@dataclass(frozen=True, slots=True)
class Boundary:
    """Of builds, the best first, `begin` are inside for sure; those up to `end` share what is left of `size`.

    `value` is the loss of the last one inside.
    """

    size: int
    begin: int
    end: int
    value: float

    def share(self, found: NDArray[np.int64]) -> float:
        """The share of the top that has something, from how many of the first i builds have it."""
        inside = found[self.begin]
        tied = found[self.end] - inside
        return float(inside + tied * (self.size - self.begin) / (self.end - self.begin)) / self.size


def boundary(loss: Floats, size: int) -> Boundary:
    """Where the best `size` end; `loss` is sorted, the best first."""
    value = float(loss[size - 1])
    begin = int(np.searchsorted(loss, value - TIE, side="left"))
    end = int(np.searchsorted(loss, value + TIE, side="right"))
    return Boundary(size, begin, end, value)


def share_size(share: float, builds: int) -> int:
    """How many builds a share of all is, at least one."""
    return max(1, round(share * builds))


def running_count(has: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many of the first i builds have something, from none on."""
    return np.concatenate([[0], np.cumsum(has)])
