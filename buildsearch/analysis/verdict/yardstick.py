"""How far apart two scores are: ratios of positive numbers, odds of probabilities, parts of a span."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.thresholds import VerdictThresholds
from buildsearch.model.arrays import Floats
from buildsearch.model.evaluation import Scale

# A mean of exactly 0 has no logarithm; nothing that is measured comes near this.
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Scores as losses, smaller is better, so that equal differences mean equally much better.

    Of probabilities the odds count, within `clip`: 0.999 and 0.9999 are the same to a designer, and a sample
    cannot tell them apart. Differences of other metrics are parts of `span`.
    """

    scale: Scale
    higher_is_better: bool
    span: float
    limits: VerdictThresholds

    def losses(self, scores: Floats) -> Floats:
        """The losses of scores."""
        if self.scale is Scale.POSITIVE:
            found = np.log(np.maximum(scores, _TINY))
        elif self.scale is Scale.PROBABILITY:
            inside = np.clip(scores, *self.limits.clip)
            found = np.log(inside / (1 - inside))
        else:
            found = scores / self.span
        return np.asarray(-found if self.higher_is_better else found)

    def loss(self, score: float) -> float:
        """The loss of one score."""
        return float(self.losses(np.array([score]))[0])

    def errors(self, scores: Floats, errors: Floats) -> Floats:
        """The standard errors of the losses of sampled scores; 0 where they are exact."""
        if self.scale is Scale.POSITIVE:
            return np.asarray(errors / np.maximum(scores, _TINY))
        if self.scale is Scale.PROBABILITY:
            inside = np.clip(scores, *self.limits.clip)
            return np.asarray(errors / (inside * (1 - inside)))
        return np.asarray(errors / self.span)

    @property
    def margin(self) -> float:
        """How much smaller a loss must be to be far better."""
        if self.scale is Scale.POSITIVE:
            return -math.log(1 - self.limits.margin)
        return math.log(self.limits.odds) if self.scale is Scale.PROBABILITY else self.limits.margin

    @property
    def twice(self) -> float:
        """How much larger the loss is of what is hopeless: half as good, or half the span."""
        return -math.log(self.limits.hopeless) if self.scale is not Scale.OTHER else 1 - self.limits.hopeless

    def viability(self, best: float, other: float) -> float:
        """What is left of the best when one plays the other instead, from losses: 1 is all of it."""
        apart = max(0.0, other - best)
        return math.exp(-apart) if self.scale is not Scale.OTHER else max(0.0, 1 - apart)

    def factor(self, better: float, worse: float) -> float:
        """How many times better, from losses; for other metrics which part of the span lies between."""
        return math.exp(worse - better) if self.scale is not Scale.OTHER else worse - better

    def say(self, factor: float) -> str:
        """A factor in words, to stand before 'than'."""
        if self.scale is Scale.POSITIVE:
            return f"{factor:.3g} times better"
        if self.scale is Scale.PROBABILITY:
            return f"{factor:.3g} times better in odds"
        return f"better by {factor:.0%} of the span"

    def is_clipped(self, loss: float) -> bool:
        """Whether a probability lies at an end of what is told apart."""
        if self.scale is not Scale.PROBABILITY:
            return False
        low, high = (self.loss(end) for end in self.limits.clip)
        return min(abs(loss - low), abs(loss - high)) < 1e-9
