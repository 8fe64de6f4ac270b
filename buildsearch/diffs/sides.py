"""Both sides of a change, scored, and their builds matched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.randomness import content_digest
from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.evaluation import TIE
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import Objective
from buildsearch.search.race import share_of_alpha
from buildsearch.search.ranks import RankRanges
from buildsearch.search.score_table import combined_error
from buildsearch.search.scoring import Effort, ScoringSetup, sample_rows

_ROWS_AT_ONCE = 1 << 16

Keys = NDArray[np.uint64]


def feature_words(names: Sequence[str], renamed: Mapping[str, str]) -> Keys:
    """Two words for each feature: a digest of what the second ruleset calls it."""
    digests = [content_digest(renamed.get(name, name).encode())[:16] for name in names]
    return np.array([np.frombuffer(each, dtype="<u8") for each in digests], np.uint64).reshape(-1, 2)


def build_keys(space: BuildSpace, chunks: Sequence[Chunk], renamed: Mapping[str, str]) -> Keys:
    """Two words for each build: the sum of its features' words, each as often as it has it.

    A hundred million builds share a pair of words with chance 10^-22.
    """
    words = feature_words(space.feature_names, renamed)
    parts = [np.zeros((0, 2), np.uint64)]
    for chunk in chunks:
        for first in range(0, len(chunk), _ROWS_AT_ONCE):
            some = chunk.some(slice(first, first + _ROWS_AT_ONCE))
            parts.append(_sums(space.levels(some), words))
    return np.concatenate(parts)


def _sums(levels: NDArray[np.uint8], words: Keys) -> Keys:
    sums = np.zeros((len(levels), 2), np.uint64)
    for feature in np.flatnonzero(levels.any(axis=0)):
        sums += levels[:, feature, None] * words[feature]  # wraps around, as sums of digests may
    return sums


def matches(first: Keys, second: Keys) -> Ints:
    """For each build of the first ruleset its row in the second; -1 where there is none."""
    if len(second) == 0 or len(first) == 0:
        return np.full(len(first), -1, np.int64)
    order = np.lexsort((second[:, 1], second[:, 0]))
    at = np.searchsorted(second[order, 0], first[:, 0])
    found = order[np.minimum(at, len(order) - 1)]
    return np.where((second[found] == first).all(axis=1), found, -1)


# Makes ready an edited ruleset; raises what a user can mend where it is none.
GameFactory = Callable[[Any], ScoringSetup]


@dataclass(eq=False)
class Side:
    """One ruleset's builds with their scores. `costs` are smaller where a build is better.

    `keys` name builds by what they are made of, under the second ruleset's names.
    """

    arena: ScoringSetup
    ledger: Ledger
    costs: Floats
    keys: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.costs)

    def update(self, objective: Objective) -> None:
        self.costs = objective.costs(self.ledger, self.arena.scorer.scorer)

    def best(self, number: int) -> Ints:
        """The rows of the best builds, the best first; equal ones in the order of the space."""
        known = np.flatnonzero(~np.isnan(self.costs))
        if number < len(known):
            last = np.partition(self.costs[known], number - 1)[number - 1]
            known = known[self.costs[known] <= last]
        return known[np.argsort(self.costs[known], kind="stable")[:number]]

    def ranks(self, rows: Ints) -> Ints:
        order = np.sort(self.costs[~np.isnan(self.costs)])
        ranks: Ints = 1 + np.searchsorted(order, self.costs[rows] - TIE, side="left").astype(np.int64)
        return ranks

    def rank_ranges(self, objective: Objective, alpha: float) -> RankRanges:
        """Where its builds stand; all bounds hold at once but with chance `alpha`."""
        share = share_of_alpha(self.ledger, alpha)
        low, high = objective.bounds(self.ledger, self.arena.scorer.scorer, share)
        return RankRanges(self.costs, low, high, higher_is_better=objective.higher_is_better)

    def error(self, rows: Ints) -> Floats:
        """The standard error of the mean over all fights; 0 where that is exact."""
        part = self.ledger.part(np.sort(rows))
        return np.asarray(combined_error(part, part.standard_errors)[np.argsort(np.argsort(rows))])

    def build(self, row: int) -> Any:
        (build,) = self.arena.space.builds(self.ledger.one(row))
        return build

    def name(self, row: int) -> str:
        return self.arena.space.name(self.build(row))


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """Rows of either side's builds on the other; -1 where a build is not legal there."""

    second_of_first: Ints
    first_of_second: Ints


def match(first: Side, second: Side) -> Pairing:
    return Pairing(matches(first.keys, second.keys), matches(second.keys, first.keys))


def level_fights(first: Side, second: Side, pairing: Pairing, effort: Effort) -> None:
    """Give builds of both sides equally many fights.

    A build that no edit touches then has the very same score on both sides, however the races went.
    """
    both = np.flatnonzero(pairing.second_of_first >= 0)
    rows = (both, pairing.second_of_first[both])
    fought = []
    for side, mine in zip((first, second), rows, strict=True):
        numbers = np.zeros(len(side), np.int64)
        numbers[side.ledger.sampled] = side.ledger.fought
        fought.append(numbers[mine])
    most = np.maximum(*fought)
    for side, mine, had in zip((first, second), rows, fought, strict=True):
        short = np.flatnonzero((had < most) & (had > 0))
        for fights in np.unique(most[short]):
            chosen = np.sort(mine[short[most[short] == fights]])
            columns = np.searchsorted(side.ledger.sampled, chosen)
            sample_rows(side.arena.scorer, side.ledger, columns, int(fights), effort.seed)
        side.update(effort.objective)
