"""The scores of a whole run as columns: what `optimize` writes and analysis reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.statistics import Z95, estimate_of_error, within
from buildsearch.files.large_arrays import stretches
from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.evaluation import Estimate
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.ledger import Ledger
from buildsearch.search.ranks import RankRanges


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Every build of a run. Scores are as people read them; `higher_is_better` says which way.

    `group[i]` is the place of a build's group in `groups`; `fight_means[s, i]` is the primary metric of build
    i in fight s, with its standard error (0: exact) in `fight_errors`. `low` to `high` are the bounds of
    scores that ranks follow from, `rank` that of the leaderboard (0: not on it), `fought` the fights of
    sampled builds; None where nobody asked for them.
    """

    groups: tuple[str, ...]
    group: Ints
    codes: NDArray[np.uint64]
    cost: Ints
    score: Floats
    error: Floats
    fights: tuple[str, ...]
    weights: Floats
    fight_means: Floats
    fight_errors: Floats
    higher_is_better: bool
    primary_higher_is_better: bool
    low: Floats | None = None
    high: Floats | None = None
    rank: Ints | None = None
    fought: Ints | None = None

    def __len__(self) -> int:
        return len(self.score)

    @property
    def columns(self) -> dict[str, Any]:
        """What is known of each build, ranks aside, by the name of the field."""
        names = ("group", "codes", "cost", "score", "error", "low", "high", "fought")
        return {name: column for name in names if (column := getattr(self, name)) is not None}

    @property
    def columns_by_fight(self) -> dict[str, Any]:
        """The same where there is a row for each fight."""
        return {"fight_means": self.fight_means, "fight_errors": self.fight_errors}

    @property
    def exact_share(self) -> float:
        """The share of builds whose score is exact: what every page and file calls exact."""
        return float((self.error == 0).mean())

    def rank_ranges(self, *, on_board: bool = True, among: Bools | None = None) -> RankRanges:
        """Where builds stand, of all or `among` some of them.

        `on_board`: ranks are those of the leaderboard, where a build is on it.
        """
        half = Z95 * self.error
        low = self.score - half if self.low is None else self.low
        high = self.score + half if self.high is None else self.high
        costs = self.score
        if self.higher_is_better:
            costs, low, high = -costs, -high, -low
        if among is not None:
            costs = np.where(among, costs, np.nan)
        ranks = self.rank if on_board else None
        return RankRanges(costs, low, high, higher_is_better=self.higher_is_better, ranks=ranks)

    def fight_interval(self, fight: int, row: int, least: float | None, most: float | None) -> Estimate:
        """The primary metric in one fight with its 95 % interval, taken alone."""
        value, error = float(self.fight_means[fight, row]), float(self.fight_errors[fight, row])
        fights = 0 if self.fought is None else int(self.fought[row])
        return within(estimate_of_error(value, error, fights), least, most)

    def pieces(self) -> Iterator[tuple[Ints, Chunk]]:
        """All builds, some of one group at a time: their numbers, and a chunk that their space can read."""
        for rows in stretches(len(self)):
            some = self.group[rows]
            for number in np.unique(some):
                mine = rows.start + np.flatnonzero(some == number)
                yield mine, Chunk(self.groups[number], self.codes[mine])

    def chunks(self, rows: Ints | None = None) -> list[tuple[Ints, Chunk]]:
        """The builds (or some of them) by group: their numbers, and a chunk that their space can read."""
        chosen = np.arange(len(self)) if rows is None else rows
        parts = []
        for number, name in enumerate(self.groups):
            mine = chosen[self.group[chosen] == number]
            if len(mine):
                parts.append((mine, Chunk(name, self.codes[mine])))
        return parts


def score_table(
    ledger: Ledger,
    space: BuildSpace,
    scores: Floats,
    *,
    higher_is_better: bool,
    primary_higher_is_better: bool,
) -> ScoreTable:
    """The table of a ledger whose builds have these scores; builds without a score are left out."""
    groups, group = ledger.groups()
    known = ~np.isnan(scores)
    means, errors = ledger.means, ledger.standard_errors
    costs = [space.costs(chunk) for chunk in ledger.chunks]
    return ScoreTable(
        groups=groups,
        group=group[known],
        codes=ledger.codes()[known],
        cost=np.concatenate(costs)[known],
        score=scores[known],
        error=combined_error(ledger, errors)[known],
        fights=tuple(ledger.names),
        weights=ledger.weights,
        fight_means=means[:, known],
        fight_errors=errors[:, known],
        higher_is_better=higher_is_better,
        primary_higher_is_better=primary_higher_is_better,
    )


def combined_error(ledger: Ledger, errors: Floats) -> Floats:
    """The standard error of the weighted mean over the fights."""
    return np.asarray(np.sqrt(np.sum((ledger.weights[:, None] * errors) ** 2, axis=0)))
