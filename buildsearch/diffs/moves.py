"""What becomes of builds: ranks, legality, how common options are at the top, the Pareto front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.saturation import boundary, running_count, share_size
from buildsearch.diffs.sides import Pairing, Side
from buildsearch.model.arrays import Ints
from buildsearch.model.evaluation import TIE
from buildsearch.search.objectives import Objective
from buildsearch.search.pareto import pareto_front
from buildsearch.search.ranks import RankRange


@dataclass(frozen=True, slots=True)
class Placement:
    """A build on one side."""

    ranks: RankRange
    score: float
    error: float

    @property
    def rank(self) -> int:
        return self.ranks.rank


@dataclass(frozen=True, slots=True)
class Move:
    """A build of the top of either side; None where it is not legal."""

    build: str
    before: Placement | None
    after: Placement | None

    @property
    def is_still(self) -> bool:
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


def standings(side: Side, wanted: Sequence[Ints], objective: Objective, alpha: float) -> dict[int, Placement]:
    """Where builds of a side stand, by row; those that were not scored are left out."""
    rows = np.unique(np.concatenate(wanted))
    rows = rows[rows >= 0]
    rows = rows[~np.isnan(side.costs[rows])]
    if len(rows) == 0:
        return {}
    ranges, errors = side.rank_ranges(objective, alpha), side.error(rows)
    shown = objective.shown(side.costs[rows])
    return {
        int(row): Placement(ranges.of(int(row)), float(score), float(error))
        for row, score, error in zip(rows, shown, errors, strict=True)
    }


_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Legality:
    """Builds that only one side has, by group; of `new_parts` some part exists on that side only.

    `examples` are the best of them; `standing` is how well the first of these does there.
    """

    total: int
    by_group: dict[str, int]
    new_parts: int
    examples: tuple[str, ...]
    standing: Placement | None = None


def only_here(
    side: Side, other_of_mine: Ints, new_features: frozenset[str], objective: Objective, alpha: float
) -> Legality:
    """The builds of a side that the other has not."""
    rows = np.flatnonzero(other_of_mine < 0)
    names, group = side.ledger.groups()
    counts = np.bincount(group[rows], minlength=len(names)) if len(rows) else np.zeros(len(names), int)
    columns = [i for i, name in enumerate(side.arena.space.feature_names) if name in new_features]
    new_parts = 0
    if columns and len(rows):
        for chunk in side.ledger.part(rows).chunks:
            new_parts += int(side.arena.space.levels(chunk)[:, columns].any(axis=1).sum())
    best = rows[np.argsort(side.costs[rows], kind="stable")[:_EXAMPLES]]
    return Legality(
        total=len(rows),
        by_group={name: int(count) for name, count in zip(names, counts, strict=True) if count},
        new_parts=new_parts,
        examples=tuple(side.name(int(row)) for row in best),
        standing=next(iter(standings(side, (best[:1],), objective, alpha).values()), None),
    )


TOP_SHARE = 0.01
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class LiftChange:
    """How much commoner a feature is among the best builds than among all; None where nothing has it."""

    feature: str
    before: float | None
    after: float | None


def lift_changes(first: Side, second: Side, renamed: Mapping[str, str]) -> list[LiftChange]:
    """Features whose lift in the top 1 % is another one, the largest change first."""
    before = {renamed.get(name, name): value for name, value in _lifts(first).items()}
    after = _lifts(second)
    changes = [
        LiftChange(name, before.get(name), after.get(name)) for name in dict.fromkeys((*after, *before))
    ]
    moved = [each for each in changes if each.before is None or abs(_gap(each)) > _SAME]
    return sorted(moved, key=lambda each: (-abs(_gap(each)), each.feature))


def _gap(change: LiftChange) -> float:
    return (change.after or 0.0) - (change.before or 0.0)


def _lifts(side: Side) -> dict[str, float]:
    """The share of the best builds that have a feature, over its share of all; as `analyze` says it."""
    space = side.arena.space
    known = np.flatnonzero(~np.isnan(side.costs))
    if len(known) == 0:
        return {}
    order = known[np.argsort(side.costs[known], kind="stable")]
    top = boundary(side.costs[order], share_size(TOP_SHARE, len(order)))
    best = order[: top.end]
    counts = np.zeros(len(space.feature_names), np.int64)
    has_best = np.zeros((len(best), len(space.feature_names)), bool)
    for start, chunk in zip(side.ledger.starts, side.ledger.chunks, strict=False):
        has = space.levels(chunk) > 0
        mine = known[(known >= start) & (known < start + len(chunk))] - start
        counts += has[mine].sum(axis=0)
        here = np.flatnonzero((best >= start) & (best < start + len(chunk)))
        has_best[here] = has[best[here] - start]
    return {
        name: top.share(running_count(has_best[:, i])) / (float(counts[i]) / len(order))
        for i, name in enumerate(space.feature_names)
        if counts[i]
    }


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
    means = side.ledger.means
    costs = [side.arena.space.costs(chunk) for chunk in side.ledger.chunks]
    prices = np.concatenate([np.zeros(0), *costs])
    # Scores that are one score must be one number here too.
    objectives = np.round(np.vstack([-means if higher_is_better else means, prices]).T, 9)
    known = np.flatnonzero(~np.isnan(objectives).any(axis=1))
    strong = known[np.argsort(side.costs[known], kind="stable")[:_STRONG]]
    for row in strong:
        beaten = (objectives[row] <= objectives[known]).all(axis=1)
        beaten &= (objectives[row] < objectives[known]).any(axis=1)
        known = known[~beaten]
    return known[pareto_front(objectives[known])]
