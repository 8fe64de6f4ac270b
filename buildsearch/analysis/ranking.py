"""How builds with an option do, and builds without it: over everything, by group, by scenario."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.analysis.parts import Part, parts_of
from buildsearch.analysis.population import Population
from buildsearch.evaluate.sampling import in_parallel
from buildsearch.model.arrays import Floats, Ints

EVERYTHING = "all"
SCORE = "score"
TOP = 0.1


@dataclass(frozen=True, slots=True)
class Side:
    """Builds with an option, or without: the mean with its error, the median, what the best tenth reach."""

    builds: int
    mean: float
    error: float
    median: float
    top: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One option in one group (or all) by one measure (the score or a scenario)."""

    part: Part
    group: str
    measure: str
    with_it: Side
    without: Side
    gain: float  # how much better the mean with it is, whichever way better lies
    gain_error: float


def standings(population: Population, jobs: int = 2) -> list[Standing]:
    """Every part, over all builds and in each group, by score and by scenario."""
    parts = parts_of(population)
    counts = {part: _counts(population, part) for part in parts}

    def work(job: _Job) -> list[Standing]:
        found = (_standing(population, part, counts[part][job.group], job) for part in parts)
        return [standing for standing in found if standing is not None]

    found = in_parallel(work, _jobs(population), jobs)
    return [standing for each in found for standing in each]


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """A group and a measure: rows from best to worst, values and errors; `sign` is 1 if lower is better."""

    group: str
    measure: str
    order: Ints
    values: Floats
    errors: Floats
    sign: float


def _jobs(population: Population) -> Iterator[_Job]:
    scores = population.scores
    measures: list[tuple[str, Floats, Floats, bool]] = [
        (SCORE, scores.score, scores.error, scores.higher_is_better)
    ]
    # Where there is one scenario, its mean is the score.
    if len(scores.fights) > 1:
        measures += [
            (name, scores.fight_means[i], scores.fight_errors[i], scores.primary_higher_is_better)
            for i, name in enumerate(scores.fights)
        ]
    for measure, values, errors, higher in measures:
        sign = -1.0 if higher else 1.0
        order = np.argsort(sign * values, kind="stable")
        yield _Job(EVERYTHING, measure, order, values[order], errors[order], sign)
        if len(scores.groups) > 1:
            group = scores.group[order]
            for number, name in enumerate(scores.groups):
                mine = order[group == number]
                yield _Job(name, measure, mine, values[mine], errors[mine], sign)


def _counts(population: Population, part: Part) -> dict[str, int]:
    """How many builds have a part, in all and by group."""
    scores = population.scores
    rows = np.flatnonzero(part.of(population))
    by_group = np.bincount(scores.group[rows], minlength=len(scores.groups))
    return {EVERYTHING: len(rows), **dict(zip(scores.groups, by_group.tolist(), strict=True))}


def _standing(population: Population, part: Part, builds: int, job: _Job) -> Standing | None:
    """None where all builds have it or none has: there is nothing to compare."""
    rest = len(job.order) - builds
    if builds == 0 or rest == 0:
        return None
    out = np.zeros((2, 4))
    level = population.levels[part.feature]
    _walk(level, part.at_least, job.order, job.values, job.errors, np.array([rest, builds]), out)
    without, with_it = (
        Side(n, total / n, math.sqrt(noise) / n, median, top)
        for n, (total, noise, median, top) in zip((rest, builds), out.tolist(), strict=True)
    )
    gain = job.sign * (without.mean - with_it.mean)
    error = math.hypot(with_it.error, without.error)
    return Standing(part, job.group, job.measure, with_it, without, gain, error)


@njit(cache=True, nogil=True)
def _walk(
    level: NDArray[np.uint8],
    least: int,
    order: Ints,
    values: Floats,
    errors: Floats,
    sizes: Ints,
    out: Floats,
) -> None:
    """From the best to the worst: each side's sums, and its values at the tenth and at the middle."""
    seen = np.zeros(2, np.int64)
    tops = np.array([max(1, math.ceil(TOP * sizes[0])), max(1, math.ceil(TOP * sizes[1]))])
    for i in range(len(order)):
        side = 1 if level[order[i]] >= least else 0
        seen[side] += 1
        at = seen[side]
        out[side, 0] += values[i]
        out[side, 1] += errors[i] * errors[i]
        # The median of an even number lies half-way between the two in the middle.
        if at == (sizes[side] + 1) // 2:
            out[side, 2] += values[i] / 2
        if at == sizes[side] // 2 + 1:
            out[side, 2] += values[i] / 2
        if at == tops[side]:
            out[side, 3] = values[i]
