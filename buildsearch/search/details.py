"""Everything about the few builds that are shown: all metrics, exactly where an engine can."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from buildsearch.evaluate.statistics import mean_of_sums, within
from buildsearch.model.bulk import BulkScorer
from buildsearch.model.evaluation import Estimate, Evaluator, Sampling
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
        """How it was scored: one word if all fights say the same."""
        return "+".join(dict.fromkeys(fight.method for fight in self.fights))

    @property
    def worst_variance(self) -> float:
        """The largest variance over the fights."""
        return max(fight.stdev**2 for fight in self.fights)


@dataclass(frozen=True, slots=True)
class Describer:
    """Gives details of builds of a ledger; asks engines only for what the ledger does not know."""

    scorer: BulkScorer
    evaluators: Sequence[Evaluator]
    ledger: Ledger

    def describe(self, row: int, build: Any) -> Detail:
        """All metrics of a build in every fight."""
        return Detail(tuple(self._fight(number, row, build) for number in range(len(self.ledger.fights))))

    def _fight(self, number: int, row: int, build: Any) -> FightDetail:
        fight = list(self.ledger.fights.values())[number]
        mean = float(self.ledger.exact[number, row])
        if not math.isnan(mean):
            for evaluator in self.evaluators:
                if evaluator.method == "exact" and evaluator.why_not(build, fight) is None:
                    found = evaluator.evaluate(build, fight, Sampling(0))
                    metrics = {name: estimate.value for name, estimate in found.estimates.items()}
                    return FightDetail("exact", Estimate(mean, 0.0, mean, mean), found.stdev, metrics, None)
        return self._sampled(number, row, fight)

    def _sampled(self, number: int, row: int, fight: Any) -> FightDetail:
        ledger = self.ledger
        column = int(np.searchsorted(ledger.sampled, row))
        n = int(ledger.fought[column])
        totals, squares = ledger.totals[number, :, column], float(ledger.squares[number, column])
        found, stdev = mean_of_sums(n, float(totals[0]), squares)
        primary = within(found, *self.scorer.outcome_range(ledger.outcomes[0], fight))
        metrics = {name: float(total) / n for name, total in zip(ledger.outcomes, totals, strict=True)}
        for name, values in self.scorer.derived(fight, np.array([primary.value])).items():
            metrics[name] = float(values[0])
        return FightDetail("mc", primary, stdev, metrics, n)
