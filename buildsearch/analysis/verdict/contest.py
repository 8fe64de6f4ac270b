"""Builds from the best to the worst: who is the best of some?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from buildsearch.analysis.population import Population
from buildsearch.analysis.verdict.yardstick import Yardstick
from buildsearch.model.arrays import Bools, Floats, Ints

# Which of some rows may play.
Rule = Callable[[Ints], Bools]

# The best build that may play is usually near the front: look at few before looking at many.
_FIRST_LOOK, _FURTHER = 4_096, 8


@dataclass(frozen=True, eq=False)
class Contest:
    """All builds by one score; `order` are their rows, the best first."""

    population: Population
    yardstick: Yardstick
    scores: Floats
    score_errors: Floats
    order: Ints

    @cached_property
    def losses(self) -> Floats:
        """The losses of all builds, in the order of the table."""
        return self.yardstick.losses(self.scores)

    @cached_property
    def errors(self) -> Floats:
        """Their standard errors."""
        return self.yardstick.errors(self.scores, self.score_errors)

    @property
    def winner(self) -> int:
        """The row of the best build."""
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

    def without(self, banned: Bools) -> Contest | None:
        """The same contest without some builds; None where none is left."""
        order = self.order[~banned[self.order]]
        return self.among(order) if len(order) else None

    def among(self, order: Ints) -> Contest:
        """The same contest of some builds only, the best first."""
        found = Contest(self.population, self.yardstick, self.scores, self.score_errors, order)
        # They are about all builds of the table, and taking a logarithm of each takes its time.
        found.__dict__.update({"losses": self.losses, "errors": self.errors})
        return found

    def better_than(self, loss: float) -> Ints:
        """The rows of the builds with a smaller loss, the best first."""
        sorted_losses = self.losses[self.order]
        return self.order[: int(np.searchsorted(sorted_losses, loss, side="left"))]


def contest_of(population: Population, yardstick: Yardstick, rows: Ints | None = None) -> Contest:
    """By the combined score; `rows` leaves out all others."""
    scores = population.scores
    order = population.best_first
    if rows is not None:
        chosen = np.zeros(len(population), dtype=np.bool_)
        chosen[rows] = True
        order = order[chosen[order]]
    return Contest(population, yardstick, scores.score, scores.error, order)


def contest_in(population: Population, yardstick: Yardstick, fight: int) -> Contest:
    """By the primary metric in one fight."""
    scores = population.scores
    values = scores.fight_means[fight]
    sign = -1.0 if yardstick.higher_is_better else 1.0
    order = np.argsort(sign * values, kind="stable")
    return Contest(population, yardstick, values, scores.fight_errors[fight], order)
