"""What parts do beyond one another: marginal effects, pairs by four corners, triples by eight.

All on the logarithm of the score, smaller is better. A context of a pair is a build without the two; its
corners are the context with neither, with one, with the other and with both. For one pair a build is a corner
of one context only, so sampling errors add up as if independent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.corner_kernels import sum_by_drops, sum_by_swaps
from buildsearch.analysis.population import Population
from buildsearch.evaluate.sampling import in_parallel
from buildsearch.model.arrays import Floats, Ints

# Sums are kept per block of builds and added in order, so that they do not depend on the number of threads.
_BLOCKS = 8
# A space of swaps has thousands of contexts a build: beyond this many corner sets, every k-th build is taken.
_MOST_CORNER_SETS = 60_000_000


@dataclass(frozen=True, eq=False)
class Sums:
    """Count, sum, sum of squares and sampling variance of the sum, for each of many effects."""

    count: Ints
    total: Floats
    squares: Floats
    noise: Floats

    @classmethod
    def zeros(cls, shape: tuple[int, ...]) -> Sums:
        """Nothing was seen yet."""
        return cls(np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape), np.zeros(shape))

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            self.noise + other.noise,
        )

    @property
    def mean(self) -> Floats:
        """NaN where nothing was seen."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.total / self.count

    @property
    def spread(self) -> Floats:
        """The standard deviation over contexts."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.sqrt(np.maximum(self.squares / self.count - self.mean**2, 0.0))

    @property
    def error(self) -> Floats:
        """The standard error of the mean that comes from sampled scores; 0 where all are exact."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.sqrt(self.noise) / self.count


@dataclass(frozen=True, eq=False)
class Corners:
    """Effects by place in `population.free`; `marginal` also by the size of the context.

    `share` is the share of the builds that was looked at.
    """

    marginal: Sums
    pairs: Sums
    triples: Sums
    share: float


def corners(population: Population, jobs: int = 2) -> Corners:
    """Every marginal effect, pair and triple of the space."""
    step = 1 if population.has_drops else _step(population)
    rows = np.arange(0, len(population), step)
    place = np.full(len(population.names), -1, dtype=np.int64)
    place[population.free] = np.arange(len(population.free))
    blocks = np.array_split(rows, _BLOCKS)
    _ = (population.down, population.log_loss, population.log_variance)  # computed once, before the threads

    def work(block: Ints) -> tuple[Sums, Sums, Sums]:
        parts = len(population.free)
        sums = (
            Sums.zeros((parts, population.items.shape[1])),
            Sums.zeros((parts, parts)),
            Sums.zeros((parts, parts, parts)),
        )
        tables = tuple(table for each in sums for table in (each.count, each.total, each.squares, each.noise))
        if population.has_drops:
            sum_by_drops(
                block,
                population.items,
                population.down,
                place,
                population.log_loss,
                population.log_variance,
                tables,
            )
        else:
            sum_by_swaps(
                block,
                population.items,
                population.levels,
                population.most,
                population.free,
                (population.keys, population.strides, population.slots),
                place,
                population.log_loss,
                population.log_variance,
                tables,
            )
        return sums

    found = in_parallel(work, blocks, jobs)
    first = found[0]
    for other in found[1:]:
        first = (first[0] + other[0], first[1] + other[1], first[2] + other[2])
    return Corners(*first, share=len(rows) / len(population))


def _step(population: Population) -> int:
    """Every how manieth build to look at in a space of swaps, so that the work stays bounded."""
    kinds = (population.levels[population.free] > 0).sum(axis=0).mean()
    moves = kinds * max(0, len(population.free) - 1)
    sets = len(population) * (moves**2 / 2 + moves**3 / 6)
    return max(1, int(np.ceil(sets / _MOST_CORNER_SETS)))
