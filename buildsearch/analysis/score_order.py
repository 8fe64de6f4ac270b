"""Builds from the best to the worst, and how far apart two scores are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from buildsearch.analysis.population import Population
from buildsearch.analysis.thresholds import VerdictThresholds
from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.evaluation import Scale

# A mean of exactly 0 has no logarithm; nothing that is measured comes near this.
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """Scores as losses, smaller is better, so that equal differences mean equally much better.

    Of probabilities the odds count, within `clip`: 0.999 and 0.9999 are the same to a designer, and a sample
    cannot tell them apart. Differences of other metrics are parts of `span`.
    """

    scale: Scale
    higher_is_better: bool
    span: float
    limits: VerdictThresholds

    def losses(self, scores: Floats) -> Floats:
        if self.scale is Scale.POSITIVE:
            found = np.log(np.maximum(scores, _TINY))
        elif self.scale is Scale.PROBABILITY:
            inside = np.clip(scores, *self.limits.clip)
            found = np.log(inside / (1 - inside))
        else:
            found = scores / self.span
        return np.asarray(-found if self.higher_is_better else found)

    def loss(self, score: float) -> float:
        return float(self.losses(np.array([score]))[0])

    def errors(self, scores: Floats, errors: Floats) -> Floats:
        """The standard errors of the losses of sampled scores; 0 where they are exact."""
        if self.scale is Scale.POSITIVE:
            return np.asarray(errors / np.maximum(scores, _TINY))
        if self.scale is Scale.PROBABILITY:
            inside = np.clip(scores, *self.limits.clip)
            return np.asarray(errors / (inside * (1 - inside)))
        return np.asarray(errors / self.span)

    def distance(self, share: float) -> float:
        """How much smaller the loss is of what is better by a share of the score, or of the span. Odds move
        as far as `odds` says for the margin, and in proportion for other shares."""
        if self.scale is Scale.OTHER:
            return share
        ratio = -math.log(1 - share)
        if self.scale is Scale.POSITIVE:
            return ratio
        return math.log(self.limits.odds) * ratio / -math.log(1 - self.limits.margin)

    @property
    def margin(self) -> float:
        """How much smaller a loss must be to be far better."""
        return self.distance(self.limits.margin)

    @property
    def near(self) -> float:
        """The same for what is nearly far better."""
        return self.distance(self.limits.near)

    @property
    def weak(self) -> float:
        """How much larger the loss is of what misses the benchmark by so much that it surely is weak."""
        return (
            self.distance(1 - 1 / (1 + self.limits.weak))
            if self.scale is not Scale.OTHER
            else self.limits.weak
        )

    def viability(self, best: float, other: float) -> float:
        """What is left of the best when one plays the other instead, from losses: 1 is all of it."""
        apart = max(0.0, other - best)
        return math.exp(-apart) if self.scale is not Scale.OTHER else max(0.0, 1 - apart)

    def factor(self, better: float, worse: float) -> float:
        """How many times better, from losses; for other metrics which part of the span lies between."""
        return math.exp(worse - better) if self.scale is not Scale.OTHER else worse - better

    def ahead(self, better: float, worse: float) -> str:
        """By how much the better of two is ahead, from losses, in words."""
        if self.scale is Scale.POSITIVE:
            part = 1 - math.exp(better - worse)
            return f"{part:.0%}"
        if self.scale is Scale.PROBABILITY:
            return f"{math.exp(worse - better):.2g} times the odds"
        return f"{worse - better:.0%} of the span"

    def is_clipped(self, loss: float) -> bool:
        """Whether a probability lies at an end of what is told apart."""
        if self.scale is not Scale.PROBABILITY:
            return False
        low, high = (self.loss(end) for end in self.limits.clip)
        return min(abs(loss - low), abs(loss - high)) < 1e-9


# Which of some rows may play.
Rule = Callable[[Ints], Bools]

# The best build that may play is usually near the front: look at few before looking at many.
_FIRST_LOOK, _FURTHER = 4_096, 8


@dataclass(frozen=True, eq=False)
class ScoreOrder:
    """All builds by one score; `order` are their rows, the best first."""

    population: Population
    yardstick: ScoreScale
    scores: Floats
    score_errors: Floats
    order: Ints

    @cached_property
    def losses(self) -> Floats:
        return self.yardstick.losses(self.scores)

    @cached_property
    def errors(self) -> Floats:
        return self.yardstick.errors(self.scores, self.score_errors)

    @property
    def winner(self) -> int:
        return int(self.order[0])

    def best(self, allowed: Rule) -> int | None:
        """The row of the best build that may play; None where none may."""
        begin, size = 0, _FIRST_LOOK
        while begin < len(self.order):
            rows = self.order[begin : begin + size]
            found = np.flatnonzero(allowed(rows))
            if len(found):
                return int(rows[found[0]])
            begin, size = begin + size, size * _FURTHER
        return None

    def best_few(self, allowed: Rule, most: int) -> Ints:
        """The rows of the best few builds that may play, the best first."""
        found: list[Ints] = []
        begin, size, left = 0, _FIRST_LOOK, most
        while begin < len(self.order) and left:
            rows = self.order[begin : begin + size]
            some = rows[np.flatnonzero(allowed(rows))[:left]]
            found.append(some)
            begin, size, left = begin + size, size * _FURTHER, left - len(some)
        return np.concatenate(found)

    def without(self, banned: Bools) -> ScoreOrder | None:
        """The same contest without some builds; None where none is left."""
        order = self.order[~banned[self.order]]
        return self.among(order) if len(order) else None

    def among(self, order: Ints) -> ScoreOrder:
        """The same contest of some builds only, the best first."""
        found = ScoreOrder(self.population, self.yardstick, self.scores, self.score_errors, order)
        # They are about all builds of the table, and taking a logarithm of each takes its time.
        found.__dict__.update({"losses": self.losses, "errors": self.errors})
        return found

    def better_than(self, loss: float) -> Ints:
        """The rows of the builds with a smaller loss, the best first."""
        sorted_losses = self.losses[self.order]
        return self.order[: int(np.searchsorted(sorted_losses, loss, side="left"))]


def contest_of(population: Population, yardstick: ScoreScale, rows: Ints | None = None) -> ScoreOrder:
    """By the combined score; `rows` leaves out all others."""
    scores = population.scores
    order = population.best_first
    if rows is not None:
        chosen = np.zeros(len(population), dtype=np.bool_)
        chosen[rows] = True
        order = order[chosen[order]]
    return ScoreOrder(population, yardstick, scores.score, scores.error, order)


def contest_in(population: Population, yardstick: ScoreScale, fight: int) -> ScoreOrder:
    """By the primary metric in one fight."""
    scores = population.scores
    values = scores.fight_means[fight]
    sign = -1.0 if yardstick.higher_is_better else 1.0
    order = np.argsort(sign * values, kind="stable")
    return ScoreOrder(population, yardstick, values, scores.fight_errors[fight], order)
