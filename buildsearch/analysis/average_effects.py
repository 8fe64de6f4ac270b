"""What options do on average over all legal contexts. Players do not play averages: prices are elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.corners import Corners
from buildsearch.analysis.population import Population


@dataclass(frozen=True, slots=True)
class AverageEffect:
    """`effect` is the mean gain in log score over legal contexts, each context size weighing the same.

    `cost` is None where nothing is paid, `effect` is NaN where there is no legal context.
    """

    part: int
    cost: float | None
    contexts: int
    effect: float
    error: float
    spread: float

    @property
    def per_point(self) -> float | None:
        """The effect a point."""
        return self.effect / self.cost if self.cost else None


def average_effects(
    population: Population, corners: Corners, costs: Mapping[str, int | None]
) -> list[AverageEffect]:
    """The average effect of every option; `costs` has what the rules ask, by name."""
    return [
        AverageEffect(int(part), _cost(population, int(part), costs), *_effect(corners, place))
        for place, part in enumerate(population.free)
    ]


def _effect(corners: Corners, place: int) -> tuple[int, float, float, float]:
    """The contexts, mean gain, its standard error, and the spread over contexts; sizes weigh the same."""
    sums = corners.marginal
    seen = np.flatnonzero(sums.count[place])
    if len(seen) == 0:
        return 0, math.nan, math.nan, math.nan
    counts = sums.count[place, seen]
    means, spreads = sums.mean[place, seen], sums.spread[place, seen]
    variances = spreads**2 / counts + sums.error[place, seen] ** 2
    return (
        int(counts.sum()),
        -float(means.mean()),
        math.sqrt(float(variances.sum())) / len(seen),
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
