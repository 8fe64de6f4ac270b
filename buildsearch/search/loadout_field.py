"""Loadouts that fight: what is exact of each, what its fights added up to, and what that says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.sampling import BLOCK
from buildsearch.evaluate.statistics import mean_of_sums, weighted_mean, within
from buildsearch.model.arrays import Floats
from buildsearch.model.evaluation import Estimate
from buildsearch.model.loadouts import LoadoutScorer
from buildsearch.search.bounds import lower_bounds, upper_bounds

Loadout = tuple[int, ...]


class LoadoutField:
    """Rows of loadouts. All fights of a loadout that are not exact are sampled equally often."""

    def __init__(self, scorer: LoadoutScorer, weights: Floats, loadouts: NDArray[np.int64]) -> None:
        self._scorer = scorer
        self._weights = weights / weights.sum()
        self.loadouts = loadouts
        shape = (len(loadouts), len(weights))
        self._exact = np.full(shape, np.nan)
        self._sums, self._squares = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.fought = np.zeros(len(loadouts), np.int64)

    def __len__(self) -> int:
        return len(self.loadouts)

    def part(self, rows: NDArray[np.int64]) -> LoadoutField:
        """Some of the rows, with what is known of them."""
        other = LoadoutField(self._scorer, self._weights, self.loadouts[rows])
        other._exact, other.fought = self._exact[rows], self.fought[rows]
        other._sums, other._squares = self._sums[rows], self._squares[rows]
        return other

    def solve(self) -> None:
        """Take exact values wherever there are some."""
        for fight in range(len(self._weights)):
            self._exact[:, fight] = self._scorer.exact_values(fight, self.loadouts)

    def cost(self, rows: NDArray[np.int64], fights: int) -> NDArray[np.int64]:
        """By row: how many fights must be played to have so many of each."""
        before = np.where(self.fought[rows] < BLOCK, 0, self.fought[rows])
        return np.asarray(np.isnan(self._exact[rows]).sum(axis=1) * (fights - before), np.int64)

    def fight_on(self, rows: NDArray[np.int64], fights: int) -> None:
        """Play until these rows, which fought equally often, have so many fights of each kind.

        Within the first block they begin anew: its fights are the same, whatever number is asked for.
        """
        before = int(self.fought[rows[0]])
        before = 0 if before < BLOCK else before
        for fight in range(len(self._weights)):
            open_ = rows[np.isnan(self._exact[rows, fight])]
            if len(open_):
                sums, squares = self._scorer.fight_on(
                    fight, self.loadouts[open_], fights - before, before // BLOCK
                )
                self._sums[open_, fight] = sums + (self._sums[open_, fight] if before else 0)
                self._squares[open_, fight] = squares + (self._squares[open_, fight] if before else 0)
        self.fought[rows] = fights

    @property
    def means(self) -> Floats:
        """By loadout and fight: exact, or the mean of the fights."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(np.isnan(self._exact), self._sums / self.fought[:, None], self._exact)

    @property
    def scores(self) -> Floats:
        """The weighted means over the fights."""
        return np.asarray(self.means @ self._weights, np.float64)

    def bounds(self, alpha: float) -> tuple[Floats, Floats]:
        """What scores are at least and at most, all the time, but with chance alpha each side and fight."""
        low, high = np.zeros(len(self)), np.zeros(len(self))
        for fight, weight in enumerate(self._weights):
            sums = self._sums[:, fight].astype(float), self._squares[:, fight].astype(float)
            span = self._scorer.outcome_range(fight)
            exact = self._exact[:, fight]
            lows, highs = (end(self.fought, *sums, *span, alpha) for end in (lower_bounds, upper_bounds))
            low += weight * np.where(np.isnan(exact), lows, exact)
            high += weight * np.where(np.isnan(exact), highs, exact)
        return low, high

    def estimates(self, row: int) -> tuple[Estimate, ...]:
        """By fight: the mean with its 95 % interval; an exact one has none."""
        return tuple(self._estimate(row, fight) for fight in range(len(self._weights)))

    def _estimate(self, row: int, fight: int) -> Estimate:
        exact = float(self._exact[row, fight])
        if not np.isnan(exact):
            return Estimate(exact, 0.0, exact, exact)
        sums = int(self.fought[row]), int(self._sums[row, fight]), int(self._squares[row, fight])
        return within(mean_of_sums(*sums)[0], *self._scorer.outcome_range(fight))

    def estimate(self, row: int) -> Estimate:
        """The score with its 95 % interval."""
        return weighted_mean(list(self.estimates(row)), self._weights.tolist())

    def is_exact(self, row: int) -> tuple[bool, ...]:
        """By fight: whether its value is exact."""
        return tuple((~np.isnan(self._exact[row])).tolist())
