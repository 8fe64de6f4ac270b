"""What a run of fights counted. Integers only: adding tallies up in any order gives the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """`histogram[i]`: fights with the outcome i; `counts`: whatever else an engine counts."""

    histogram: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def fights(self) -> int:
        """How many fights were counted."""
        return int(self.histogram.sum())


def merged(tallies: Iterable[Tally]) -> Tally:
    """All tallies together."""
    first, *others = tallies
    histogram, counts = first.histogram.copy(), first.counts.copy()
    for tally in others:
        histogram += tally.histogram
        counts += tally.counts
    return Tally(histogram, counts)
