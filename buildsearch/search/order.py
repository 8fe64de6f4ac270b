"""The order of a leaderboard: by score, and ties by what else matters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.arrays import Floats
from buildsearch.model.evaluation import TIE

# Ties are looked at one by one up to here; a larger group is cut by its cheaper criteria.
MOST_TIED = 500


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """Builds in order; `group` numbers the ties, from 1, and `size` says how many builds are tied there."""

    rows: NDArray[np.int64]
    group: NDArray[np.int64]
    size: NDArray[np.int64]
    rank: NDArray[np.int64]


def order_top(
    costs: Floats,
    is_exact: NDArray[np.bool_],
    top: int,
    tie_break: Callable[[NDArray[np.int64]], list[tuple[object, ...]]],
) -> Ordered:
    """The best builds in order. `tie_break` gives a sorting key for each of some tied builds."""
    known = np.flatnonzero(~np.isnan(costs))
    if len(known) == 0:
        nothing = np.zeros(0, np.int64)
        return Ordered(nothing, nothing, nothing, nothing)
    top = min(top, len(known))
    last = np.partition(costs[known], top - 1)[top - 1]
    near = known[costs[known] <= last + TIE]
    near = near[np.argsort(costs[near], kind="stable")]
    rows: list[int] = []
    groups: list[int] = []
    sizes: list[int] = []
    ranks: list[int] = []
    for number, tied in enumerate(_ties(near, costs, is_exact), start=1):
        first = len(rows) + 1
        chosen = tied[: max(MOST_TIED, top - len(rows))]
        if len(chosen) > 1:
            keys = tie_break(chosen)
            chosen = chosen[sorted(range(len(chosen)), key=lambda i: keys[i])]
        for place, row in enumerate(chosen[: top - len(rows)]):
            rows.append(int(row))
            groups.append(number)
            sizes.append(len(tied))
            ranks.append(first + place)
        if len(rows) >= top:
            break
    return Ordered(*(np.array(column, dtype=np.int64) for column in (rows, groups, sizes, ranks)))


def _ties(rows: NDArray[np.int64], costs: Floats, is_exact: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Neighbours in a sorted list whose exact scores are one score. Sampled scores tie with nobody."""
    gaps = np.diff(costs[rows]) > TIE
    both = is_exact[rows][1:] & is_exact[rows][:-1]
    # Sampled builds that do the same have the very same sums.
    same = (np.diff(costs[rows]) == 0) & ~is_exact[rows][1:] & ~is_exact[rows][:-1]
    cuts = np.flatnonzero(~((both & ~gaps) | same)) + 1
    return np.split(rows, cuts)
