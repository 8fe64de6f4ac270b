"""Combinations that lift builds far above what their parts explain, and what would remove them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.corners import Sums
from buildsearch.analysis.population import Population
from buildsearch.analysis.saturation import Top, share_interval, top_of
from buildsearch.analysis.thresholds import BrokenThresholds
from buildsearch.model.evaluation import TIE

_MAD = 0.6744897501960817
# An interaction must exceed its own sampling error by so many standard errors.
_SURE = 4.0


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
    it beats the best without it; None where there is no such price but a ban. Of broken combinations the best
    builds are those without the broken ones that come before it.
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
    places = np.argwhere(sums.count >= fewest)
    if len(places) == 0:
        return []
    at = tuple(places.T)
    counts, means, errors, spreads = sums.count[at], sums.mean[at], sums.error[at], sums.spread[at]
    median = float(np.median(means))
    scale = float(np.median(np.abs(means - median))) / _MAD
    parts = population.free[places]
    return [
        Interaction(
            parts=tuple(parts[i].tolist()),
            contexts=int(counts[i]),
            mean=float(means[i]),
            error=float(errors[i]),
            spread=float(spreads[i]),
            deviations=_ratio(float(means[i]) - median, scale),
        )
        for i in np.argsort(means, kind="stable")
    ]


def combinations_at_the_top(
    population: Population, kinds: Sequence[Sequence[Interaction]], limits: BrokenThresholds
) -> list[Combination]:
    """The pairs and triples that are better together, with what they do at the top; broken ones first."""
    top = top_of(population, limits.top)
    found = []
    for kind in kinds:
        for interaction in strong(kind, limits):
            combination = _combination(population, interaction, top)
            if combination is not None:
                found.append(combination)
    suspects = [
        each
        for each in found
        if each.lift_low > limits.lift and each.lift >= limits.beyond_parts * each.parts_lift
    ]
    broken = {each.parts: each for each in _peel(population, suspects)}
    found = [broken.get(each.parts, each) for each in found]
    return sorted(found, key=lambda each: (not each.is_broken, each.interaction.mean))


def _peel(population: Population, suspects: Sequence[Combination]) -> Iterator[Combination]:
    """The suspects without which the best build would be worse, one after another.

    The one whose ban costs most is broken; then it is banned, and the others are looked at again. What
    contains a broken combination is the same finding.
    """
    order = population.best_first
    left = list(suspects)
    while left:
        bans = [_ban(population, each.parts, order) for each in left]
        costs = [_cost_of(population, each) for each in bans]
        worst = max(
            range(len(left)), key=lambda i: (costs[i], -len(left[i].parts), -left[i].interaction.mean)
        )
        best_with, best_without = bans[worst]
        if costs[worst] <= 0 or best_with is None:
            return
        culprit = left[worst]
        rows = order[population.has_all(culprit.parts)[order]]
        price = price_that_removes(population, rows, best_without)
        yield replace(culprit, best_with=best_with, best_without=best_without, price=price, is_broken=True)
        order = order[~population.has_all(culprit.parts)[order]]
        left = [each for each in left if not set(culprit.parts) <= set(each.parts)]


def _ban(
    population: Population, parts: tuple[int, ...], order: NDArray[np.int64]
) -> tuple[int | None, int | None]:
    """The best of the builds in `order` with all parts, and the best without them."""
    has = population.has_all(parts)
    found: list[int | None] = []
    for wanted in (True, False):
        row = None
        # The best are usually near the front: look at few before looking at all.
        for reach in (10_000, len(order)):
            places = np.flatnonzero(has[order[:reach]] == wanted)
            if len(places):
                row = int(order[places[0]])
                break
        found.append(row)
    return found[0], found[1]


def _cost_of(population: Population, ban: tuple[int | None, int | None]) -> float:
    """How much worse the best build is under a ban; 0 where sampling errors might explain it."""
    best_with, best_without = ban
    if best_with is None:
        return 0.0
    if best_without is None:
        return math.inf
    gap = float(population.loss[best_without] - population.loss[best_with])
    error = math.hypot(population.scores.error[best_with], population.scores.error[best_without])
    return gap if gap > TIE + 2 * error else 0.0


def strong(found: Sequence[Interaction], limits: BrokenThresholds) -> Iterator[Interaction]:
    """Those that are far better together than others of their kind, beyond sampling error."""
    for each in found:
        if -math.expm1(each.mean) < limits.effect:
            return  # sorted: the rest is weaker
        if each.deviations <= -limits.deviations and each.mean + _SURE * each.error < 0:
            yield each


def _combination(population: Population, interaction: Interaction, top: Top) -> Combination | None:
    """None where no build of the top has it."""
    parts = interaction.parts
    has = population.has_all(parts)
    share = top.share(has)
    if share == 0:
        return None
    base = float(has.mean())
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
        is_broken=False,
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
    beats = rows[population.loss[rows] < population.loss[best_without] - TIE]
    # A build that costs c can be had with p points more only if c + p is within the budget.
    return int(budget - cost[beats].min() + 1) if len(beats) else 0


def _ratio(value: float, scale: float) -> float:
    return value / scale if scale > 0 else math.copysign(math.inf, value) if value else 0.0
