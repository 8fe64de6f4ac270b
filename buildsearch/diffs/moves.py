"""How the best builds of either side move in score and rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.diffs.matched import Pairing
from buildsearch.diffs.side import Side
from buildsearch.model.arrays import Ints
from buildsearch.model.evaluation import TIE
from buildsearch.search.objectives import Objective
from buildsearch.search.rank_ranges import RankRange


@dataclass(frozen=True, slots=True)
class Standing:
    """A build on one side."""

    ranks: RankRange
    score: float
    error: float

    @property
    def rank(self) -> int:
        """How many builds are better, and one; ties share a rank."""
        return self.ranks.rank


@dataclass(frozen=True, slots=True)
class Move:
    """A build of the top of either side; None where it is not legal."""

    build: str
    before: Standing | None
    after: Standing | None

    @property
    def is_still(self) -> bool:
        """Whether neither its score nor its rank moved."""
        if self.before is None or self.after is None:
            return False
        return self.before.rank == self.after.rank and abs(self.before.score - self.after.score) <= TIE


def moves(
    first: Side, second: Side, pairing: Pairing, objective: Objective, top: int, alpha: float
) -> list[Move]:
    """The top of the second side in order, then those of the first one's top that are not in it.

    All bounds of a side hold at once but with chance `alpha`.
    """
    best_first, best_second = first.best(top), second.best(top)
    old = standings(first, (best_first, pairing.first_of_second[best_second]), objective, alpha)
    new = standings(second, (best_second, pairing.second_of_first[best_first]), objective, alpha)
    found = [
        Move(second.name(int(row)), old.get(int(pairing.first_of_second[row])), new[int(row)])
        for row in best_second
    ]
    shown = set(best_second.tolist())
    for row in best_first:
        at = int(pairing.second_of_first[row])
        if at not in shown:
            name = second.name(at) if at >= 0 else first.name(int(row))
            found.append(Move(name, old[int(row)], new.get(at)))
    return found


def standings(side: Side, wanted: Sequence[Ints], objective: Objective, alpha: float) -> dict[int, Standing]:
    """Where builds of a side stand, by row; those that were not scored are left out."""
    rows = np.unique(np.concatenate(wanted))
    rows = rows[rows >= 0]
    rows = rows[~np.isnan(side.costs[rows])]
    if len(rows) == 0:
        return {}
    ranges, errors = side.rank_ranges(objective, alpha), side.error(rows)
    shown = objective.shown(side.costs[rows])
    return {
        int(row): Standing(ranges.of(int(row)), float(score), float(error))
        for row, score, error in zip(rows, shown, errors, strict=True)
    }
