"""Builds that became legal, and builds that are so no more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.diffs.moves import Standing, standings
from buildsearch.diffs.side import Side
from buildsearch.model.arrays import Ints
from buildsearch.search.objectives import Objective

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
    standing: Standing | None = None


def only_here(
    side: Side, other_of_mine: Ints, new_features: frozenset[str], objective: Objective, alpha: float
) -> Legality:
    """The builds of a side that the other has not."""
    rows = np.flatnonzero(other_of_mine < 0)
    names, group = side.groups()
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
