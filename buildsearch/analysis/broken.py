"""Combinations that lift builds far above what their parts explain, and what would remove them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.corners import Corners, Sums
from buildsearch.analysis.population import Population
from buildsearch.analysis.saturation import Top, share_interval, top_of
from buildsearch.analysis.thresholds import BrokenThresholds

_MAD = 0.6744897501960817
# An interaction must exceed its own sampling error by so many standard errors.
_SURE = 4.0

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interaction:
    """What parts do beyond one another, as a mean over contexts of log scores; below 0 is better together."""

    parts: tuple[int, ...]
    contexts: int
    mean: float
    error: float
    spread: float
    deviations: float


@dataclass(frozen=True, slots=True)
class Combination:
    """An interaction with its place at the top: lift there, that of its parts alone, best builds, remedies.

    `price` is the least number of points that the combination would have to cost more, so that no build with
    it beats the best without it; None where there is no such price but a ban.
    """

    interaction: Interaction
    builds: int
    top_share: float
    lift: float
    lift_low: float
    lift_high: float
    parts_lift: float
    best_with: int
    best_without: int | None
    price: int | None
    is_broken: bool

    @property
    def parts(self) -> tuple[int, ...]:
        """The parts."""
        return self.interaction.parts


def interactions(population: Population, sums: Sums, fewest: int) -> list[Interaction]:
    """Pairs or triples with enough contexts, the strongest first."""
    mean, error, spread = sums.mean, sums.error, sums.spread
    places = np.argwhere(sums.count >= fewest)
    if len(places) == 0:
        return []
    at = tuple(places.T)
    values = mean[at]
    median = float(np.median(values))
    scale = float(np.median(np.abs(values - median))) / _MAD
    order = np.argsort(values, kind="stable")
    return [
        Interaction(
            parts=tuple(int(population.free[place]) for place in places[i]),
            contexts=int(sums.count[at][i]),
            mean=float(values[i]),
            error=float(error[at][i]),
            spread=float(spread[at][i]),
            deviations=_ratio(float(values[i]) - median, scale),
        )
        for i in order
    ]


def combinations_at_the_top(
    population: Population, corners: Corners, limits: BrokenThresholds
) -> list[Combination]:
    """The pairs and triples that are better together, with what they do at the top; broken ones first."""
    top = top_of(population, limits.top)
    found: list[Combination] = []
    for sums in (corners.pairs, corners.triples):
        for interaction in strong(interactions(population, sums, limits.contexts), limits):
            combination = _combination(population, interaction, top, limits)
            # The least set is the culprit: what contains a broken one is the same finding.
            if not any(each.is_broken and set(each.parts) < set(combination.parts) for each in found):
                found.append(combination)
    found = [each for each in found if each.top_share > 0 or each.is_broken]
    return sorted(found, key=lambda each: (not each.is_broken, each.interaction.mean))


def strong(found: list[Interaction], limits: BrokenThresholds) -> Iterator[Interaction]:
    """Those that are far better together than others of their kind, beyond sampling error."""
    for each in found:
        if -math.expm1(each.mean) < limits.effect:
            return  # sorted: the rest is weaker
        if each.deviations <= -limits.deviations and each.mean + _SURE * each.error < 0:
            yield each


def _combination(
    population: Population, interaction: Interaction, top: Top, limits: BrokenThresholds
) -> Combination:
    parts = interaction.parts
    has = population.has_all(parts)
    base = float(has.mean())
    share = top.share(has)
    low, high = share_interval(share, top.size, top.spread(has))
    parts_lift = max(_lift_without(population, parts, absent, top) for absent in parts)
    with_it = np.flatnonzero(has)
    without = np.flatnonzero(~has)
    best_with = int(with_it[np.argmin(population.loss[with_it])])
    best_without = int(without[np.argmin(population.loss[without])]) if len(without) else None
    lift = share / base
    return Combination(
        interaction=interaction,
        builds=len(with_it),
        top_share=share,
        lift=lift,
        lift_low=low / base,
        lift_high=high / base,
        parts_lift=parts_lift,
        best_with=best_with,
        best_without=best_without,
        price=price_that_removes(population, with_it, best_without),
        is_broken=low / base > limits.lift and lift >= limits.beyond_parts * parts_lift,
    )


def _lift_without(population: Population, parts: tuple[int, ...], absent: int, top: Top) -> float:
    """The lift of builds that have all but one of the parts."""
    rest = tuple(part for part in parts if part != absent)
    has = population.has_all(rest) & ~population.has(absent)
    base = float(has.mean())
    return top.share(has) / base if base else 0.0


def price_that_removes(
    population: Population, rows: NDArray[np.int64], best_without: int | None
) -> int | None:
    """How many points more take the best builds of some rows below the best of the others."""
    if best_without is None:
        return None
    cost = population.scores.cost
    budget = int(cost.max())
    beats = rows[population.loss[rows] < population.loss[best_without] - 1e-9]
    # A build that costs c can be had with p points more only if c + p is within the budget.
    return int(budget - cost[beats].min() + 1) if len(beats) else 0


def _ratio(value: float, scale: float) -> float:
    return value / scale if scale > 0 else math.copysign(math.inf, value) if value else 0.0
