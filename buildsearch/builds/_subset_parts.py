"""A choice in parts: options that exclude one another, directly or by way of others, belong together.

What is taken of one part says nothing about another but by its cost. So each part is listed by itself, and
its subsets are only counted by what they cost; sums over costs give the number of all subsets together, and
their shares give a draw in which all are equally likely. Two hundred free options cost nothing that way,
where a listing of all their combinations would never end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds._subset_rows import SubsetRules, cost_of_rows, is_row_legal
from buildsearch.builds._subset_search import SubsetStream
from buildsearch.builds.masks import indices_of, mask_of

_ROWS = 1 << 14
# Sums are over every cost up to the budget: with more of them, listing is the better way.
_LARGEST_BUDGET = 512
_MOST_ROWS = 1 << 24


@dataclass(frozen=True, slots=True)
class _Part:
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
        """The number of legal subsets."""
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

    def _drawn_costs(
        self, part: _Part, after: list[int], rest: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """What each draw spends on a part: a cost is as likely as there are subsets that go on from it."""
        costs = np.zeros(len(rest), np.int64)
        for left in np.unique(rest).tolist():
            ways = [many * after[left - cost] for cost, many in enumerate(part.by_cost[: left + 1])]
            total = sum(ways)
            mine = np.flatnonzero(rest == left)
            costs[mine] = rng.choice(len(ways), size=len(mine), p=[way / total for way in ways])
        return costs

    def _sums(self, parts: list[_Part]) -> list[list[int]]:
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

    def _part(self, options: tuple[int, ...]) -> _Part:
        counts = np.zeros(self._rest + 1, np.int64)
        if len(options) == 1:
            counts[0] += 1
            counts[self._rules.costs[options[0]]] += 1
            return _Part(options, counts.tolist())
        stream = self._stream(options)
        buffer = np.empty((_ROWS, self._words), np.uint64)
        spent = np.empty(_ROWS, np.int64)
        while rows := stream.fill(buffer):
            cost_of_rows(self._rules.costs, buffer[:rows], spent[:rows])
            counts += np.bincount(spent[:rows], minlength=self._rest + 1)
        return _Part(options, counts.tolist())

    def _listed(self, options: tuple[int, ...]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        stream = self._stream(options)
        pieces = []
        while True:
            piece = np.empty((_ROWS, self._words), np.uint64)
            filled = stream.fill(piece)
            pieces.append(piece[:filled])
            if filled < _ROWS:
                break
        rows = np.concatenate(pieces)
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
