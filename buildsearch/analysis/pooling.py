"""How much an option changes sampled scores at most, by all pairs of builds with it and without it together.

One pair of sampled builds says little; thousands say much. An option is said to change nothing only where a
change of one point is excluded: of the win rate, of the metric's span, or one hundredth of a positive score.
That is a test of equivalence. Pairs that merely do not differ enough to be noticed prove nothing.

The change is the root of the mean squared change, so that what helps some builds and hurts others does not
add up to nothing. d is the difference of a pair, v its sampling variance: d^2 - v has the mean change^2 and
the variance 2 v^2 + 4 change^2 v. Fights are drawn from streams named by the content of a build, so pairs are
independent, unless builds are the same to the engine: then their scores are the same numbers. Whatever shares
a score counts as one draw, which is right for such builds and cautious for chance. Pairs with the same score
on both sides fought the same fights, or did not differ by chance: leaving them out makes the rest look worse.
Exact pairs that do not differ count as pairs without a change. So that they do not hide one, sampled pairs
may also not differ together by more than chance explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from buildsearch.analysis.population import Population
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.evaluation import Scale

# Fewer different pairs prove nothing, however equal they are.
_FEWEST = 10


@dataclass(frozen=True, slots=True)
class Pooled:
    """What pairs of builds say in one fight, in parts of 1: the largest root mean square of changes and the
    largest mean gain that they leave possible, infinite where they are too few; and whether sampled pairs
    show that there is some change, or some gain."""

    change: float
    gain: float
    is_changed: bool
    is_gain: bool


@dataclass(frozen=True, slots=True)
class Pooling:
    """`point` is the least change that must be excluded, `rate` the chance to call dead any option of a whole
    game that changes some scenario by as much."""

    yardstick: ScoreScale
    point: float
    rate: float

    def changes_nothing(self, found: Sequence[Pooled]) -> bool:
        """Whether a change of one point is excluded in every fight."""
        return all(each.change < self.point and not each.is_changed for each in found)

    def never_helps(self, found: Sequence[Pooled]) -> bool:
        """Whether a mean gain of one point is excluded in every fight."""
        return all(each.gain < self.point and not each.is_gain for each in found)

    def fights_without(self, options: int) -> int:
        """How many fights without a firing exclude that an option fires in one point of them."""
        return int(np.ceil(np.log(options / self.rate) / self.point))

    def pool(self, population: Population, part: int) -> list[Pooled]:
        """Every build with a part that stays a build without it, by fight, where some of them are sampled."""
        # A part stands once among a build's items for each level: one place of it will do.
        rows = np.flatnonzero(population.has(part))
        place = (population.items[rows] == part).argmax(axis=1)
        below = population.down[rows, place]
        rows, below = rows[below >= 0], below[below >= 0]
        # Of many options each may be wrong; what changes a fight must be missed in that one.
        sure = NormalDist().inv_cdf(1 - self.rate / max(1, len(population.free)))
        found = []
        for fight in range(population.means.shape[1]):
            sampled = (population.errors[rows, fight] > 0) | (population.errors[below, fight] > 0)
            if sampled.any():
                pairs = rows[sampled], below[sampled]
                found.append(self._in_one_fight(population, pairs, fight, sure, float(sampled.mean())))
        return found

    def _in_one_fight(
        self, population: Population, pairs: tuple[Ints, Ints], fight: int, sure: float, share: float
    ) -> Pooled:
        """Sampled pairs are a `share` of all; the others have no change."""
        here, there = (population.means[rows, fight] for rows in pairs)
        errors = np.stack([population.errors[rows, fight] for rows in pairs])
        unit = self._unit(here, there)
        gain = (there - here) / unit
        variance = (errors**2).sum(axis=0) / unit**2
        # Of a build that won or lost every fight the error is made up: it must explain no difference.
        known = np.where(self._at_an_end(np.stack([here, there])), 0.0, errors**2).sum(axis=0) / unit**2
        draws = _draws(here) + _draws(there) - 1
        mean, doubt = float(gain.mean()), sure * sqrt(float((variance * draws).sum())) / len(gain)
        differs = (here != there) | (known == 0)
        many = max(1, int(differs.sum()))
        squares = float((gain**2 - known)[differs].sum()) / many
        noise = 2 * variance**2 + 4 * self.point**2 * variance
        spread = sure * sqrt(float((noise * draws)[differs].sum())) / many
        is_changed = abs(mean) > doubt or squares > spread
        if len(np.unique(np.stack([here, there]), axis=1).T) < _FEWEST and share == 1:
            return Pooled(np.inf, np.inf, is_changed, mean > doubt)
        return Pooled(
            sqrt(share * max(0.0, squares + spread)), share * (mean + doubt), is_changed, mean > doubt
        )

    def _unit(self, here: Floats, there: Floats) -> Floats:
        """What a change is measured in."""
        if self.yardstick.scale is Scale.POSITIVE:
            return np.asarray(np.maximum(np.abs(here + there) / 2, 1e-12))
        return np.full(len(here), 1.0 if self.yardstick.scale is Scale.PROBABILITY else self.yardstick.span)

    def _at_an_end(self, means: Floats) -> Bools:
        is_chance = self.yardstick.scale is Scale.PROBABILITY
        return np.asarray(is_chance & np.isin(np.abs(means), (0.0, 1.0)))


def _draws(scores: Floats) -> Ints:
    """By pair how many have the same score."""
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    return np.asarray(count[place.reshape(-1)])
