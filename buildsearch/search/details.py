"""The few builds that are shown: all metrics, exactly where an engine can, and what each part adds."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from buildsearch.evaluate.randomness import content_digest
from buildsearch.evaluate.statistics import mean_of_sums, within
from buildsearch.model.arrays import Floats
from buildsearch.model.evaluation import Estimate, Evaluation, Evaluator, Sampling
from buildsearch.model.space import BuildSpace
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.executor import Shared
from buildsearch.search.ledger import Ledger


@dataclass(frozen=True, slots=True)
class FightDetail:
    """One build in one fight. `fights` is None where nothing was sampled."""

    method: str
    primary: Estimate
    stdev: float
    metrics: dict[str, float]
    fights: int | None


@dataclass(frozen=True, slots=True)
class Detail:
    """One build in every fight, in the ledger's order."""

    fights: tuple[FightDetail, ...]

    @property
    def method(self) -> str:
        """How it was scored: in all fights the same way, or `mixed`."""
        methods = {fight.method for fight in self.fights}
        return methods.pop() if len(methods) == 1 else "mixed"

    @property
    def worst_variance(self) -> float:
        return max(fight.stdev**2 for fight in self.fights)


@dataclass(frozen=True, slots=True, eq=False)
class DescribeTask:
    """All metrics of builds in fights: each item is the number of an evaluator, a build and a fight."""

    evaluators: Shared
    items: tuple[tuple[int, Any, Shared], ...]

    @property
    def key(self) -> bytes:
        return content_digest(b"describe", self.evaluators.data, pickle.dumps(self.items, protocol=5))

    def run(self) -> list[Evaluation]:
        return [
            self.evaluators.value[number].evaluate(build, fight.value, Sampling(0))
            for number, build, fight in self.items
        ]

    def pack(self, result: list[Evaluation]) -> bytes:
        return pickle.dumps(result, protocol=5)

    def unpack(self, data: bytes) -> list[Evaluation]:
        found: list[Evaluation] = pickle.loads(data)  # noqa: S301 - from a worker of the cluster that was named
        return found


@dataclass(slots=True)
class Describer:
    """Gives details of builds of a ledger; asks engines only for what the ledger does not know."""

    scorer: CachedScorer
    evaluators: Sequence[Evaluator]
    ledger: Ledger
    _shared: Shared = field(init=False)
    _fights: tuple[Shared, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._shared = Shared(tuple(self.evaluators))
        self._fights = tuple(map(Shared, self.ledger.fights.values()))

    def describe(self, rows: Sequence[int], builds: Sequence[Any]) -> list[Detail]:
        fights = list(enumerate(self.ledger.fights.values()))
        engines = {
            (row, number): (engine, build, self._fights[number])
            for row, build in zip(rows, builds, strict=True)
            for number, fight in fights
            if (engine := self._engine(row, build, number, fight)) is not None
        }
        task = DescribeTask(self._shared, tuple(engines.values()))
        found = dict(zip(engines, self.scorer.executor.run(task) if engines else (), strict=True))
        return [
            Detail(
                tuple(
                    self._exact(number, row, found[row, number])
                    if (row, number) in found
                    else self._sampled(number, row, fight)
                    for number, fight in fights
                )
            )
            for row in rows
        ]

    def _engine(self, row: int, build: Any, number: int, fight: Any) -> int | None:
        """The number of the evaluator that says exactly what a build does; None where its fights say it."""
        if math.isnan(self.ledger.exact[number, row]):
            return None
        exact = (
            place
            for place, evaluator in enumerate(self.evaluators)
            if evaluator.method == "exact" and evaluator.why_not(build, fight) is None
        )
        return next(exact, None)

    def _exact(self, number: int, row: int, found: Evaluation) -> FightDetail:
        mean = float(self.ledger.exact[number, row])
        metrics = {name: estimate.value for name, estimate in found.estimates.items()}
        return FightDetail("exact", Estimate(mean, 0.0, mean, mean), found.stdev, metrics, None)

    def _sampled(self, number: int, row: int, fight: Any) -> FightDetail:
        ledger = self.ledger
        column = int(np.searchsorted(ledger.sampled, row))
        n = int(ledger.fought[column])
        totals, squares = ledger.totals[number, :, column], float(ledger.squares[number, column])
        found, stdev = mean_of_sums(n, float(totals[0]), squares)
        primary = within(found, *self.scorer.scorer.outcome_range(ledger.outcomes[0], fight))
        metrics = {name: float(total) / n for name, total in zip(ledger.outcomes, totals, strict=True)}
        for name, values in self.scorer.scorer.derived(fight, np.array([primary.value])).items():
            metrics[name] = float(values[0])
        return FightDetail("sampled", primary, stdev, metrics, n)


@dataclass(frozen=True, slots=True)
class PartLoss:
    """How much worse (in the objective, smaller is better) a build is without a part."""

    feature: str
    loss: float


def contributions(space: BuildSpace, ledger: Ledger, costs: Floats, build: Any) -> list[PartLoss]:
    """The parts that can be dropped, the weightiest first; parts that no legal build lacks are left out."""
    row = ledger.find(space.encode(build))
    found = []
    for feature in space.features(build):
        dropped = space.drop(build, feature.name)
        other = ledger.find(space.encode(dropped)) if dropped is not None else None
        if row is not None and other is not None and not np.isnan(costs[other]):
            found.append(PartLoss(feature.name, float(costs[other] - costs[row])))
    return sorted(found, key=lambda each: -each.loss)
