"""Animon Story's scores for chunks of builds: sampled, those that a fight cannot tell apart once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache, column_digests, distinct, words_of
from buildsearch.evaluate.randomness import content_digest, stream_state
from buildsearch.evaluate.sampling import blocks_of
from buildsearch.evaluate.threads import tell
from buildsearch.model.errors import UsageError
from buildsearch.model.scorer import Samples, Solver
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.animon.bouts.bout import Bout
from buildsearch.systems.animon.bouts.choice import make_bout
from buildsearch.systems.animon.bouts.compact import read_scenario
from buildsearch.systems.animon.builds.space import AnimonSpace
from buildsearch.systems.animon.bulk.rows import BuildRows
from buildsearch.systems.animon.evaluators import Field, is_single
from buildsearch.systems.animon.exact.solver import Solver as FightSolver
from buildsearch.systems.animon.exact.solver import TooLargeError
from buildsearch.systems.animon.kernel.driver import ENGINE_VERSION, content_of
from buildsearch.systems.animon.kernel.fights import fight_rows
from buildsearch.systems.animon.mechanics.layout import ROW, Floats, Ints
from buildsearch.systems.animon.mechanics.template import empty_plan
from buildsearch.systems.animon.rules.metrics import METRICS
from buildsearch.systems.animon.rules.model import MOST_HP, AnimonRules

# Bump when the exact engine gives another number for the same fight.
EXACT_VERSION = 2
_MOST_GAUGE = 2048.0
# A fight is solved in some 10 ms: so many builds take minutes.
_MOST_TO_SOLVE = 25_000
_Solve = Callable[[FightSolver, Bout, Ints], float]


class AnimonBulk:
    """Win rates, rounds, HP left, gauge and draws."""

    outcomes = tuple(metric.name for metric in METRICS)

    def __init__(self, rules: AnimonRules, space: AnimonSpace) -> None:
        self.rules = rules
        self.space = space
        self._rows = BuildRows(rules, space)
        self._fields = LruCache[Bout, Field](64)

    def __getstate__(self) -> tuple[AnimonRules, AnimonSpace]:
        return self.rules, self.space

    def __setstate__(self, state: tuple[AnimonRules, AnimonSpace]) -> None:
        self.__init__(*state)  # type: ignore[misc]  # locks do not travel

    def outcome_range(self, outcome: str, bout: Bout) -> tuple[float, float]:
        """Shares, rounds up to the limit, all HP that a form can have, and as much gauge as is counted."""
        if outcome == "rounds":
            return 0.0, float(bout.max_rounds)
        if outcome == "hp_left":
            return 0.0, float(MOST_HP)
        return 0.0, _MOST_GAUGE if outcome == "gauge" else 1.0

    def derived(self, bout: Bout, primary: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Nothing follows from the win rate."""
        return {}

    def context(self, group: str, bout: Bout) -> bytes:
        """Everything that decides a fight but the build's numbers. Names of scenarios are no part of it."""
        start = bout.start or ""
        parts = [f"{EXACT_VERSION} {ENGINE_VERSION} {bout.play} {start} {bout.bond_points} {group}"]
        parts += [str(self.rules.bond.base), self.rules.rulings.multi_element]
        return content_digest(self._field(bout).digest, *(part.encode() for part in parts))

    def keys(self, chunk: Chunk) -> NDArray[np.uint64]:
        """A digest of the build's numbers."""
        return words_of(self._rows.rows(chunk), self._digests)

    def solve(self, chunk: Chunk, bout: Bout) -> NDArray[np.float64]:
        """Best play is solved, and greedy play against one foe at a time in a space of some thousand builds.

        In larger ones greedy play is sampled, and solved for the contenders.
        """
        if bout.play == "greedy":
            if self._solves_all and is_single(bout):
                return self._each(chunk, bout, self._greedy)
            return np.full(len(chunk), np.nan)
        if not bout.is_alone or len(bout.waves) > 1:
            raise UsageError(
                f"{bout.name}: best play is for a build without allies in one wave. Choose another "
                "with ‹scenario›."
            )
        return self._each(chunk, bout, self._best)

    def solver(self, chunk: Chunk, bouts: Sequence[Bout]) -> Solver:
        """Fights have nothing in common that would be worth keeping."""
        return lambda number: self.solve(chunk, bouts[number])

    def solve_alone(self, chunk: Chunk, bout: Bout) -> NDArray[np.float64]:
        """Fights with one foe at a time are solved."""
        if bout.play != "greedy" or not is_single(bout) or self._solves_all:
            return np.full(len(chunk), np.nan)
        return self._each(chunk, bout, self._greedy)

    def alone_costs(self, chunk: Chunk, bout: Bout) -> NDArray[np.float64]:
        """Nothing where several fight at once: those are not tried."""
        return np.full(len(chunk), 1.0 if bout.play == "greedy" and is_single(bout) else 0.0)

    def compile_apart(self, groups: Collection[str]) -> None:
        """The engine that solves contenders: it takes a minute, and others fight meanwhile."""
        bout = make_bout("", read_scenario("L1:fledgling:neutral;rounds=1", self.rules), self.rules, "greedy")
        (build,) = self.space.sample(Wanted(), 1, np.random.default_rng(0))
        field = Field(self.rules, bout)
        field.solver.greedy(field.row(build))

    def sample(self, chunk: Chunk, bout: Bout, seed: int, fights: int) -> Samples:
        """Fights of the kernel: those that `score` plays under the same seed."""
        field = self._field(bout)
        rows, where = self._different(chunk, bout, field)
        contents = [content_of(field.digest, row) for row in rows]
        totals, squares = np.zeros((len(self.outcomes), len(rows))), np.zeros(len(rows))
        plan, odds = empty_plan(field.template)
        for block, number in blocks_of(0, fights):
            streams = np.array([stream_state(seed, content, block) for content in contents], np.uint64)
            with np.errstate(over="ignore"):  # the generator wraps around on purpose
                fight_rows(field.template, rows, plan, odds, streams, number, totals, squares)
        return Samples(fights, totals[:, where], squares[where])

    def _different(self, chunk: Chunk, bout: Bout, field: Field) -> tuple[Ints, Ints]:
        """The rows that the fight tells apart, and the number of each build's."""
        rows = self._rows.rows_in(chunk, bout, field.alike)
        _, first, where = distinct(words_of(rows, self._digests))
        return np.ascontiguousarray(rows[first]), np.ravel(where)

    def _each(self, chunk: Chunk, bout: Bout, solve: _Solve) -> Floats:
        field = self._field(bout)
        rows, where = self._different(chunk, bout, field)
        # A solver remembers its last fight: threads have one each.
        solver = FightSolver(field.template, field.solver.most_nodes)
        means = np.full(len(rows), np.nan)
        for number, row in enumerate(rows):
            means[number] = solve(solver, bout, row)
            tell(len(chunk) / len(rows))
        return means[where]

    @staticmethod
    def _greedy(solver: FightSolver, bout: Bout, row: Ints) -> float:
        try:
            found = solver.greedy(row)
        except TooLargeError:
            return float("nan")
        return found.won + found.drawn / 2

    @staticmethod
    def _best(solver: FightSolver, bout: Bout, row: Ints) -> float:
        try:
            found = solver.best(row)[0]
        except TooLargeError as error:
            raise UsageError(
                f"best play in {bout.name} has too many states for some builds. Choose scenarios of one foe "
                "with ‹scenario›, or fewer builds."
            ) from error
        return found.won + found.drawn / 2

    def _field(self, bout: Bout) -> Field:
        return self._fields.get(bout, lambda: Field(self.rules, bout))

    @cached_property
    def _solves_all(self) -> bool:
        return sum(self.space.count(Wanted()).values()) <= _MOST_TO_SOLVE

    @cached_property
    def _digests(self) -> NDArray[np.uint64]:
        return column_digests(ROW)
