"""What builds are ranked by. Inside, smaller is better, whatever the metric's direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.model.arrays import Floats
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import DECIMALS, Metric, Scale
from buildsearch.model.scorer import BulkScorer
from buildsearch.ruleset.messages import suggest
from buildsearch.search.ledger import Ledger

MEAN, WORST, VARIANCE = "mean", "worst", "variance"


@dataclass(frozen=True, slots=True)
class Objective:
    """`mean` and `worst` are of the primary metric over the fights; a metric's name is its weighted mean."""

    name: str
    metric: Metric
    higher_is_better: bool

    @property
    def label(self) -> str:
        if self.name == MEAN:
            return f"mean {self.metric.label}"
        if self.name == WORST:
            return f"{self.metric.label} in the worst scenario"
        return f"variance of {self.metric.label}" if self.name == VARIANCE else self.metric.label

    @property
    def scale(self) -> Scale:
        """How its values compare; a variance may be 0, so variances have no ratios."""
        return Scale.OTHER if self.name == VARIANCE else self.metric.scale

    def is_solved(self, scorer: BulkScorer) -> bool:
        """Whether exact means of the primary metric decide it."""
        return self.name in (MEAN, WORST) or self.metric.name not in scorer.outcomes

    @property
    def has_bounds(self) -> bool:
        """Whether sampled values come with bounds that hold at every moment: means do, variances do not."""
        return self.name != VARIANCE

    def shown(self, costs: Floats) -> Floats:
        """From smaller-is-better back to the numbers that people read."""
        return np.negative(costs) if self.higher_is_better else costs

    def costs(self, ledger: Ledger, scorer: BulkScorer) -> Floats:
        """A number for each build, smaller is better; NaN where nothing is known."""
        found = np.empty(len(ledger))
        for rows, part in ledger.stretches():
            found[rows] = self._combined(
                part, [self._value(part, scorer, i) for i in range(len(part.fights))]
            )
        return found

    def bounds(self, ledger: Ledger, scorer: BulkScorer, alpha: float) -> tuple[Floats, Floats]:
        """The same at least and at most, at every moment; `alpha` is for each side of each (build, fight)."""
        low, high = np.empty(len(ledger)), np.empty(len(ledger))
        for rows, part in ledger.stretches():
            ends = [self._bounds(part, scorer, i, alpha) for i in range(len(part.fights))]
            low[rows] = self._combined(part, [low for low, _ in ends])
            high[rows] = self._combined(part, [high for _, high in ends])
        return low, high

    def _outcome(self, scorer: BulkScorer) -> int | None:
        """The outcome that it is the mean of; None if it follows from the primary one."""
        name = self.metric.name
        return scorer.outcomes.index(name) if name in scorer.outcomes else None

    def _value(self, ledger: Ledger, scorer: BulkScorer, fight: int) -> Floats:
        if self.name == VARIANCE:
            return ledger.variance(fight)
        outcome = self._outcome(scorer)
        if outcome is not None:
            return self._signed(ledger.mean(fight, outcome))
        return self._signed(self._derived(ledger, scorer, fight, ledger.mean(fight, 0)))

    def _bounds(self, ledger: Ledger, scorer: BulkScorer, fight: int, alpha: float) -> tuple[Floats, Floats]:
        if not self.has_bounds:
            nowhere = np.full(len(ledger), np.inf)
            return -nowhere, nowhere
        outcome = self._outcome(scorer)
        low, high = ledger.bounds(scorer, fight, outcome or 0, alpha)
        if outcome is None:
            low, high = (self._derived(ledger, scorer, fight, end) for end in (low, high))
        low, high = self._signed(low), self._signed(high)
        # What follows from the primary metric may run against it.
        return np.minimum(low, high), np.maximum(low, high)

    def _derived(self, ledger: Ledger, scorer: BulkScorer, fight: int, primary: Floats) -> Floats:
        return scorer.derived(list(ledger.fights.values())[fight], primary)[self.metric.name]

    def _signed(self, values: Floats) -> Floats:
        return -values if self.higher_is_better else values

    def _combined(self, ledger: Ledger, values: Sequence[Floats]) -> Floats:
        if self.name == WORST:
            return np.asarray(np.round(np.max(np.stack(values), axis=0), DECIMALS))
        total = np.zeros(len(ledger))
        for weight, value in zip(ledger.weights, values, strict=True):
            total += weight * value
        return np.round(total, DECIMALS)


def read_objectives(names: Sequence[str], metrics: Sequence[Metric]) -> tuple[Objective, ...]:
    """Objectives by name; none means the weighted mean of the primary metric. Raises UsageError."""
    primary = metrics[0]
    known = {
        MEAN: Objective(MEAN, primary, primary.higher_is_better),
        WORST: Objective(WORST, primary, primary.higher_is_better),
        VARIANCE: Objective(VARIANCE, primary, higher_is_better=False),
    }
    known |= {metric.name: Objective(metric.name, metric, metric.higher_is_better) for metric in metrics[1:]}
    known[primary.name] = known[MEAN]
    found: list[Objective] = []
    for name in names or (MEAN,):
        if name not in known:
            raise UsageError(f"unknown objective `{name}`. {suggest(name, list(known))}")
        if known[name] in found:
            raise UsageError(f"the objective `{name}` is given twice. Say it once.")
        found.append(known[name])
    return tuple(found)
