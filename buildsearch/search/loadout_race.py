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
from numpy.typing import NDArray

from buildsearch.model.arrays import Floats
from buildsearch.model.loadouts import LoadoutScorer
from buildsearch.search.loadout_field import Loadout, LoadoutField
from buildsearch.search.race import contending, is_open, next_step

# Fights of everybody in a screen, and by how much fewer loadouts have more of them in each next look.
_FIRST = 64
_LOOKS = 3
_FEWER = 4
# How many loadouts that are not full yet are grown further.
_BEAM = 48


@dataclass(frozen=True, slots=True)
class Effort:
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
    effort: Effort,
    is_late: Callable[[], bool] = lambda: False,
) -> Raced:
    """Try builds that must fight; `known`: loadouts with exact scores, the best first; `partners`: others."""
    race = _Race(scorer, weights, effort, is_late)
    field = race.screened(_grown(scorer, known, partners, race), max(4 * effort.top, _BEAM))
    field.solve()
    return race.run(field, np.array([score for _, score in known[: effort.top]], float))


def _grown(
    scorer: LoadoutScorer, known: Sequence[tuple[Loadout, float]], partners: Sequence[int], race: _Race
) -> NDArray[np.int64]:
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
        self, scorer: LoadoutScorer, weights: Floats, effort: Effort, is_late: Callable[[], bool]
    ) -> None:
        self._scorer, self._weights, self._effort = scorer, weights, effort
        self._is_late = is_late
        self._left = effort.fights
        self._tried = 0

    def screened(self, loadouts: NDArray[np.int64], keep: int) -> LoadoutField:
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

    def _affordable(self, field: LoadoutField, rows: NDArray[np.int64], fights: int) -> NDArray[np.int64]:
        """As many of the rows as the fights that are left pay for, from the first on."""
        if self._is_late():
            return rows[:0]
        return rows[np.cumsum(field.cost(rows, fights)) <= self._left]

    def _play(self, field: LoadoutField, rows: NDArray[np.int64], fights: int) -> None:
        self._left -= int(field.cost(rows, fights).sum())
        field.fight_on(rows, fights)


def _best_rows(field: LoadoutField, keep: int) -> NDArray[np.int64]:
    order = np.argsort(field.scores, kind="stable")
    return np.sort(order[:keep])
