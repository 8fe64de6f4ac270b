"""What several pairs ask about rows of damage, each thing once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct import distinct_rows
from buildsearch.systems.vitality.exact.batch.lanes.attempts import Items
from buildsearch.systems.vitality.exact.batch.places import Damages


@dataclass(frozen=True, eq=False)
class Asked:
    """Rows that reach as far stand together; by pair and class of enemy the number of what it asks."""

    items: Items
    of: NDArray[np.int64]

    def part(self, chosen: NDArray[np.int64]) -> Asked:
        """For some of the pairs only."""
        items, of = self.items, self.of[chosen]
        used = np.zeros(len(items.heights), bool)
        used[of] = True
        counts = np.add.reduceat(used, items.first[:-1], dtype=np.int64)
        first = np.append(0, np.cumsum(counts[counts > 0]))
        return Asked(Items(items.rows[counts > 0], first, items.heights[used]), (np.cumsum(used) - 1)[of])


def asked_of(damages: Damages, rows: NDArray[np.int64], heights: NDArray[np.int64]) -> Asked:
    """What pairs ask: by pair and class the row of damage, and the HP that are to be lost."""
    width = int(heights.max()) + 1
    numbers = (damages.highest[rows] * len(damages.highest) + rows) * width + heights
    kinds, kind_of = distinct_rows(numbers.reshape(-1, 1))
    of_kind = rows.ravel()[kinds]
    begins = np.flatnonzero(np.diff(of_kind, prepend=-1))
    first = np.append(begins, len(kinds)).astype(np.int64)
    return Asked(Items(of_kind[begins], first, heights.ravel()[kinds]), kind_of.reshape(rows.shape))
