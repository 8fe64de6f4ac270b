"""All that is known of builds against builds: a row for each build, a column for each opponent.

A pair is played in one direction only, that of the opponent who came later: A against B is one minus B
against A, and a build against itself is one half. So no pair has two estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from buildsearch.evaluate.statistics import mean_of_sums
from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.bounds import lower_bounds, upper_bounds
from buildsearch.search.build_list import BuildList
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.scoring import BUILDS_A_TASK, FIGHTS_A_TASK, Advance

Rows = Ints
MIRROR = 0.5


@dataclass(eq=False)
class MatchColumn:
    """Every build against one opponent. `sums` and `squares` are of `fought` fights; exact means have none.

    `low` and `high` hold at every moment.
    """

    row: int  # the opponent's own
    fight: Any
    exact: Floats
    fought: Ints
    sums: Floats
    squares: Floats
    low: Floats
    high: Floats

    @classmethod
    def unknown(cls, row: int, fight: Any, size: int) -> MatchColumn:
        zeros = np.zeros(size)
        fought = np.zeros(size, np.int64)
        exact = np.full(size, np.nan)
        return cls(row, fight, exact, fought, zeros, zeros.copy(), zeros.copy(), np.ones(size))

    def grow(self, more: int) -> None:
        fresh = MatchColumn.unknown(self.row, self.fight, more)
        for name in ("exact", "fought", "sums", "squares", "low", "high"):
            setattr(self, name, np.concatenate([getattr(self, name), getattr(fresh, name)]))

    @property
    def mean(self) -> Floats:
        """The win rate of each build; one half where nothing is known."""
        sampled = np.where(self.fought > 0, self.sums / np.maximum(self.fought, 1), MIRROR)
        return np.where(np.isnan(self.exact), sampled, self.exact)

    def is_known(self, rows: Rows) -> Bools:
        return np.asarray((self.fought[rows] > 0) | ~np.isnan(self.exact[rows]))

    def error(self, row: int) -> float:
        """The standard error of a mean; 0 where it is exact, and only there."""
        if not np.isnan(self.exact[row]):
            return 0.0
        n = int(self.fought[row])
        return mean_of_sums(n, float(self.sums[row]), float(self.squares[row]))[0].se if n else MIRROR

    def take_turned(self, row: int, other: MatchColumn, at: int) -> None:
        """Take a cell over from the other side's point of view."""
        n = other.fought[at]
        self.exact[row] = 1 - other.exact[at]
        self.fought[row] = n
        self.sums[row] = n - other.sums[at]
        self.squares[row] = n - 2 * other.sums[at] + other.squares[at]
        self.low[row], self.high[row] = 1 - other.high[at], 1 - other.low[at]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Builds, by number, against one opponent, by number."""

    opponent: int
    rows: Rows
    fights: int  # that each is to have


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    opponent: int
    chunk: Chunk
    rows: Rows
    fights: int


class Matches(BuildList):
    """Builds and opponents; both may become more.

    `alpha` is the chance that any bound of any cell is ever wrong: shared between the batches of builds, and
    between opponents, as 1/2, 1/6, 1/12 ..., which is 1 in all however many there will be.
    """

    def __init__(
        self,
        space: BuildSpace,
        scorer: CachedScorer,
        match_against: Callable[[Any], Any],
        *,
        seed: int,
        alpha: float,
    ) -> None:
        self.space, self.scorer = space, scorer
        self.chunks: list[Chunk] = []
        self.columns: list[MatchColumn] = []
        self.spent = 0
        self._match_against = match_against
        self._seed, self._alpha = seed, alpha
        self._shares, self._batches = np.zeros(0), 0  # of alpha, by build

    def __len__(self) -> int:
        return len(self._shares)

    @property
    def pool(self) -> list[int]:
        """The opponents' own rows."""
        return [column.row for column in self.columns]

    def add_builds(self, chunks: Sequence[Chunk]) -> Rows:
        """New builds; gives their numbers."""
        size, before = sum(map(len, chunks)), len(self)
        self._batches += 1
        batch = self._batches
        share = self._alpha / (2 * batch * (batch + 1) * max(1, size))
        self._shares = np.concatenate([self._shares, np.full(size, share)])
        self.chunks += chunks
        for column in self.columns:
            column.grow(size)
        rows = np.arange(before, before + size)
        for number in range(len(self.columns)):
            self._solve(number, rows)
        return rows

    def build(self, row: int) -> Any:
        (build,) = self.space.builds(self.one(row))
        return build

    def name(self, row: int) -> str:
        return self.space.name(self.build(row))

    def add_opponent(self, row: int) -> int:
        """Let everybody meet this build; gives its number."""
        column = MatchColumn.unknown(row, self._match_against(self.build(row)), len(self))
        self.columns.append(column)
        number = len(self.columns) - 1
        _set_exact(column, np.array([row]), np.array([MIRROR]))
        earlier = self.pool[:number]
        self._solve(number, np.setdiff1d(np.arange(len(self)), [*earlier, row]))
        for before, own in enumerate(earlier):
            self._solve_alone(before, row)
            column.take_turned(own, self.columns[before], row)
        return number

    def play(self, wanted: Sequence[Cells], advance: Advance) -> None:
        """Let cells have so many fights each; those that are exact are left alone."""

        def sample(piece: _Piece) -> tuple[_Piece, Any]:
            fight = self.columns[piece.opponent].fight
            return piece, self.scorer.sample(piece.chunk, fight, self._seed, piece.fights)

        played: dict[int, list[Rows]] = {}
        try:
            for piece, samples in self.scorer.executor.map(sample, self._pieces(self._canonical(wanted))):
                column = self.columns[piece.opponent]
                column.fought[piece.rows] = piece.fights
                column.sums[piece.rows] = samples.totals[0]
                column.squares[piece.rows] = samples.squares
                played.setdefault(piece.opponent, []).append(piece.rows)
                self.spent += piece.fights * len(piece.rows)
                advance(piece.fights * len(piece.rows))
        finally:
            # After Ctrl-C too: both sides of a pair say the same.
            for opponent, rows in played.items():
                self._bound(opponent, np.concatenate(rows))

    def cost(self, wanted: Sequence[Cells]) -> int:
        return sum(cells.fights * len(cells.rows) for cells in wanted)

    def matrix(self, rows: Sequence[int] | None = None) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Of the opponents among themselves: means, lower and upper bounds, standard errors, fights."""
        pool = self.pool if rows is None else list(rows)
        columns = [self.columns[self.pool.index(row)] for row in pool]
        means, lows, highs, fights = (
            np.stack([values[pool] for values in found], axis=1)
            for found in (
                [column.mean for column in columns],
                [column.low for column in columns],
                [column.high for column in columns],
                [column.fought.astype(np.float64) for column in columns],
            )
        )
        errors = np.array([[column.error(row) for column in columns] for row in pool])
        return means, lows, highs, errors, fights

    def _canonical(self, wanted: Sequence[Cells]) -> list[Cells]:
        """The direction in which each pair is played, every cell once."""
        place = {row: number for number, row in enumerate(self.pool)}
        pool = np.array(self.pool, np.int64)
        found: dict[tuple[int, int], set[int]] = {}
        for cells in wanted:
            column = self.columns[cells.opponent]
            rows = cells.rows[np.isnan(column.exact[cells.rows])]
            turned = [int(row) for row in rows[np.isin(rows, pool)] if place[int(row)] < cells.opponent]
            found.setdefault((cells.opponent, cells.fights), set()).update(
                np.setdiff1d(rows, turned).tolist()
            )
            for row in turned:
                found.setdefault((place[row], cells.fights), set()).add(column.row)
        return [
            Cells(opponent, np.array(sorted(rows), np.int64), fights)
            for (opponent, fights), rows in sorted(found.items())
            if rows
        ]

    def _pieces(self, wanted: Sequence[Cells]) -> Iterator[_Piece]:
        for cells in wanted:
            size = max(1, min(BUILDS_A_TASK, FIGHTS_A_TASK // cells.fights))
            for mine, chunk in self.by_chunk(cells.rows):
                rows = cells.rows[mine]
                for first in range(0, len(rows), size):
                    some = chunk.some(slice(first, first + size))
                    yield _Piece(cells.opponent, some, rows[first : first + size], cells.fights)

    def _solve(self, number: int, rows: Rows) -> None:
        """Fill in what engines solve in batches."""
        column = self.columns[number]

        def solve(part: tuple[Rows, Chunk]) -> tuple[Rows, Floats]:
            return rows[part[0]], self.scorer.solver(part[1], [column.fight])(0)

        for mine, means in self.scorer.executor.map(solve, self.by_chunk(rows)):
            known = ~np.isnan(means)
            _set_exact(column, mine[known], means[known])

    def _solve_alone(self, number: int, row: int) -> None:
        """Ask engines that take one build at a time: only about pairs of opponents."""
        column = self.columns[number]
        if np.isnan(column.exact[row]):
            means = self.scorer.solve_alone(self.one(row), column.fight)
            if not np.isnan(means[0]):
                _set_exact(column, np.array([row]), means)

    def _bound(self, number: int, rows: Rows) -> None:
        column = self.columns[number]
        place = number + 1
        for share in np.unique(self._shares[rows]):
            mine = rows[self._shares[rows] == share]
            alpha = float(share) / (place * (place + 1))
            known = (column.fought[mine], column.sums[mine], column.squares[mine], 0.0, 1.0, alpha)
            column.low[mine], column.high[mine] = lower_bounds(*known), upper_bounds(*known)
        for later, row in enumerate(self.pool):
            if later > number and row in rows:
                self.columns[later].take_turned(column.row, column, row)


def _set_exact(column: MatchColumn, rows: Rows, means: Floats) -> None:
    column.exact[rows] = column.low[rows] = column.high[rows] = means
