"""Builds that others beat or match in every scenario at no higher cost; the rest is the Pareto front.

Every dominated build gets a certificate: the row of a build of the front that dominates it. Whoever doubts
it compares the two rows of scores.parquet. Exact scores that differ by no more than a tie count as equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit

from buildsearch.analysis.population import Population
from buildsearch.evaluate.threads import in_parallel
from buildsearch.files.large_arrays import filled, stretches
from buildsearch.model.arrays import Bools, Floats, Ints

# Scores are compared as whole numbers of this: what differs by less is equal.
GRAIN = 1e-5
# Beyond so many comparisons the shares are counted on every k-th build.
_MOST_COMPARISONS = 4_000_000_000
ON_THE_FRONT = -1


@dataclass(frozen=True, eq=False)
class Dominance:
    """`dominator[i]` is a row that dominates build i, or ON_THE_FRONT; `front` has rows, best score first.

    `certain[i]`: both builds' scores are exact, or further apart than sampling errors explain. `shares` has,
    for each member of the front, the share of the space that it dominates, counted on every `step`-th build.
    """

    front: Ints
    dominator: Ints
    certain: Bools
    shares: Floats
    step: int


def dominance(population: Population, sure: float, jobs: int = 2) -> Dominance:
    """The front over all fights and cost, and who dominates whom."""
    values = objectives(population)
    # A dominator is never larger in any column, so it comes first in this order; equal rows stand together.
    scale = np.maximum(_spread(values), GRAIN)
    sums = filled((len(values),), np.float64, lambda rows: np.round((values[rows] / scale).sum(axis=1), 6))
    order = np.lexsort((*values.T[::-1], sums))
    dominator = np.full(len(values), ON_THE_FRONT, dtype=np.int64)
    front = _front(values, order, dominator)
    front = front[np.argsort(population.loss[front], kind="stable")]
    step = max(1, int(np.ceil(len(values) * len(front) / _MOST_COMPARISONS)))
    sample = np.ascontiguousarray(values[::step])

    def share(block: Ints) -> Ints:
        counts = np.zeros(len(block), dtype=np.int64)
        _count_dominated(values[block], sample, counts)
        return counts

    counted = in_parallel(share, np.array_split(front, max(1, min(64, len(front)))), jobs)
    shares = np.concatenate(counted) / len(sample)
    return Dominance(front, dominator, _certain(population, dominator, sure), shares, step)


def objectives(population: Population) -> Floats:
    """(builds, fights + cost), smaller is better, in whole grains."""
    means, cost = population.means, population.scores.cost

    def whole(rows: slice) -> Floats:
        return np.column_stack([np.round(means[rows] / GRAIN) * GRAIN, cost[rows].astype(np.float64)])

    return filled((len(means), means.shape[1] + 1), np.float64, whole)


def _spread(values: Floats) -> Floats:
    """The standard deviation of each column: `values.std(axis=0)`, row by row and so to the last bit."""
    mean = _added(values, lambda some: some) / len(values)
    return np.asarray(np.sqrt(_added(values, lambda some: (some - mean) ** 2) / len(values)))


def _added(values: Floats, of: Callable[[Floats], Floats]) -> Floats:
    total: Floats | None = None
    for rows in stretches(len(values)):
        some = of(values[rows])
        total = np.add.reduce(some if total is None else np.vstack([total, some]), axis=0)
    return np.asarray(total)


def _certain(population: Population, dominator: Ints, sure: float) -> Bools:
    """Whether each certificate holds whatever the sampling errors."""
    certain = np.zeros(len(population), dtype=np.bool_)
    for some in stretches(len(population)):
        rows = some.start + np.flatnonzero(dominator[some] != ON_THE_FRONT)
        others = dominator[rows]
        ahead = population.means[rows] - population.means[others]
        noise = np.hypot(population.errors[rows], population.errors[others])
        certain[rows] = ((noise == 0) | (ahead > sure * noise)).all(axis=1)
    return certain


@njit(cache=True, nogil=True)
def _front(values: Floats, order: Ints, dominator: Ints) -> Ints:
    """Sort-filter-skyline: each build against the front so far, the members that beat most asked first."""
    width = values.shape[1]
    front = np.empty(1024, np.int64)
    size = 0
    for row in order:
        beaten = -1
        for i in range(size):
            member = front[i]
            strict = False
            fits = True
            for column in range(width):
                if values[member, column] > values[row, column]:
                    fits = False
                    break
                strict = strict or values[member, column] < values[row, column]
            if fits and strict:
                beaten = i
                break
        if beaten < 0:
            if size == len(front):
                larger = np.empty(2 * size, np.int64)
                larger[:size] = front
                front = larger
            front[size] = row
            size += 1
        else:
            dominator[row] = front[beaten]
            # A member that beats many moves forward by and by.
            ahead = beaten // 2
            front[ahead], front[beaten] = front[beaten], front[ahead]
    return front[:size].copy()


@njit(cache=True, nogil=True)
def _count_dominated(members: Floats, values: Floats, counts: Ints) -> None:
    width = members.shape[1]
    for i in range(len(members)):
        for row in range(len(values)):
            strict = False
            fits = True
            for column in range(width):
                if members[i, column] > values[row, column]:
                    fits = False
                    break
                strict = strict or members[i, column] < values[row, column]
            counts[i] += fits and strict
