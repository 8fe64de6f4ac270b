"""Fair costs: the highest at which the best build with an option still reaches the benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.population import Population
from buildsearch.analysis.reach import Reach, Reference
from buildsearch.analysis.score_order import ScoreOrder
from buildsearch.model.arrays import Floats, Ints

OPEN = "the fair price is open: builds above the budget were not scored"
AT_NO_PRICE = "at no price within what was scored"
# What an option costs at least: one for nothing is no choice.
LOWEST = 1
NO_PRICE = "it has no price in points"
NO_BUDGET = "costs are not sums of prices"


@dataclass(frozen=True, slots=True)
class IndifferencePrice:
    """`price` is today's, `indifferent` the highest at which the best build with the option still reaches the
    benchmark; None where `why` says why not. `dearer` is the loss of its best build at one point more."""

    price: int | None
    indifferent: int | None
    why: str = ""
    dearer: float = np.inf

    @property
    def is_hopeless(self) -> bool:
        """Whether no lower cost is enough: builds over the budget were looked at, or there is none."""
        return self.why == AT_NO_PRICE


@dataclass(frozen=True, slots=True, eq=False)
class BuildsOverBudget:
    """Builds that cost more than the budget, for prices below today's: their parts, losses and costs. Where
    only those with some options were scored, `covered` are these."""

    population: Population
    losses: Floats
    covered: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CostModel:
    """What builds pay: `factors[g]` points a point of price in each group, up to `budget`."""

    budget: int
    factors: Floats

    def steps(self, population: Population, rows: Ints, feature: int) -> Floats:
        """How many points the cost of builds rises when a feature's price rises by one."""
        factor = self.factors[population.scores.group[rows]]
        return np.asarray(factor * population.levels[feature, rows])


def purse_of(population: Population, prices: Mapping[str, int | None], budget: int) -> CostModel | None:
    """How costs follow from prices; None where they do not: then no price can be judged."""
    total = np.zeros(len(population), dtype=np.int64)
    for feature, name in enumerate(population.names):
        price = prices.get(name)
        if price:
            total += population.levels[feature].astype(np.int64) * price
    factors = np.ones(len(population.scores.groups))
    for group in range(len(factors)):
        mine = (population.scores.group == group) & (total > 0)
        if mine.any():
            ratios = population.scores.cost[mine] / total[mine]
            factors[group] = ratios[0]
            if not np.allclose(ratios, ratios[0]):
                return None
    return CostModel(budget, factors)


def indifference_prices(
    contest: ScoreOrder,
    found: Sequence[Reach],
    reference: Reference | None,
    purse: CostModel | None,
    beyond: BuildsOverBudget | None,
) -> dict[str, IndifferencePrice]:
    prices = {}
    for reach in found:
        price = reach.choice.price
        if price is None or reference is None:
            prices[reach.choice.name] = IndifferencePrice(price, None, NO_PRICE)
        elif purse is None:
            prices[reach.choice.name] = IndifferencePrice(price, None, NO_BUDGET)
        elif reach.loss <= reference.loss + 1e-12:
            prices[reach.choice.name] = _raised(contest, reach, reference, purse)
        else:
            prices[reach.choice.name] = _lowered(contest, reach, reference, purse, beyond)
    return prices


def _raised(contest: ScoreOrder, reach: Reach, reference: Reference, purse: CostModel) -> IndifferencePrice:
    """The steps up that leave some build with the option within the budget and at the benchmark."""
    population, feature = contest.population, reach.choice.part.feature
    good = contest.order[contest.losses[contest.order] <= reference.loss + 1e-12]
    good = good[reach.choice.has(population, good)]
    room = purse.budget - population.scores.cost[good]
    steps = np.floor(room / purse.steps(population, good, feature) + 1e-9)
    assert reach.choice.price is not None  # noqa: S101 - only priced ones come here
    dearer = float(contest.losses[good[steps >= 1]].min(initial=np.inf))
    return IndifferencePrice(reach.choice.price, reach.choice.price + int(steps.max()), dearer=dearer)


def _lowered(
    contest: ScoreOrder, reach: Reach, reference: Reference, purse: CostModel, beyond: BuildsOverBudget | None
) -> IndifferencePrice:
    """The steps down that let in a build at the reference level, if builds above the budget are known."""
    price = reach.choice.price
    assert price is not None  # noqa: S101 - only priced ones come here
    if price <= LOWEST:
        return IndifferencePrice(price, None, AT_NO_PRICE)
    if beyond is None or (beyond.covered is not None and reach.choice.name not in beyond.covered):
        return IndifferencePrice(price, None, OPEN)
    population, feature = beyond.population, reach.choice.part.feature
    rows = np.flatnonzero(
        (beyond.losses <= reference.loss + 1e-12) & (population.levels[feature] >= reach.choice.part.at_least)
    )
    over = population.scores.cost[rows] - purse.budget
    steps = np.ceil(over / purse.steps(population, rows, feature) - 1e-9)
    steps = steps[steps <= price - LOWEST]
    if len(steps) == 0:
        return IndifferencePrice(price, None, AT_NO_PRICE)
    return IndifferencePrice(price, price - int(steps.min()))
