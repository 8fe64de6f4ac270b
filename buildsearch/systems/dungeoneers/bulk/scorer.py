"""Dungeoneers' scores for chunks of builds: exact, each kind of fighter once."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache, RowCache, column_digests, distinct, words_of
from buildsearch.evaluate.one_by_one import OneByOne
from buildsearch.evaluate.randomness import content_digest
from buildsearch.model.errors import UsageError
from buildsearch.model.space import Chunk
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.builds.space import DungeoneersSpace
from buildsearch.systems.dungeoneers.bulk.equivalence import Equivalence
from buildsearch.systems.dungeoneers.bulk.rows import HeroRows
from buildsearch.systems.dungeoneers.evaluators import evaluators
from buildsearch.systems.dungeoneers.exact.best import best_of
from buildsearch.systems.dungeoneers.exact.solver import (
    ROOM,
    Scratch,
    TooLargeError,
    Turns,
    ends_of,
    make_room,
    solve_rows,
)
from buildsearch.systems.dungeoneers.exact.solver import Solver as FightSolver
from buildsearch.systems.dungeoneers.exact.template import ROW, empty_plan, make_template
from buildsearch.systems.dungeoneers.rules.metrics import METRICS
from buildsearch.systems.dungeoneers.rules.model import MOST_SCORE, MOST_WOUNDS, DungeoneersRules

# Bump when an engine gives another number for the same fight.
EXACT_VERSION = 1
Rows = NDArray[np.int64]
# As many as any hero's life makes.
_ENDS = ends_of(2 + MOST_SCORE + MOST_WOUNDS)


class DungeoneersBulk(OneByOne):
    """Win rates; the other metrics come from the evaluators, for those that are looked at."""

    outcomes = tuple(metric.name for metric in METRICS)

    def __init__(self, rules: DungeoneersRules, space: DungeoneersSpace) -> None:
        self.rules = rules
        self.space = space
        self.evaluators = evaluators(rules)
        self._rows = HeroRows(rules, space)
        self._solvers = LruCache[bytes, _BoutSolver](64)

    def __getstate__(self) -> tuple[DungeoneersRules, DungeoneersSpace]:
        return self.rules, self.space

    def __setstate__(self, state: tuple[DungeoneersRules, DungeoneersSpace]) -> None:
        self.__init__(*state)  # type: ignore[misc]  # locks and memories do not travel

    def outcome_range(self, outcome: str, bout: Bout) -> tuple[float, float]:
        """Shares, rounds up to the limit, and all life that a hero can have."""
        if outcome == "rounds":
            return 0.0, float(bout.numbers.rounds)
        if outcome == "life":
            return 0.0, float(1 + self.rules.sizes[self.rules.hero.size] + MOST_SCORE)
        return 0.0, 1.0

    def context(self, group: str, bout: Bout) -> bytes:
        """Everything that decides a fight but the hero's numbers. Names of foes are no part of it.

        The group is, though keys hold its numbers too: a cache sorts a context at every addition, and 400
        contexts of some thousand builds are sorted in no time, one of millions is not.
        """
        rules = self.rules
        parts = [
            str(EXACT_VERSION),
            group,
            bout.play,
            bout.numbers.model_dump_json(),
            bout.rulings.model_dump_json(),
            rules.stress.model_dump_json(),
            rules.hero.model_dump_json(),
            repr(rules.sizes),
            *(spell.model_dump_json(exclude={"name", "section", "cost"}) for spell in rules.spells.values()),
            repr([each.foe for each in bout.foes]),
        ]
        return content_digest(*(part.encode() for part in parts))

    def keys(self, chunk: Chunk) -> NDArray[np.uint64]:
        """A digest of the hero's numbers."""
        return words_of(self._rows.rows(chunk), self._digests)

    def solve(self, chunk: Chunk, bout: Bout) -> NDArray[np.float64]:
        """Exact win rates; NaN where a fight has too many states. Raises UsageError for best play of such."""
        solver = self._solver(bout)
        rows = solver.equivalence.reduced(self._rows.rows(chunk))
        words, first, where = distinct(words_of(rows, self._digests))
        values = solver.memory.find(words)
        new = np.flatnonzero(np.isinf(values))
        if len(new):
            values[new] = solver.solve(rows[first[new]])
            solver.memory.add(words[new], values[new])
        return values[where]

    def _solver(self, bout: Bout) -> _BoutSolver:
        return self._solvers.get(self.context("", bout), lambda: _BoutSolver(self.rules, bout))

    @cached_property
    def _digests(self) -> NDArray[np.uint64]:
        return column_digests(ROW)


class _BoutSolver:
    """One fight: what it cannot tell apart, and what is known of it."""

    def __init__(self, rules: DungeoneersRules, bout: Bout) -> None:
        self.bout = bout
        self.template = make_template(rules, bout)
        self.equivalence = Equivalence(self.template)
        self.memory = RowCache()
        self.single = FightSolver(self.template, bout)
        orders = self.single.orders
        padded = np.zeros((len(orders), max(map(len, orders)), len(bout.foes) + 1), np.int64)
        for prowess, order in enumerate(orders):
            padded[prowess, : len(order)] = order
        self._turns = Turns(padded, np.array([len(order) for order in orders], np.int64), self.single.rounds)

    def solve(self, rows: Rows) -> NDArray[np.float64]:
        """The win rate of each row, draws at their worth."""
        if self.bout.play == "optimal":
            return np.array([self._best(row) for row in rows])
        found = np.empty(len(rows))
        with np.errstate(over="ignore"):  # hashes wrap around on purpose; without the JIT numpy warns
            solve_rows(
                self.template,
                self._turns,
                self.bout.rulings.draw_value,
                rows,
                empty_plan(self.template),
                make_room(ROOM, ROOM),
                Scratch(np.empty(ROOM, np.int64), np.zeros(ROOM), np.empty(_ENDS)),
                found,
            )
        for i in np.flatnonzero(np.isnan(found)):
            found[i] = self._large(rows[i])
        return found

    def _large(self, row: Rows) -> float:
        try:
            ended = self.single.greedy(row)
        except TooLargeError:
            return float("nan")
        return float(ended.won.sum() + self.bout.rulings.draw_value * ended.drawn.sum())

    def _best(self, row: Rows) -> float:
        try:
            return best_of(self.single, row, self.bout.rulings.draw_value).value
        except TooLargeError as error:
            raise UsageError(
                f"best play in {self.bout.name} has too many states for some builds. Choose scenarios of one "
                "or two foes with ‹only›, or fewer builds."
            ) from error
