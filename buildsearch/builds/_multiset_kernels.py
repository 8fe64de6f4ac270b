"""The kernel that lists multisets in lexicographic order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray


class MultisetState(NamedTuple):
    """Where the listing stands, so that it can stop after any row and resume."""

    limits: NDArray[np.int64]  # (kinds,)
    counts: NDArray[np.int64]  # (kinds,) the multiset to be written next
    live: NDArray[np.bool_]  # (1,) whether there is one


@njit(cache=True, nogil=True)
def fill_multisets(state: MultisetState, out: NDArray[np.uint8]) -> int:
    """Write the next multisets into `out` (rows, kinds) and return how many were written."""
    limits, counts, live = state
    kinds = counts.shape[0]
    rows = 0
    while rows < out.shape[0] and live[0]:
        for kind in range(kinds):
            out[rows, kind] = counts[kind]
        rows += 1
        # The successor raises the last kind that has room and copies behind it to draw from ...
        behind = 0
        kind = kinds - 1
        while kind >= 0 and (behind == 0 or counts[kind] == limits[kind]):
            behind += counts[kind]
            kind -= 1
        if kind < 0:
            live[0] = False
            break
        counts[kind] += 1
        # ... and pushes the others as far back as they go, which is the least line that remains.
        behind -= 1
        for later in range(kinds - 1, kind, -1):
            counts[later] = min(limits[later], behind)
            behind -= counts[later]
    return rows
