"""Means of fights whose turns can be counted: with a proof that the turn limit is far, or within it."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import BELOW, GROWTHS, NEARLY, TOLERANCE
from buildsearch.systems.vitality.exact.batch.ways import BY_COUNTS, BY_VALUE


class Counting(Protocol):
    """How the turns N of each of some pairs are counted."""

    def means(self) -> NDArray[np.float64]:
        """E N of all of them, infinite where there is none."""

    def log_moments(self, chosen: NDArray[np.int64], growth: float) -> NDArray[np.float64]:
        """log E growth^N of the chosen, infinite where there is none."""

    def limited_means(self, chosen: NDArray[np.int64], limit: int) -> NDArray[np.float64]:
        """E min(N, limit) of the chosen."""


def counted_means(counting: Counting, limit: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Mean turns within the limit, and ways."""
    means = counting.means()
    ways = np.full(len(means), BY_COUNTS, np.int64)
    firsts = np.full(len(means), np.inf)
    for number, growth in enumerate(GROWTHS):
        # The proof is a factor of two away at least: it is not looked for in vain.
        wanted = (ways == BY_COUNTS) & (2 * means <= limit)
        if number > 0:
            wanted &= firsts < NEARLY if number < BELOW[0] else firsts == np.inf
        tried = np.flatnonzero(wanted)
        if len(tried) == 0:
            continue
        log_growth = math.log(growth)
        log_moments = counting.log_moments(tried, growth)
        bounds = np.exp(log_moments - limit * log_growth) / (math.e * log_growth)
        if number == 0:
            firsts[tried] = bounds
        proved = bounds < TOLERANCE
        means[tried[proved]] -= bounds[proved] / 2
        ways[tried[proved]] = BY_VALUE
    near = np.flatnonzero(ways == BY_COUNTS)
    if len(near) > 0:
        means[near] = counting.limited_means(near, limit)
    return means, ways
