"""Which options the best builds have more often than others, before and after."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from buildsearch.diff.ground import Side

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
    """The share of the best builds that have a feature, over its share of all."""
    space = side.ground.space
    known = ~np.isnan(side.costs)
    number = math.ceil(TOP_SHARE * int(known.sum()))
    if number == 0:
        return {}
    # Everybody who ties with the last one is in.
    limit = np.partition(side.costs[known], number - 1)[number - 1]
    is_top = known & (side.costs <= limit)
    everywhere = np.zeros(len(space.feature_names))
    top = np.zeros(len(space.feature_names))
    for start, chunk in zip(side.ledger.starts, side.ledger.chunks, strict=False):
        has = space.levels(chunk) > 0
        mine = slice(int(start), int(start) + len(chunk))
        everywhere += has[known[mine]].sum(axis=0)
        top += has[is_top[mine]].sum(axis=0)
    every, best = int(known.sum()), int(is_top.sum())
    return {
        name: float(top[i] / best / (everywhere[i] / every))
        for i, name in enumerate(space.feature_names)
        if everywhere[i]
    }
