"""Builds that only fights can value, beside the best loadouts and one another.

Loadouts grow build by build; at each size those that do well in few fights fight on, a quarter of them with
four times as many fights, until few are left. That is a screen, and proves nothing. The rest race: exact
values are taken where there are some, and fights go where ranks are open, by bounds that hold at every moment
for all who were tried at once (`bounds`), until the best are decided or the fights are spent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from buildsearch.evaluate.sampling import BLOCK
from buildsearch.evaluate.statistics import mean_of_sums, weighted_mean, within
from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.evaluation import Estimate
from buildsearch.model.loadouts import LoadoutScorer
from buildsearch.search.bounds import lower_bounds, upper_bounds
from buildsearch.search.race import contending, is_open, next_step

Loadout = tuple[int, ...]


class LoadoutField:
    """Rows of loadouts. All fights of a loadout that are not exact are sampled equally often."""

    def __init__(self, scorer: LoadoutScorer, weights: Floats, loadouts: Ints) -> None:
        self._scorer = scorer
        self._weights = weights / weights.sum()
        self.loadouts = loadouts
        shape = (len(loadouts), len(weights))
        self._exact = np.full(shape, np.nan)
        self._sums, self._squares = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.fought = np.zeros(len(loadouts), np.int64)

    def __len__(self) -> int:
        return len(self.loadouts)

    def part(self, rows: Ints) -> LoadoutField:
        """Some of the rows, with what is known of them."""
        other = LoadoutField(self._scorer, self._weights, self.loadouts[rows])
        other._exact, other.fought = self._exact[rows], self.fought[rows]
        other._sums, other._squares = self._sums[rows], self._squares[rows]
        return other

    def solve(self) -> None:
        """Take exact values wherever there are some."""
        for fight in range(len(self._weights)):
            self._exact[:, fight] = self._scorer.exact_values(fight, self.loadouts)

    def cost(self, rows: Ints, fights: int) -> Ints:
        """By row: how many fights must be played to have so many of each."""
        before = np.where(self.fought[rows] < BLOCK, 0, self.fought[rows])
        return np.asarray(np.isnan(self._exact[rows]).sum(axis=1) * (fights - before), np.int64)

    def fight_on(self, rows: Ints, fights: int) -> None:
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
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(np.isnan(self._exact), self._sums / self.fought[:, None], self._exact)

    @property
    def scores(self) -> Floats:
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
        return weighted_mean(list(self.estimates(row)), self._weights.tolist())

    def is_exact(self, row: int) -> tuple[bool, ...]:
        return tuple((~np.isnan(self._exact[row])).tolist())


# Fights of everybody in a screen, and by how much fewer loadouts have more of them in each next look.
_FIRST = 64
_LOOKS = 3
_FEWER = 4
# How many loadouts that are not full yet are grown further.
_BEAM = 48


@dataclass(frozen=True, slots=True)
class LoadoutEffort:
    """How many to rank, how many fights may be played in all, and how sure bounds are."""

    top: int
    fights: int
    alpha: float = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Raced:
    """Who was left in the end, with bounds on their scores, and how it went."""

    field: LoadoutField
    low: Floats
    high: Floats
    tried: int
    fights: int
    open_ranks: int


def race_loadouts(
    scorer: LoadoutScorer,
    weights: Floats,
    known: Sequence[tuple[Loadout, float]],
    partners: Sequence[int],
    effort: LoadoutEffort,
    is_late: Callable[[], bool] = lambda: False,
) -> Raced:
    """Try builds that must fight; `known`: loadouts with exact scores, the best first; `partners`: others."""
    race = _Race(scorer, weights, effort, is_late)
    field = race.screened(_grown(scorer, known, partners, race), max(4 * effort.top, _BEAM))
    field.solve()
    return race.run(field, np.array([score for _, score in known[: effort.top]], float))


def _grown(
    scorer: LoadoutScorer, known: Sequence[tuple[Loadout, float]], partners: Sequence[int], race: _Race
) -> Ints:
    """Full loadouts with a build that must fight: grown from those builds, or by a swap in the best known."""
    first = scorer.candidates + scorer.extra
    new = list(range(first, first + scorer.sampled))
    pool = [*new, *partners]
    beam: list[Loadout] = [(one,) for one in new]
    for size in range(2, scorer.size + 1):
        grown = list(dict.fromkeys(tuple(sorted((*each, one))) for each, one in product(beam, pool)))
        if size < scorer.size:
            field = race.screened(np.array(grown, np.int64).reshape(-1, size), _BEAM)
            grown = [tuple(row) for row in field.loadouts.tolist()]
        beam = grown
    swapped = (
        tuple(sorted((*loadout[:place], one, *loadout[place + 1 :])))
        for loadout, _ in known[:_BEAM]
        for place in range(scorer.size)
        for one in new
    )
    whole = list(dict.fromkeys([*beam, *(() if scorer.size == 2 else swapped)]))
    return np.array(whole, np.int64).reshape(-1, scorer.size)


class _Race:
    """Counts the fights that are left."""

    def __init__(
        self, scorer: LoadoutScorer, weights: Floats, effort: LoadoutEffort, is_late: Callable[[], bool]
    ) -> None:
        self._scorer, self._weights, self._effort = scorer, weights, effort
        self._is_late = is_late
        self._left = effort.fights
        self._tried = 0

    def screened(self, loadouts: Ints, keep: int) -> LoadoutField:
        """The best in few fights, at most `keep` of them."""
        field = LoadoutField(self._scorer, self._weights, loadouts)
        self._tried += len(field)
        fights = _FIRST
        for look in range(_LOOKS):
            # The best first, where fights are too few for all.
            order = np.argsort(field.scores, kind="stable") if look else np.arange(len(field))
            rows = np.sort(self._affordable(field, order, fights))
            if len(rows) == 0:
                return field.part(_best_rows(field, keep) if look else rows)
            field = field.part(rows)
            self._play(field, np.arange(len(rows)), fights)
            last = look == _LOOKS - 1
            wanted = keep if last else max(keep, len(field) // _FEWER)
            field = field.part(_best_rows(field, wanted))
            fights *= _FEWER
        return field

    def run(self, field: LoadoutField, firm: Floats) -> Raced:
        """Fight on where ranks are open, those with exact scores beside them."""
        effort = self._effort
        # Each side of each fight of everybody has its share, those included who did not pass a screen: who
        # passed was chosen by the same fights.
        alpha = effort.alpha / (2 * max(1, self._tried) * len(self._weights))
        low, high = np.zeros(0), np.zeros(0)
        open_ = np.zeros(0, bool)
        while len(field):
            low, high = field.bounds(alpha)
            lows, highs = np.concatenate([low, firm]), np.concatenate([high, firm])
            racing = contending(lows, highs, effort.top)
            open_ = (is_open(lows, highs) & racing)[: len(field)]
            rows = np.flatnonzero(open_)
            if len(rows) == 0 or self._is_late():
                break
            rows = rows[field.fought[rows] == field.fought[rows].min()]
            fights = next_step(int(field.fought[rows[0]]))
            rows = self._affordable(field, rows[np.argsort(field.scores[rows], kind="stable")], fights)
            if len(rows) == 0:
                break
            self._play(field, np.sort(rows), fights)
        spent = effort.fights - self._left
        return Raced(field, low, high, self._tried, spent, int(open_.sum()))

    def _affordable(self, field: LoadoutField, rows: Ints, fights: int) -> Ints:
        """As many of the rows as the fights that are left pay for, from the first on."""
        if self._is_late():
            return rows[:0]
        return rows[np.cumsum(field.cost(rows, fights)) <= self._left]

    def _play(self, field: LoadoutField, rows: Ints, fights: int) -> None:
        self._left -= int(field.cost(rows, fights).sum())
        field.fight_on(rows, fights)


def _best_rows(field: LoadoutField, keep: int) -> Ints:
    order = np.argsort(field.scores, kind="stable")
    return np.sort(order[:keep])
