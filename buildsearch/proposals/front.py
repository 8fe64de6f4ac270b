"""A few proposals out of many: none that another beats in everything, and different from one another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from buildsearch.model.levers import CUTS, PAIRS, RAISES, TYPES, Edit
from buildsearch.proposals.measure import Quick

Candidate = tuple[tuple[Edit, ...], Quick]
_PRICES, _BANS = {RAISES, CUTS}, {PAIRS, TYPES}


def pick(candidates: Sequence[Candidate], most: int) -> list[tuple[Candidate, str]]:
    """At most so many, with what each is best at: raises and bans first, of those the smallest; what moves
    the benchmark last."""
    if not candidates:
        return []
    front = undominated(_one_a_set(candidates))
    chosen: dict[int, list[str]] = {}
    costs = np.array([each.costs for _, each in front], dtype=float)

    def take(place: int, what: str) -> None:
        chosen.setdefault(place, []).append(what)

    order = np.lexsort(costs.T[::-1])
    is_fewest = costs[order[0], 1] == costs[:, 1].min()
    take(int(order[0]), "fewest edits" if is_fewest else "fewest raises and bans")
    for column, what in ((3, "most builds kept"), (4, "most freedom"), (5, "ranks move least")):
        if len(chosen) < most:
            keys = [costs[:, c] for c in (2, 1, column)]
            take(int(np.lexsort(keys)[0]), what)
    for kinds, what in ((_PRICES, "prices only"), (_BANS, "bans only")):
        mine = [i for i in order.tolist() if {edit.kind for edit in front[i][0]} <= kinds]
        if mine and len(chosen) < most:
            take(mine[0], what)
    spread = np.ptp(costs, axis=0)
    scaled = costs / np.where(spread > 0, spread, 1.0)
    while len(chosen) < min(most, len(front)):
        # The one farthest from all that are chosen; among equals the smaller one.
        apart = np.stack([np.abs(scaled - scaled[i]).sum(axis=1) for i in chosen]).min(axis=0)
        apart[list(chosen)] = -1
        place = int(max(order.tolist(), key=lambda i: apart[i]))
        if apart[place] <= 0.02:
            break
        take(place, "")
    ranked = [i for i in order.tolist() if i in chosen]
    return [(front[i], ", ".join(word for word in chosen[i] if word)) for i in ranked]


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
