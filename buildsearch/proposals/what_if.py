"""Rules against themselves edited, where only prices and bans are: no fight, and no verdict either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.changes.comparison import Comparison
from buildsearch.changes.difference import Difference
from buildsearch.changes.legality import Legality
from buildsearch.changes.moves import Move, Standing, WithSubject
from buildsearch.changes.side import Effort
from buildsearch.model.arrays import Bools, Ints
from buildsearch.model.levers import Account, Edit
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.proposals.missing_builds import scored
from buildsearch.proposals.table import joined
from buildsearch.search.arena import Arena
from buildsearch.search.score_table import ScoreTable

_EXAMPLES = 3
_LOOK = 4_096
_FIRST, _FIGHTS = 5, 200_000


@dataclass(frozen=True, eq=False)
class Sides:
    """The builds of both rulesets with their scores; `today` and `legal` say which of them each has.

    `order` has all rows from the best to the worst, `loss` is smaller where a build is better.
    """

    scores: ScoreTable
    space: BuildSpace
    today: Bools
    legal: Bools
    order: Ints
    loss: NDArray[np.float64]

    def rows(self, *, after: bool) -> Ints:
        """The rows of one side, the best first."""
        there = self.legal if after else self.today
        return self.order[there[self.order]]

    def name(self, row: int) -> str:
        """What a build is called."""
        chunk = Chunk(self.scores.groups[int(self.scores.group[row])], self.scores.codes[row][None])
        (build,) = self.space.builds(chunk)
        return self.space.name(build)

    def standings(self, rows: Ints, *, after: bool) -> list[Standing | None]:
        """Ranks and scores on one side; ties share a rank."""
        there = self.legal if after else self.today
        ranges = self.scores.rank_ranges(on_board=False, among=there)
        return [
            Standing(ranges.of(row), float(self.scores.score[row]), float(self.scores.error[row]))
            if there[row]
            else None
            for row in rows.tolist()
        ]

    def best_with(self, feature: str, *, after: bool) -> int | None:
        """The best build that has something."""
        place = self.space.feature_names.index(feature)
        rows = self.rows(after=after)
        begin, size = 0, _LOOK
        while begin < len(rows):
            some = rows[begin : begin + size]
            has = np.zeros(len(some), dtype=np.bool_)
            for mine, chunk in self._chunks(some):
                has[mine] = self.space.levels(chunk)[:, place] > 0
            found = np.flatnonzero(has)
            if len(found):
                return int(some[found[0]])
            begin, size = begin + size, size * 8
        return None

    def _chunks(self, rows: Ints) -> list[tuple[Ints, Chunk]]:
        group = self.scores.group[rows]
        return [
            (np.flatnonzero(group == number), Chunk(name, self.scores.codes[rows[group == number]]))
            for number, name in enumerate(self.scores.groups)
            if (group == number).any()
        ]


def sides_of(
    scores: ScoreTable, more: ScoreTable | None, spaces: tuple[BuildSpace, BuildSpace], account: Account
) -> Sides:
    """Both sides where costs are all that is edited: a build is legal if it fits its budget.

    `more` are builds that only the edited rules have.
    """
    today = np.ones(len(scores), dtype=np.bool_)
    if more is not None:
        today = np.concatenate([today, np.zeros(len(more), dtype=np.bool_)])
        scores = joined(scores, more)
    legal = np.zeros(len(scores), dtype=np.bool_)
    for rows, chunk in scores.chunks():
        legal[rows] = spaces[1].costs(chunk) <= account.budget
    loss = -scores.score if scores.higher_is_better else scores.score
    return Sides(scores, spaces[0], today, legal, np.argsort(loss, kind="stable"), loss)


def let_in(
    arena: Arena, before: BuildSpace, budget: int, effort: Effort, scores: ScoreTable
) -> ScoreTable | None:
    """Builds of edited rules that were too dear before, scored; None where there is none."""
    chunks = []
    for chunk in arena.chunks():
        dear = before.costs(chunk) > budget
        if dear.any():
            chunks.append(Chunk(chunk.group, np.ascontiguousarray(chunk.codes[dear])))
    if not chunks:
        return None
    # Only the first of those that are let in are asked for; whoever comes behind keeps its floor of fights.
    few = replace(effort.rules, top=_FIRST, budget=min(effort.rules.budget, _FIGHTS))
    return scored(arena, chunks, replace(effort, rules=few), scores)


def is_about_costs(edits: Sequence[Edit], accounts: Sequence[Account]) -> bool:
    """Whether builds can only become too dear by some edits, or cheap enough."""
    return (
        len(accounts) == 1
        and not accounts[0].is_spent
        and not any(edit.changes_fights or edit.bans for edit in edits)
    )


def what_if(comparison: Comparison, sides: Sides, edits: Sequence[Edit], top: int) -> Difference:
    """What the edits do to the best builds, and to those with what was edited."""
    today, after = sides.rows(after=False), sides.rows(after=True)
    best = np.array(list(dict.fromkeys([*after[:top].tolist(), *today[:top].tolist()])), dtype=np.int64)
    old, new = sides.standings(best, after=False), sides.standings(best, after=True)
    moves = [Move(sides.name(int(row)), before, now) for row, before, now in zip(best, old, new, strict=True)]
    named = [name for edit in edits for name in edit.about if name in sides.space.feature_names]
    return Difference(
        comparison=comparison,
        builds=(len(today), len(after)),
        best=(
            next((move for move in moves if move.before and move.before.rank == 1), None),
            next((move for move in moves if move.after and move.after.rank == 1), None),
        ),
        legal=_only(sides, sides.legal & ~sides.today, after=True),
        illegal=_only(sides, sides.today & ~sides.legal, after=False),
        moves=tuple(moves),
        front=None,
        lifts=(),
        blames=None,
        higher_is_better=sides.scores.higher_is_better,
        subjects=tuple(_subject(sides, name) for name in dict.fromkeys(named)),
    )


def _only(sides: Sides, mine: Bools, *, after: bool) -> Legality:
    """Builds that one side has alone, the best of them by name."""
    rows = sides.order[mine[sides.order]]
    counts = np.bincount(sides.scores.group[rows], minlength=len(sides.scores.groups)).tolist()
    by_group = {name: count for name, count in zip(sides.scores.groups, counts, strict=True) if count}
    names = tuple(sides.name(int(row)) for row in rows[:_EXAMPLES])
    return Legality(len(rows), by_group, 0, names, next(iter(sides.standings(rows[:1], after=after)), None))


def _subject(sides: Sides, name: str) -> WithSubject:
    def best(*, after: bool) -> tuple[str, Standing] | None:
        row = sides.best_with(name, after=after)
        (standing,) = sides.standings(np.array([] if row is None else [row], np.int64), after=after) or [None]
        return None if row is None or standing is None else (sides.name(row), standing)

    return WithSubject(name, best(after=False), best(after=True))
