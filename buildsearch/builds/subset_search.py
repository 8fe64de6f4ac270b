"""The search for subsets, and problems that fall into independent parts.

What is taken of one part says nothing about another but by its cost. So each part is listed by itself, and
its subsets are only counted by what they cost; sums over costs give the number of all subsets together, and
their shares give a draw in which all are equally likely. Two hundred free options cost nothing that way,
where a listing of all their combinations would never end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.masks import filled_chunks, indices_of, mask_of
from buildsearch.builds.subset_kernels import (
    SubsetRules,
    SubsetSearch,
    SubsetTables,
    cost_of_rows,
    fill_many_words,
    fill_one_word,
    is_row_legal,
)
from buildsearch.model.arrays import Ints


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


_ROWS = 1 << 14
# Sums are over every cost up to the budget: with more of them, listing is the better way.
_LARGEST_BUDGET = 512
_MOST_ROWS = 1 << 24


@dataclass(frozen=True, slots=True)
class _SubsetPart:
    options: tuple[int, ...]
    by_cost: list[int]  # how many of its subsets cost 0, 1, 2, ...


class SubsetParts:
    """A problem that falls into parts. `makes_sense` says whether this is a shorter way than to list it."""

    def __init__(self, rules: SubsetRules) -> None:
        self._rules = rules
        self._words = rules.allowed.size
        self.is_possible = bool(is_row_legal(rules, rules.required))
        required = indices_of(rules.required)
        self._rest = rules.budget - sum(int(rules.costs[option]) for option in required)
        self._groups = self._components(required) if self.is_possible else []

    @property
    def makes_sense(self) -> bool:
        """Whether there is more than one part, and sums over costs are short."""
        return self.is_possible and len(self._groups) > 1 and self._rest <= _LARGEST_BUDGET

    def _components(self, required: tuple[int, ...]) -> list[tuple[int, ...]]:
        rules = self._rules
        left = rules.allowed & ~rules.required
        for option in required:
            left = left & ~rules.conflicts[option]
        open_ = {option for option in indices_of(left) if rules.costs[option] <= self._rest}
        groups = []
        while open_:
            group, border = set[int](), [min(open_)]
            while border:
                option = border.pop()
                if option in open_:
                    open_.remove(option)
                    group.add(option)
                    border.extend(indices_of(rules.conflicts[option] & left))
            groups.append(tuple(sorted(group)))
        return groups

    def count(self) -> int:
        return self._sums([self._part(group) for group in self._groups])[0][self._rest]

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.uint64] | None:
        """So many subsets, all equally likely; None where a part is itself too large to be listed."""
        parts = [self._part(group) for group in self._groups]
        if max(sum(part.by_cost) for part in parts) > _MOST_ROWS:
            return None
        sums = self._sums(parts)
        rest = np.full(size, self._rest, np.int64)
        drawn = np.repeat(self._rules.required[None, :], size, axis=0)
        for number, part in enumerate(parts):
            costs = self._drawn_costs(part, sums[number + 1], rest, rng)
            rows, spent = self._listed(part.options)
            for cost in np.unique(costs):
                mine = np.flatnonzero(costs == cost)
                choices = np.flatnonzero(spent == cost)
                drawn[mine] |= rows[choices[rng.integers(len(choices), size=len(mine))]]
            rest -= costs
        return drawn

    def _drawn_costs(self, part: _SubsetPart, after: list[int], rest: Ints, rng: np.random.Generator) -> Ints:
        """What each draw spends on a part: a cost is as likely as there are subsets that go on from it."""
        costs = np.zeros(len(rest), np.int64)
        for left in np.unique(rest).tolist():
            ways = [many * after[left - cost] for cost, many in enumerate(part.by_cost[: left + 1])]
            total = sum(ways)
            mine = np.flatnonzero(rest == left)
            costs[mine] = rng.choice(len(ways), size=len(mine), p=[way / total for way in ways])
        return costs

    def _sums(self, parts: list[_SubsetPart]) -> list[list[int]]:
        """For each part, and past the last: in how many ways it and those after it cost at most so much."""
        exact = [1] + [0] * self._rest
        found = [_summed(exact)]
        for part in reversed(parts):
            exact = [
                sum(many * exact[cost - own] for own, many in enumerate(part.by_cost[: cost + 1]) if many)
                for cost in range(self._rest + 1)
            ]
            found.append(_summed(exact))
        return found[::-1]

    def _part(self, options: tuple[int, ...]) -> _SubsetPart:
        counts = np.zeros(self._rest + 1, np.int64)
        if len(options) == 1:
            counts[0] += 1
            counts[self._rules.costs[options[0]]] += 1
            return _SubsetPart(options, counts.tolist())
        stream = self._stream(options)
        buffer = np.empty((_ROWS, self._words), np.uint64)
        spent = np.empty(_ROWS, np.int64)
        while rows := stream.fill(buffer):
            cost_of_rows(self._rules.costs, buffer[:rows], spent[:rows])
            counts += np.bincount(spent[:rows], minlength=self._rest + 1)
        return _SubsetPart(options, counts.tolist())

    def _listed(self, options: tuple[int, ...]) -> tuple[NDArray[np.uint64], Ints]:
        pieces = filled_chunks(self._stream(options).fill, self._words, np.uint64, _ROWS)
        rows = np.concatenate(list(pieces))
        spent = np.empty(len(rows), np.int64)
        cost_of_rows(self._rules.costs, rows, spent)
        return rows, spent

    def _stream(self, options: tuple[int, ...]) -> SubsetStream:
        allowed, nothing = mask_of(options, self._words), np.zeros(self._words, np.uint64)
        return SubsetStream(self._rules._replace(allowed=allowed, required=nothing, budget=self._rest))


def _summed(exact: list[int]) -> list[int]:
    total, found = 0, []
    for many in exact:
        total += many
        found.append(total)
    return found
