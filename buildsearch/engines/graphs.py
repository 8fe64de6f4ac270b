"""A finite fight as a graph, and the engines' words for it.

A node is a moment at which somebody decides. It has options, an option succeeds or not: `chance`, `yes`, `no`
say how likely and where to. Options of node i are `first[i]` to `first[i + 1]`. A target below 0 is an end of
the fight: -1 is end 0, -2 end 1 and so on. `order` lists the nodes so that whatever stays in a round leads
forward in it, and what begins the next round leads back: one pass is one round. `standing[i]` is the end that
counts when time runs out at node i.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray


class Graph(NamedTuple):
    """See above. `what` says of each option what it is, in the words of the game that made it."""

    order: NDArray[np.int64]
    first: NDArray[np.int64]
    chance: NDArray[np.float64]
    yes: NDArray[np.int32]
    no: NDArray[np.int32]
    standing: NDArray[np.int64]
    what: NDArray[np.int64]
    ends: int

    @property
    def nodes(self) -> int:
        """How many moments."""
        return len(self.order)


@njit(cache=True, nogil=True)
def arrange(
    levels: NDArray[np.int64],
    nodes: int,
    most: int,
    counts: NDArray[np.int64],
    order: NDArray[np.int64],
) -> None:
    """Fill `order` with the nodes by level, in their own order within one; levels are from 0 to `most`."""
    for level in range(most + 2):
        counts[level] = 0
    for node in range(nodes):
        counts[levels[node] + 1] += 1
    for level in range(most + 1):
        counts[level + 1] += counts[level]
    for node in range(nodes):
        level = levels[node]
        order[counts[level]] = node
        counts[level] += 1
