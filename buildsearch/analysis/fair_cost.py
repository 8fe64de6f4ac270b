"""What an option should cost, by what it does on average and what a point buys elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.corners import Corners
from buildsearch.analysis.population import Population
from buildsearch.evaluate.statistics import Z95

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Price:
    """`effect` is the mean gain in log score over legal contexts, each context size weighing the same.

    `fair` is None where there is no fair price, and `why` says so. `cost` is None where nothing is paid.
    """

    part: int
    cost: float | None
    contexts: int
    effect: float
    error: float
    spread: float
    per_point: float | None
    fair: float | None
    low: float | None
    high: float | None
    why: str


@dataclass(frozen=True, slots=True)
class FairCosts:
    """Every option's price; `rate` is the median gain a point buys, with its interval."""

    rate: float | None
    rate_low: float
    rate_high: float
    prices: tuple[Price, ...]


def fair_costs(population: Population, corners: Corners, costs: Mapping[str, int | None]) -> FairCosts:
    """Fair prices from the marginal effects; `costs` has what the rules ask, by name."""
    effects = [_effect(corners, place) for place in range(len(population.free))]
    asked = [_cost(population, int(part), costs) for part in population.free]
    rates = [
        effect[0] / cost
        for effect, cost in zip(effects, asked, strict=True)
        if cost is not None and cost > 0 and effect[2] > 0
    ]
    rate = float(np.median(rates)) if rates else None
    low, high = median_interval(rates)
    prices = [
        _price(int(part), effect, cost, (rate, low, high))
        for part, effect, cost in zip(population.free, effects, asked, strict=True)
    ]
    return FairCosts(rate, low, high, tuple(prices))


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a median by order statistics: it needs no shape of the distribution."""
    if not values:
        return math.nan, math.nan
    n, ordered = len(values), sorted(values)
    below = 0.0
    for rank in range(n):
        below += math.comb(n, rank) * 0.5**n
        if below > 0.025:
            break
    # Fewer than six values have no such interval: then it is all of them.
    last = max(0, rank - 1)
    return ordered[last], ordered[n - 1 - last]


def _effect(corners: Corners, place: int) -> tuple[float, float, int, float]:
    """Mean gain, its standard error, the contexts, and the spread over contexts; sizes weigh the same."""
    sums = corners.marginal
    seen = np.flatnonzero(sums.count[place])
    if len(seen) == 0:
        return math.nan, math.nan, 0, math.nan
    counts = sums.count[place, seen]
    means, spreads = sums.mean[place, seen], sums.spread[place, seen]
    variances = spreads**2 / counts + sums.error[place, seen] ** 2
    return (
        -float(means.mean()),
        math.sqrt(float(variances.sum())) / len(seen),
        int(counts.sum()),
        math.sqrt(float((spreads**2).mean())),
    )


def _cost(population: Population, part: int, costs: Mapping[str, int | None]) -> float | None:
    """What the rules ask; where they do not say, what builds with it cost more than without."""
    asked = costs.get(population.names[part])
    if asked is not None:
        return float(asked)
    if not population.has_drops:
        return None
    rows, places = np.nonzero(population.items == part)
    below = population.down[rows, places]
    paid = population.scores.cost[rows[below >= 0]] - population.scores.cost[below[below >= 0]]
    return float(np.mean(paid)) if len(paid) else None


def _price(
    part: int,
    effect: tuple[float, float, int, float],
    cost: float | None,
    rate: tuple[float | None, float, float],
) -> Price:
    mean, error, contexts, spread = effect
    point, low, high = rate
    per_point = mean / cost if cost else None

    def without(why: str) -> Price:
        return Price(part, cost, contexts, mean, error, spread, per_point, None, None, None, why)

    if contexts == 0:
        return without("no legal context")
    if cost is None:
        return without("it has no price in points")
    if point is None or point <= 0:
        return without("no fair price: the median option gains nothing a point")
    if mean <= 0:
        return without("no fair price: on average it gains nothing")
    ends = (max(0.0, mean - Z95 * error), mean + Z95 * error)
    return Price(
        part,
        cost,
        contexts,
        mean,
        error,
        spread,
        per_point,
        mean / point,
        ends[0] / high,
        ends[1] / low if low > 0 else math.inf,
        "",
    )
