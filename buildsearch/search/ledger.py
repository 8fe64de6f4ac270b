"""All that is known about every build, as arrays by (fight, build)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from buildsearch.evaluate.statistics import least_error
from buildsearch.files.large_arrays import stretches
from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import Chunk
from buildsearch.search.bounds import lower_bounds, upper_bounds
from buildsearch.search.build_list import BuildList


@dataclass(eq=False)
class Ledger(BuildList):
    """Exact means, and sums of fights for the builds that are sampled.

    Builds are numbered through all chunks; `sampled` has the number of the build in each column of the sums.
    A build has fought equally often in every fight that it is sampled in: those that are not solved for it,
    or `everywhere` where an objective looks at more than exact means.
    """

    fights: Mapping[str, Any]
    chunks: Sequence[Chunk]
    outcomes: tuple[str, ...]
    exact: Floats
    sampled: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    fought: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    totals: Floats = field(default_factory=lambda: np.zeros((0, 0, 0)))
    squares: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    everywhere: bool = False

    @classmethod
    def empty(cls, fights: Mapping[str, Any], chunks: Sequence[Chunk], outcomes: tuple[str, ...]) -> Ledger:
        """Nothing is known yet."""
        rows = sum(map(len, chunks))
        return cls(
            fights,
            chunks,
            outcomes,
            np.full((len(fights), rows), np.nan),
            totals=np.zeros((len(fights), len(outcomes), 0)),
            squares=np.zeros((len(fights), 0)),
        )

    def __len__(self) -> int:
        return int(self.exact.shape[1])

    @property
    def names(self) -> list[str]:
        return list(self.fights)

    @property
    def weights(self) -> Floats:
        """The fights' shares in a combined score; they add up to 1."""
        given = np.array([fight.weight for fight in self.fights.values()], dtype=np.float64)
        return np.asarray(given / given.sum())

    def begin_sampling(self, *, everywhere: bool) -> None:
        """Make room for the sums of the builds that are not solved in some fight, or of all."""
        self.everywhere = everywhere
        rows = np.arange(len(self)) if everywhere else np.flatnonzero(np.isnan(self.exact).any(axis=0))
        self.sampled = rows
        self.fought = np.zeros(len(rows), np.int64)
        self.totals = np.full((len(self.fights), len(self.outcomes), len(rows)), np.nan)
        self.squares = np.full((len(self.fights), len(rows)), np.nan)

    def part(self, rows: Ints) -> Ledger:
        """What is known about some builds, given by number in rising order, as a ledger of its own."""
        starts = self.starts
        edges = np.searchsorted(rows, starts)
        chunks = [
            chunk.some(rows[edges[i] : edges[i + 1]] - starts[i])
            for i, chunk in enumerate(self.chunks)
            if edges[i + 1] > edges[i]
        ]
        columns = np.flatnonzero(np.isin(self.sampled, rows))
        sampled = np.searchsorted(rows, self.sampled[columns]).astype(np.int64)
        return self._some(chunks, rows, sampled, columns)

    def stretch(self, first: int, last: int) -> Ledger:
        """What is known about the builds from one number to before another, as a ledger that looks at this
        one's arrays."""
        starts = self.starts
        chunks = [
            chunk.some(slice(max(0, first - start), last - start))
            for start, chunk in zip(starts.tolist(), self.chunks, strict=False)
            if start < last and first < start + len(chunk)
        ]
        columns = slice(*np.searchsorted(self.sampled, (first, last)).tolist())
        return self._some(chunks, slice(first, last), self.sampled[columns] - first, columns)

    def _some(self, chunks: Sequence[Chunk], rows: Any, sampled: Ints, columns: Any) -> Ledger:
        return replace(
            self,
            chunks=chunks,
            exact=self.exact[:, rows],
            sampled=sampled,
            fought=self.fought[columns],
            totals=self.totals[:, :, columns],
            squares=self.squares[:, columns],
        )

    def stretches(self) -> Iterator[tuple[slice, Ledger]]:
        """All builds in order, some at a time: what is worked out for each of them needs little memory so."""
        for rows in stretches(len(self)):
            yield rows, self.stretch(rows.start, rows.stop)

    def take_over(self, part: Ledger, rows: Ints) -> None:
        self.exact[:, rows] = part.exact
        columns = np.searchsorted(self.sampled, rows[part.sampled])
        self.fought[columns] = part.fought
        self.totals[:, :, columns] = part.totals
        self.squares[:, columns] = part.squares

    def open_columns(self, fight: int, columns: Ints) -> Ints:
        """Those of the columns that are sampled in a fight."""
        return columns if self.everywhere else columns[np.isnan(self.exact[fight, self.sampled[columns]])]

    def is_fought(self, columns: Ints) -> Bools:
        """Which of the columns have sums in every fight that they are sampled in."""
        is_known = ~np.isnan(self.totals[:, 0, columns])
        if not self.everywhere:
            is_known |= ~np.isnan(self.exact[:, self.sampled[columns]])
        return np.asarray(is_known.all(axis=0))

    def fights_for(self, columns: Ints, fights: int) -> int:
        """How many fights it takes to give each of these columns so many."""
        return fights * sum(len(self.open_columns(fight, columns)) for fight in range(len(self.fights)))

    def fights_used(self) -> Ints:
        """By build how many fights its score comes from in each fight that is not solved; 0: it is exact.

        A floor that was fought before a build was solved is in no score any more.
        """
        used = np.zeros(len(self), np.int64)
        used[self.sampled] = self.fought
        if not self.everywhere:
            used[~np.isnan(self.exact).any(axis=0)] = 0
        return used

    def mean(self, fight: int, outcome: int) -> Floats:
        """The mean outcome of every build: exact where it is, else of its fights, else NaN."""
        values = self.exact[fight].copy() if outcome == 0 else np.full(len(self), np.nan)
        unknown = np.isnan(values[self.sampled])
        with np.errstate(invalid="ignore", divide="ignore"):
            # Fights of a stage that was interrupted are in the sums, and not counted: they say nothing yet.
            estimated = self.totals[fight, outcome] / np.where(self.fought > 0, self.fought, np.nan)
        values[self.sampled[unknown]] = estimated[unknown]
        return values

    def variance(self, fight: int) -> Floats:
        """The variance of the primary outcome, where fights were sampled."""
        values = np.full(len(self), np.nan)
        n = self.fought
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = self.totals[fight, 0] / n
            values[self.sampled] = np.maximum(self.squares[fight] / n - mean * mean, 0.0) * (n / (n - 1))
        return values

    def standard_error(self, fight: int) -> Floats:
        """The standard error of the primary outcome's mean; 0 where it is exact, and only there."""
        values = np.where(np.isnan(self.exact[fight]), np.nan, 0.0)
        fought = np.zeros(len(self), np.int64)
        fought[self.sampled] = self.fought
        with np.errstate(invalid="ignore", divide="ignore"):
            errors = np.maximum(np.sqrt(self.variance(fight) / fought), least_error(1) / fought)
        return np.where(np.isnan(values), errors, values)

    @property
    def means(self) -> Floats:
        """(fights, builds): the primary outcome."""
        return np.stack([self.mean(fight, 0) for fight in range(len(self.fights))])

    @property
    def standard_errors(self) -> Floats:
        """(fights, builds): those of `means`."""
        return np.stack([self.standard_error(fight) for fight in range(len(self.fights))])

    def bounds(self, scorer: BulkScorer, fight: int, outcome: int, alpha: float) -> tuple[Floats, Floats]:
        """What each build's mean is at least and at most, at every moment, but with chance 2 alpha each."""
        mean = self.mean(fight, outcome)
        low, high = mean.copy(), mean.copy()
        estimated = ~self.is_exact(fight, outcome)[self.sampled]
        if estimated.any():
            least, most = scorer.outcome_range(self.outcomes[outcome], list(self.fights.values())[fight])
            n, sums = self.fought[estimated], self.totals[fight, outcome, estimated]
            # Only the primary outcome's squares are counted. Any other's are at most these: x lies between
            # least and most, so (x - least)(x - most) <= 0. For shares that is exact.
            squares = (
                self.squares[fight, estimated] if outcome == 0 else (least + most) * sums - n * least * most
            )
            rows = self.sampled[estimated]
            low[rows] = lower_bounds(n, sums, squares, least, most, alpha)
            high[rows] = upper_bounds(n, sums, squares, least, most, alpha)
        return low, high

    def is_exact(self, fight: int, outcome: int = 0) -> Bools:
        """Whose mean outcome has no error."""
        return ~np.isnan(self.exact[fight]) if outcome == 0 else np.zeros(len(self), bool)
