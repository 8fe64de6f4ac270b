"""Builds far better than others of their cost, grouped by the smallest set of parts that makes them so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.population import NO_PART, Population
from buildsearch.analysis.thresholds import OutlierThresholds
from buildsearch.model.arrays import Floats, Ints

# The median absolute deviation of a normal distribution is this part of its standard deviation.
_MAD = 0.6744897501960817


@dataclass(frozen=True, slots=True)
class OutlierGroup:
    """Builds with one cause: `culprits` are the parts without any of which they would not stand out.

    Empty where no part can be dropped and no combination was found. `best` is the row of the best of them.
    """

    culprits: tuple[int, ...]
    builds: int
    best: int
    deviations: float


def deviations(population: Population, fewest: int) -> Floats:
    """How many robust deviations each build is better than the median of its cost; NaN if that is unknown."""
    found = np.full(len(population), np.nan)
    cost = population.scores.cost
    for value in np.unique(cost):
        rows = np.flatnonzero(cost == value)
        if len(rows) < fewest:
            continue
        loss = population.loss[rows]
        median = np.median(loss)
        scale = np.median(np.abs(loss - median)) / _MAD
        if scale > 0:
            found[rows] = (median - loss) / scale
    return found


def furthest_possible(population: Population, fewest: int, best: float) -> float:
    """How many robust deviations out a build with the best possible score would be, at most."""
    cost, sign = population.scores.cost, -1.0 if population.scores.higher_is_better else 1.0
    furthest = 0.0
    for value in np.unique(cost):
        loss = population.loss[cost == value]
        if len(loss) < fewest:
            continue
        median = float(np.median(loss))
        scale = float(np.median(np.abs(loss - median))) / _MAD
        if scale > 0:
            furthest = max(furthest, (median - sign * best) / scale)
    return furthest


def outlier_groups(
    population: Population, limits: OutlierThresholds, combinations: Sequence[tuple[int, ...]]
) -> list[OutlierGroup]:
    """Builds that stand out, by cause: a known combination, or else the least set that still stands out."""
    far = deviations(population, limits.fewest)
    is_out = far > limits.deviations
    rows = np.flatnonzero(is_out)
    groups: dict[tuple[int, ...], list[OutlierGroup]] = {}
    for parts in combinations:
        mine = rows[population.has_all(parts)[rows]]
        _add(groups, population, parts, mine, far)
        rows = np.setdiff1d(rows, mine, assume_unique=True)
    for parts, mine in _by_least_set(population, rows, is_out, far):
        _add(groups, population, parts, mine, far)
    merged = [_merged(parts, each, population) for parts, each in groups.items()]
    return sorted(merged, key=lambda group: (-group.builds, group.culprits))


def _by_least_set(
    population: Population, rows: Ints, is_out: NDArray[np.bool_], far: Floats
) -> list[tuple[tuple[int, ...], Ints]]:
    """Drop parts for as long as a build still stands out; what is left is the cause."""
    if len(rows) == 0:
        return []
    if not population.has_drops:
        return [((), rows)]
    at = rows.copy()
    for _ in range(population.items.shape[1]):
        below = population.down[at]
        kept = (below >= 0) & is_out[below]
        # Of several ways down the one that stands out most: it loses what matters least.
        height = np.where(kept, far[below], -np.inf)
        choice = height.argmax(axis=1)
        moves = kept.any(axis=1)
        at = np.where(moves, below[np.arange(len(at)), choice], at)
        if not moves.any():
            break
    sets, which = np.unique(population.items[at], axis=0, return_inverse=True)
    which = np.ravel(which)
    order = np.argsort(which, kind="stable")
    edges = np.searchsorted(which[order], np.arange(len(sets) + 1))
    return [
        (tuple(int(part) for part in parts if part != NO_PART), rows[order[edges[i] : edges[i + 1]]])
        for i, parts in enumerate(sets)
    ]


def _add(
    groups: dict[tuple[int, ...], list[OutlierGroup]],
    population: Population,
    parts: tuple[int, ...],
    rows: Ints,
    far: Floats,
) -> None:
    if len(rows):
        best = int(rows[np.argmin(population.loss[rows])])
        groups.setdefault(parts, []).append(OutlierGroup(parts, len(rows), best, float(far[rows].max())))


def _merged(parts: tuple[int, ...], groups: list[OutlierGroup], population: Population) -> OutlierGroup:
    best = min((group.best for group in groups), key=lambda row: population.loss[row])
    return OutlierGroup(
        parts, sum(group.builds for group in groups), best, max(group.deviations for group in groups)
    )
