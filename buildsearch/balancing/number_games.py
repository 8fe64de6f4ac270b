"""Numbers that change fights, tried in one or several games: on builds known to be in the way, on the builds
that matter, on what is looked for anew, and at last on all builds.

No table answers such an edit: builds are scored again under the edited rules. So the cheapest question comes
first, and whoever breaks the goal in a dearer one is asked in the cheapest from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from buildsearch.balancing.build_pool import IN_THE_WAY, Key, rows_to_try
from buildsearch.balancing.edit_table import EditTable
from buildsearch.balancing.edited_game import EditEvaluator
from buildsearch.balancing.game import BalancedGame, EditScorer
from buildsearch.balancing.goals import Goal, GoalResult, GoalStatus, hold
from buildsearch.balancing.measure import deciding
from buildsearch.model.arrays import Ints
from buildsearch.model.evaluation import TIE
from buildsearch.model.levers import Edit

# The parts that a build has.
Parts = frozenset[str]

# Builds that are asked first, of those in the way today and of those that a look brings up.
_SUSPECTS, _NEW_SUSPECTS, _MOST_SUSPECTS = 24, 6, 96
_SETTLE_FIGHTS = 4_000_000
# A goal that is broken by so little (a loss: about a share of the score) is looked at again on builds that
# come up under the edits: so often at most, and so many changes away.
_NEAR, _MOST_GROWN, _FEW_ROUNDS = 0.25, 24, 2


@dataclass(eq=False)
class NumberGame:
    """One game under other numbers."""

    game: BalancedGame
    lab: EditScorer
    suspects: dict[Key, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._support: dict[Key, None] = {}
        self._open()
        today = self.court.state(())
        for goal, look in self._looks:
            if goal.by_removal:
                self.learn(self.court.table, look.rows[:_SUSPECTS])
        self.learn(self.court.table, today.rows[:2])

    def _open(self) -> None:
        today = self.court.state(())
        self._looks = [(goal, goal.look(today)) for goal in self.goals]
        self._rows = rows_to_try(today, self.goals)
        self._places: dict[Key, int | None] = {}
        rows = {row for _, look in self._looks for row in look.rows[:IN_THE_WAY].tolist()}
        self.in_the_way_today = [self.parts(row) for row in sorted(rows)]

    def row(self, key: Key) -> int | None:
        """Where a build stands in today's table; None where it is not in it."""
        if key not in self._places:
            scores = self.court.table.population.scores
            group, code = key
            found = np.zeros(0, dtype=np.int64)
            if group in scores.groups:
                same = (scores.codes == np.frombuffer(code, dtype=scores.codes.dtype)).all(axis=1)
                found = np.flatnonzero(same & (scores.group == scores.groups.index(group)))
            self._places[key] = int(found[0]) if len(found) else None
        return self._places[key]

    def _rows_now(self) -> Ints:
        support = [row for key in self._support if (row := self.row(key)) is not None]
        return np.unique(np.concatenate([self._rows, self._suspect_rows(), support])).astype(np.int64)

    def _suspect_rows(self) -> list[int]:
        rows = (self.row(key) for key in reversed(self.suspects))
        return [row for row in rows if row is not None]

    @property
    def builds_to_try(self) -> int:
        return len(self._rows)

    @property
    def court(self) -> EditEvaluator:
        return self.game.court

    @property
    def goals(self) -> tuple[Goal, ...]:
        return self.game.judge.goals

    def parts(self, row: int, table: EditTable | None = None) -> Parts:
        """What a build has, its group with it."""
        table = table or self.court.table
        return frozenset({*table.has(row), table.group_of(row)})

    def learn(self, table: EditTable, rows: Ints) -> None:
        """Builds of a table are asked first from now on; a pool learns of those that it has not seen."""
        self._take(table, rows)
        for key in self._keys(table, rows):
            if self.row(key) is not None:
                self.suspects.pop(key, None)
                self.suspects[key] = None
        for key in list(self.suspects)[:-_MOST_SUSPECTS]:
            del self.suspects[key]

    @staticmethod
    def _keys(table: EditTable, rows: Ints) -> list[Key]:
        scores = table.population.scores
        return [(scores.groups[int(scores.group[row])], scores.codes[row].tobytes()) for row in rows.tolist()]

    def _take(self, table: EditTable, rows: Ints) -> None:
        """A pool learns of builds that it has not seen."""
        pool = self.game.pool
        if pool is not None and any(self.row(key) is None for key in self._keys(table, rows)):
            space = table.subject.space
            pool.take(self.court.table)
            pool.add(space.parse(table.population.name(row, space)) for row in rows.tolist())
            self.game.court = self.game.reopened(pool.table)
            self._open()

    def _limits(self) -> list[float]:
        return [
            look.limit
            for goal, look in self._looks
            if goal.by_removal and len(look.rows) and look.limit is not None
        ]

    def blocker(self, edits: Sequence[Edit]) -> Parts | None:
        """A suspect that is in the way whatever these edits leave undone: by today's limits, which weaker
        builds can only move away from it."""
        limits = self._limits()
        unless = {name for edit in edits for name in edit.unless}
        rows = [row for row in self._suspect_rows() if not unless & self.parts(row)]
        if not rows or not limits:
            return None
        if not edits:
            losses = self.court.state(()).contest.losses
            found = [row for row in rows if losses[row] < max(limits) - TIE]
            return self.parts(found[0]) if found else None
        again = self.lab.scored_again(self.court.table, edits, np.array(rows, dtype=np.int64))
        loss = self.court.case.yardstick.loss
        for row, score, error in zip(rows, again.score.tolist(), again.error.tolist(), strict=True):
            if error == 0 and loss(score) < max(limits) - TIE:
                return self.parts(row)
        return None

    def reach(self, edit: Edit) -> tuple[int, int, bool]:
        """How many suspects an edit takes out of the way, of how many, and whether it changes any."""
        limit = max(self._limits(), default=-np.inf)
        yardstick, scores = self.court.case.yardstick, self.court.table.population.scores.score
        all_rows = [row for row in self._suspect_rows() if yardstick.loss(float(scores[row])) < limit - TIE]
        rows = [row for row in all_rows if set(edit.about) & self.parts(row)]
        if not rows:
            return 0, len(all_rows), False
        again = self.lab.scored_again(self.court.table, (edit,), np.array(rows, dtype=np.int64)).score
        out = int((yardstick.losses(again) >= limit - TIE).sum())
        return out, len(all_rows), bool(np.any(np.abs(again - scores[rows]) > TIE))

    def look(self, edits: Sequence[Edit]) -> tuple[GoalResult, EditTable]:
        """On the builds that matter."""
        table = self.lab.rescored(self.court.table, edits, self._rows_now())
        verdict = hold(self.goals, self.game.reopened(table).state(()))
        self._learn_from(verdict, table)
        return verdict, table

    def grown(self, edits: Sequence[Edit], rounds: int | None = None) -> tuple[GoalResult, EditEvaluator]:
        """On what is looked for anew from them, under the edited rules."""
        table = self.lab.grown(self.court.table, edits, self._rows_now(), rounds)
        court = self.settled(self.game.reopened(table), edits)
        state = court.state(())
        verdict = hold(self.goals, state)
        # Whoever makes up the level then goes along from now on.
        reached = np.array([each.row for each in state.reaches], dtype=np.int64)
        self._support |= dict.fromkeys(self._keys(court.table, reached))
        self._take(court.table, reached)
        self._learn_from(verdict, court.table)
        return verdict, court

    def whole(self, edits: Sequence[Edit]) -> tuple[GoalResult, EditEvaluator]:
        today = self.court.state(())
        table = self.lab.rescored(self.court.table, edits, today.rows)
        court = self.settled(self.game.reopened(table), edits)
        verdict = hold(self.goals, court.state(()))
        self._learn_from(verdict, court.table)
        return verdict, court

    def settled(self, court: EditEvaluator, edits: Sequence[Edit]) -> EditEvaluator:
        """With better scores of sampled builds that decide."""
        rows = deciding(court.state(()), self.goals)
        if len(rows) == 0:
            return court
        return self.game.reopened(self.lab.settle(court.table, rows.tolist(), _SETTLE_FIGHTS, edits).table)

    def _learn_from(self, verdict: GoalResult, table: EditTable) -> None:
        for _, look in verdict.broken:
            self.learn(table, look.rows[:_NEW_SUSPECTS])

    def in_the_way(self, verdict: GoalResult, table: EditTable) -> tuple[Parts, ...]:
        """The parts of builds that break a goal; where none does by itself, of the best."""
        rows = [row for _, look in verdict.broken for row in look.rows[:_NEW_SUSPECTS].tolist()] or [0]
        return tuple(self.parts(row, table) for row in rows)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look at a set of edits found: whether the goal is kept, how far off it is, and whose builds are
    in the way, by their parts."""

    is_kept: bool
    gap: float = 0.0
    in_the_way: tuple[Parts, ...] = ()


@dataclass(eq=False)
class GamesEvaluator:
    """All games at once: edits must do in each of them. Those that are asked first are those that said no."""

    games: list[NumberGame]
    refuted: set[tuple[str, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._seen: dict[tuple[str, ...], Seen] = {}
        self._blocked: dict[tuple[str, ...], Parts] = {}
        self._reach: dict[str, float | None] = {}
        self._grown = 0
        self._order = list(self.games)

    def blocker(self, edits: Sequence[Edit]) -> Parts | None:
        """A build of some game that is in the way under edits which weaken, however much less far they go."""
        key = _key(edits)
        if key in self._blocked:
            return self._blocked[key]
        if any(edit.strength >= 0 for edit in edits):
            return None
        for game in self._order:
            found = game.blocker(edits)
            if found is not None:
                self._first(game)
                self._blocked[key] = found
                return found
        return None

    def look(self, edits: Sequence[Edit]) -> Seen:
        """On the builds that matter of each game, until one says no."""
        key = _key(edits)
        if key in self.refuted:
            return Seen(is_kept=False, gap=1.0)
        if key not in self._seen:
            self._seen[key] = self._look(edits)
        return self._seen[key]

    def _look(self, edits: Sequence[Edit]) -> Seen:
        for place, game in enumerate(list(self._order)):
            verdict, table = game.look(edits)
            if _is_near(verdict) and self._grown < _MOST_GROWN:
                # The level that builds are held against may lack those that come up under these edits.
                self._grown += 1
                verdict, court = game.grown(edits, _FEW_ROUNDS)
                table = court.table
            if not verdict.is_possible:
                self._first(game)
                # Whoever fails in a later game is nearer than who fails in the first.
                gap = _gap(verdict) + len(self.games) - place
                return Seen(False, gap, game.in_the_way(verdict, table))
        return Seen(is_kept=True)

    def reach(self, edit: Edit) -> float | None:
        """What part of the suspects an edit takes out of the way, in the mean of the games."""
        if edit.text not in self._reach:
            found = [game.reach(edit) for game in self.games]
            mean = sum(out / max(1, of) for out, of, _ in found) / len(found)
            self._reach[edit.text] = mean if any(is_moved for *_, is_moved in found) else None
        return self._reach[edit.text]

    def is_refuted(self, edits: Sequence[Edit]) -> bool:
        """Whether a closer look at edits that seemed to keep the goal took it away again."""
        return _key(edits) in self.refuted

    def refute(self, edits: Sequence[Edit]) -> None:
        self.refuted.add(_key(edits))

    def _first(self, game: NumberGame) -> None:
        self._order.remove(game)
        self._order.insert(0, game)


def _key(edits: Sequence[Edit]) -> tuple[str, ...]:
    return tuple(sorted(edit.text for edit in edits))


def _is_near(verdict: GoalResult) -> bool:
    """Whether a goal is broken by little."""
    if verdict.is_possible or verdict.why_not:
        return False
    return all(0 <= look.gap <= _NEAR for _, look in verdict.broken)


def _gap(verdict: GoalResult) -> float:
    """How far off a goal is, below one."""
    look: GoalStatus | None = verdict.broken[0][1] if verdict.broken else None
    gap = 1.0 if look is None else max(0.0, float(look.gap))
    return gap / (1.0 + gap)
