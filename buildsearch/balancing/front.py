"""A few proposals out of many: each best at something, and none that another beats in everything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from buildsearch.balancing.measure import Quick
from buildsearch.model.levers import CUTS, PAIRS, RAISES, TYPES, Edit

Candidate = tuple[tuple[Edit, ...], Quick]
_COSTS, _BANS = {RAISES, CUTS}, {PAIRS, TYPES}
# Columns of `Quick.costs`, and the share of builds that a reader would notice.
_LAST, _EDITS, _LOST, _VIABLE, _WEAK = 0, 1, 3, 4, 5
_NOTABLE_LOSS = 0.02
_FEWEST = "fewest edits"
NOTHING_OVERCOSTED = "nothing overcosted"


def pick(candidates: Sequence[Candidate], most: int) -> list[tuple[Candidate, str]]:
    """At most `most`, with what each is best at: raises and bans first, of those the smallest; what moves
    the benchmark last. A set that is best at nothing a reader would notice is left out."""
    if not candidates:
        return []
    front = undominated(_one_a_set(candidates))
    chosen: dict[int, list[str]] = {}
    costs = np.array([each.costs for _, each in front], dtype=float)
    kinds = [{edit.kind for edit in edits} for edits, _ in front]
    order = np.lexsort(costs.T[::-1])

    def take(place: int, what: str) -> None:
        if place in chosen or len(chosen) < most:
            chosen.setdefault(place, []).append(what)

    def is_better(place: int, column: int, by: float) -> bool:
        return all(costs[i, column] - costs[place, column] >= by for i in chosen)

    fewest = costs[:, _EDITS].min()
    take(int(order[0]), _FEWEST if costs[order[0], _EDITS] == fewest else "fewest raises and bans")

    def smaller(kind: int) -> None:
        """The smallest of those that make builds legal (1) or move the benchmark (2)."""
        mine = [i for i in order.tolist() if costs[i, _LAST] == kind]
        if mine and is_better(mine[0], _EDITS, 1):
            take(mine[0], _FEWEST if costs[mine[0], _EDITS] == fewest else "fewer edits, with cost cuts")

    smaller(1)
    for column, what, by in (
        (_WEAK, NOTHING_OVERCOSTED, 1),
        (_LOST, "keeps the most builds", _NOTABLE_LOSS),
        (_VIABLE, "most viable options", 2),
    ):
        place = int(np.lexsort([costs[:, c] for c in (2, 1, column, 0)])[0])
        if place not in chosen and is_better(place, column, by):
            take(place, what if column != _WEAK or costs[place, _WEAK] == 0 else "fewest newly overcosted")
    smaller(2)
    for wanted, what in ((_BANS, "bans only"), (_COSTS, "costs only")):
        mine = [i for i in order.tolist() if kinds[i] <= wanted]
        # Where all are of that kind, it tells nothing.
        if mine and not all(each <= wanted for each in kinds) and chosen.get(mine[0]) != [_FEWEST]:
            take(mine[0], what)
    ranked = [i for i in order.tolist() if i in chosen]
    return [(front[i], ", ".join(chosen[i])) for i in ranked]


def undominated(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that no other beats in something and is worse than in nothing."""
    costs = np.array([each.costs for _, each in candidates], dtype=float)
    kept = []
    for i, candidate in enumerate(candidates):
        no_worse = (costs <= costs[i] + 1e-12).all(axis=1)
        better = (costs < costs[i] - 1e-12).any(axis=1)
        if not (no_worse & better).any():
            kept.append(candidate)
    return kept


def _one_a_set(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of sets that move the same levers the one that moves them least."""
    found: dict[frozenset[str], Candidate] = {}
    for edits, costs in candidates:
        key = frozenset(edit.lever for edit in edits)
        if key not in found or costs.steps < found[key][1].steps:
            found[key] = (edits, costs)
    return list(found.values())
