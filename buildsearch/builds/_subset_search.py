"""Driver of the subset search: builds its tables, sets it at its start and picks the kernel for the width."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds._subset_kernels import SubsetSearch, SubsetTables, fill_many_words, fill_one_word
from buildsearch.builds._subset_rows import SubsetRules, is_row_legal
from buildsearch.builds.masks import indices_of, mask_of


class SubsetStream:
    """One pass over all legal subsets, handed out piece by piece."""

    def __init__(self, rules: SubsetRules, *, one_word: bool | None = None) -> None:
        words = rules.allowed.size
        # The choice of kernel is open to tests only: they hold the two against each other.
        self._one_word = words == 1 if one_word is None else one_word
        self._tables = _tables_of(rules, flat=self._one_word)
        self._search = _search_at_start(rules, self._tables, flat=self._one_word)

    def fill(self, out: NDArray[np.uint64]) -> int:
        """Write the next subsets into the rows of `out` (m, words); fewer than m only at the end."""
        kernel = fill_one_word if self._one_word else fill_many_words
        return int(kernel(self._tables, self._search, out))


def _tables_of(rules: SubsetRules, *, flat: bool) -> SubsetTables:
    costs = rules.costs
    words = rules.allowed.size
    prices = np.concatenate((np.array([-1], dtype=np.int64), np.unique(costs)))
    affordable = np.stack([mask_of(np.flatnonzero(costs <= price).tolist(), words) for price in prices])
    compatible = ~rules.conflicts
    if flat:
        return SubsetTables(costs, compatible[:, 0].copy(), prices, affordable[:, 0].copy())
    return SubsetTables(costs, compatible, prices, affordable)


def _search_at_start(rules: SubsetRules, tables: SubsetTables, *, flat: bool) -> SubsetSearch:
    taken = rules.required
    left = rules.allowed & ~taken
    for option in indices_of(taken):
        left &= ~rules.conflicts[option]
    rest = rules.budget - sum(int(rules.costs[option]) for option in indices_of(taken))
    price = int(np.searchsorted(tables.prices, rest, side="right")) - 1
    # A required set that is itself illegal leaves nothing to search, and its price is never read.
    depth = 0 if is_row_legal(rules, taken) else -1
    left &= tables.affordable[max(price, 0)]
    # Each step down takes an option; the root and one row of scratch come on top.
    depths = len(indices_of(left)) + 2
    search = SubsetSearch(
        left=np.zeros((depths, left.size), dtype=np.uint64),
        taken=np.zeros((depths, left.size), dtype=np.uint64),
        rest=np.zeros(depths, dtype=np.int64),
        price=np.zeros(depths, dtype=np.int64),
        cursor=np.array([depth, 0], dtype=np.int64),
    )
    search.left[0] = left
    search.taken[0] = taken
    search.rest[0] = rest
    search.price[0] = price
    if flat:
        return search._replace(left=search.left[:, 0].copy(), taken=search.taken[:, 0].copy())
    return search
