"""On which side of a limit is each build? Sampled builds near it fight on until that is certain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.race import next_step, share_of_alpha
from buildsearch.search.scoring import Advance, sample_rows


@dataclass(frozen=True, slots=True, eq=False)
class DecidedBuilds:
    """Which builds are better than the limit for sure, and which may be; all other builds are not."""

    better: NDArray[np.int64]
    undecided: NDArray[np.int64]
    fights: int


def decide_limit(
    scorer: CachedScorer,
    ledger: Ledger,
    fight: int,
    limit: float,
    *,
    higher_is_better: bool,
    budget: int,
    seed: int,
    alpha: float,
    advance: Advance,
) -> DecidedBuilds:
    """Compare the primary metric with a limit. The bounds hold at every moment and for all builds at once,
    so fighting on near the limit, and stopping when it is decided, is no cheating."""
    share = share_of_alpha(ledger, alpha)
    spent = 0
    rows = np.arange(len(ledger))
    near = ledger
    better: list[NDArray[np.int64]] = []
    while True:
        low, high = near.bounds(scorer.scorer, fight, 0, share)
        certain = (low > limit) if higher_is_better else (high < limit)
        possible = (high > limit) if higher_is_better else (low < limit)
        better.append(rows[certain])
        kept = np.flatnonzero(possible & ~certain)
        rows, near = rows[kept], near.part(kept)
        # Exact scores are decided, so whoever is left is sampled.
        columns = near.open_columns(fight, np.arange(len(near.sampled)))
        if len(columns):
            least = int(near.fought[columns].min())
            columns = columns[near.fought[columns] == least]
        needed = near.fights_for(columns, next_step(least)) if len(columns) else 0
        if len(columns) == 0 or spent + needed > budget:
            return DecidedBuilds(np.sort(np.concatenate(better)), rows, spent)
        sample_rows(scorer, near, columns, next_step(least), seed)
        ledger.take_over(near, rows)
        advance(needed)
        spent += needed
