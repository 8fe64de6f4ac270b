"""Builds of both sides matched, and given equally many fights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.diffs.identity import matches
from buildsearch.diffs.side import Effort, Side
from buildsearch.model.arrays import Ints
from buildsearch.search.scoring import sample_rows


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """Rows of either side's builds on the other; -1 where a build is not legal there."""

    second_of_first: Ints
    first_of_second: Ints


def match(first: Side, second: Side) -> Pairing:
    """Match builds through renames."""
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
            sample_rows(
                side.arena.scorer,
                side.ledger,
                columns,
                int(fights),
                effort.rules.seed,
                effort.jobs,
                lambda _done: None,
            )
        side.update(effort.objective)
