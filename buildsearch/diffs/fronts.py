"""New and lost members of the Pareto front."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.diffs.matched import Pairing
from buildsearch.diffs.side import Side
from buildsearch.model.arrays import Floats, Ints
from buildsearch.search.front import pareto_front
from buildsearch.search.objectives import Objective

# So many strong builds thin the field out before the front itself is computed.
_STRONG = 64


@dataclass(frozen=True, slots=True)
class FrontChange:
    """Pareto fronts of the scenarios' means and the cost."""

    before: int
    after: int
    new: tuple[str, ...]
    lost: tuple[str, ...]


def front_change(first: Side, second: Side, pairing: Pairing, objective: Objective) -> FrontChange:
    """Who is new on the Pareto front, and who is not on it any more."""
    fronts = [_front(side, higher_is_better=objective.metric.higher_is_better) for side in (first, second)]
    new = [row for row in fronts[1] if pairing.first_of_second[row] not in set(fronts[0].tolist())]
    lost = [row for row in fronts[0] if pairing.second_of_first[row] not in set(fronts[1].tolist())]
    return FrontChange(
        before=len(fronts[0]),
        after=len(fronts[1]),
        new=tuple(second.name(int(row)) for row in _best_first(second, new)),
        lost=tuple(first.name(int(row)) for row in _best_first(first, lost)),
    )


def _best_first(side: Side, rows: list[int]) -> Ints:
    chosen = np.array(rows, dtype=np.int64)
    return chosen[np.argsort(side.costs[chosen], kind="stable")]


def _front(side: Side, *, higher_is_better: bool) -> Ints:
    ledger = side.ledger
    means = [ledger.mean(i, 0) for i in range(len(ledger.fights))]
    prices = _prices(side)
    objectives: Floats = np.stack([*(-mean if higher_is_better else mean for mean in means), prices], axis=1)
    # Scores that are one score must be one number here too.
    objectives = np.asarray(np.round(objectives, 9), dtype=np.float64)
    known = np.flatnonzero(~np.isnan(objectives).any(axis=1))
    strong = known[np.argsort(side.costs[known], kind="stable")[:_STRONG]]
    for row in strong:
        beaten = (objectives[row] <= objectives[known]).all(axis=1)
        beaten &= (objectives[row] < objectives[known]).any(axis=1)
        known = known[~beaten]
    return known[pareto_front(objectives[known])]


def _prices(side: Side) -> Floats:
    """What each build costs."""
    costs = [side.arena.space.costs(chunk) for chunk in side.ledger.chunks]
    return np.concatenate([np.zeros(0), *costs])
