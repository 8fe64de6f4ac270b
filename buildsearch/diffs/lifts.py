"""Which options the best builds have more often than others, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.tops import boundary, running_count, share_size
from buildsearch.diffs.side import Side

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
