"""The builds that a verdict rests on: key builds of a table, and pools of spaces too large to score.

From the best builds, the best with each part and the best without it, every legal change is tried, again and
again, until none of them gives way to a better one. What is found so is real; that nothing was missed is not
proved, and whoever uses it says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from buildsearch.balancing.edit_table import EditTable, joined
from buildsearch.balancing.edited_game import EditedGame
from buildsearch.balancing.goals import Goal
from buildsearch.model.arrays import Bools, Ints
from buildsearch.model.levers import Edit
from buildsearch.model.space import BuildSpace, Chunk, Wanted
from buildsearch.search.build_list import by_group
from buildsearch.search.score_table import ScoreTable

# The best builds, the best with each option, and those in the way of a goal.
_BEST_OF_ALL, _EACH, IN_THE_WAY = 60, 4, 100
_LEAD = 5


def rows_that_matter(state: EditedGame, goals: Sequence[Goal], each: int = _EACH) -> Ints:
    """Those that a verdict on the game rests on: the best, so many with and without each option, those in the
    way."""
    chosen = [state.rows[:_BEST_OF_ALL]]
    population = state.court.table.population
    for choice in state.choices:
        # Whoever asks for a must-have asks for the best without it.
        has = choice.has(population, state.rows)
        chosen += [state.rows[has][:each], state.rows[~has][:each]]
    # Two that stand in for one another are needed together: so the best without both, of what leads.
    leading = _leading(state)
    chosen += [state.rows[~one & ~other][:each] for one, other in combinations(leading, 2)]
    chosen += [goal.look(state).rows[:IN_THE_WAY] for goal in goals]
    return np.unique(np.concatenate(chosen))


def rows_to_try(state: EditedGame, goals: Sequence[Goal]) -> Ints:
    """Those, and what would lead with each option if what leads today did no more."""
    chosen = [rows_that_matter(state, goals)]
    population, leading = state.court.table.population, _leading(state)
    if leading:
        without_all = ~np.logical_or.reduce(leading)
        for choice in state.choices:
            has = choice.has(population, state.rows)
            chosen += [state.rows[has & ~one][:1] for one in leading]
            chosen.append(state.rows[has & without_all][:2])
    return np.unique(np.concatenate(chosen))


def _leading(state: EditedGame) -> list[Bools]:
    population = state.court.table.population
    has = (choice.has(population, state.rows) for choice in state.choices)
    return [each for each in has if each[:_LEAD].any()]


Key = tuple[str, bytes]

# How many lead: of all builds, of those with each part, of those without it.
_BEST, _WITH, _WITHOUT = 40, 5, 2
_STARTS_A_PART = 4
_MOST_ROUNDS = 30


class Pool:
    """Builds of a large space with their scores; `score` gives those of some, `tabled` makes a table."""

    def __init__(
        self,
        space: BuildSpace,
        wanted: Wanted,
        score: Callable[[Sequence[Chunk]], ScoreTable],
        tabled: Callable[[ScoreTable], EditTable],
        *,
        most: int,
        say: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self._space, self._wanted, self._score, self._tabled = space, wanted, score, tabled
        self._most, self._say = most, say
        self._known: set[Key] = set()
        self._left: set[Key] = set()  # all of whose neighbours were looked at
        self._scores: ScoreTable | None = None
        self._table: EditTable | None = None
        self.is_full = False

    def __len__(self) -> int:
        return len(self._known)

    @property
    def table(self) -> EditTable:
        if self._table is None:
            if self._scores is None:
                raise ValueError("an empty pool has no table")
            self._table = self._tabled(self._scores)
        return self._table

    def start(self, builds: Iterable[Any], rng: np.random.Generator) -> None:
        """Some builds to begin with, and a few at random with each part."""
        first = list(builds)
        for part in self._space.parts(self._wanted):
            having = Wanted(
                self._wanted.groups,
                tuple(dict.fromkeys((*self._wanted.with_features, part))),
                self._wanted.without_features,
            )
            if part not in self._wanted.without_features and any(self._space.count(having).values()):
                first += self._space.sample(having, _STARTS_A_PART, rng)
        self.add(first)

    def add(self, builds: Iterable[Any]) -> int:
        """Score builds that are not known yet; how many they are."""
        fresh: list[Chunk] = []
        for build in builds:
            chunk = self._space.encode(build)
            key = (chunk.group, chunk.codes.tobytes())
            if key not in self._known:
                self._known.add(key)
                fresh.append(chunk)
        if fresh:
            found = self._score(by_group(fresh))
            self._scores = found if self._scores is None else joined(self._scores, found)
            self._table = None
        return len(fresh)

    def grow(self, edits: Sequence[Edit] = (), rounds: int = _MOST_ROUNDS) -> int:
        """Every change of the leaders under some edits, until they stay; how many builds that brought."""
        before = len(self)
        for _ in range(rounds):
            if len(self) >= self._most:
                self.is_full = True
                break
            scores = self.table.population.scores
            builds: list[Any] = []
            for row in self._leaders(edits).tolist():
                chunk = Chunk(scores.groups[scores.group[row]], scores.codes[row : row + 1])
                key = (chunk.group, chunk.codes.tobytes())
                if key not in self._left:
                    self._left.add(key)
                    (build,) = self._space.builds(chunk)
                    near = self._space.neighbours(build)
                    builds += [each for each in near if self._wanted.allows(self._space, each)]
            if not builds:
                break
            self._say(f"builds that matter: {len(self):,} looked at")
            self.add(builds)
        return len(self) - before

    def _leaders(self, edits: Sequence[Edit]) -> Ints:
        """Rows of the table: the best under some edits, of all, with each part, and without it."""
        levels = self.table.population.levels
        rows = np.flatnonzero(self.table.legal(edits))
        chosen = [rows[:_BEST]]
        for part in range(len(levels)):
            has = levels[part, rows] > 0
            chosen += [rows[has][:_WITH], rows[~has][:_WITHOUT]]
        return np.unique(np.concatenate(chosen)).astype(np.int64)

    def take(self, table: EditTable) -> None:
        """The same builds with better scores of some."""
        self._scores, self._table = table.population.scores, table
