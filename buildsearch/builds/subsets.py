"""Subsets of options within a budget, with exclusions.

The order is fixed: depth first by option index. Beyond the required options, subsets come in the
lexicographic order of their indices, a subset before those that extend it: {}, {0}, {0, 1}, {0, 2}, {1}, ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.masks import (
    filled_chunks,
    indices_of,
    mask_of,
    whole_number,
    whole_numbers,
    word_count,
)
from buildsearch.builds.subset_kernels import SubsetRules, cost_of_rows, fill_neighbours, is_row_legal
from buildsearch.builds.subset_search import SubsetParts, SubsetStream
from buildsearch.model.arrays import Ints

_INT64_MAX = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, eq=False)
class SubsetProblem:
    """Subsets of n options within a budget, without conflicting pairs; checked, copied and frozen when made.

    Costs may be zero. A required set that is over the budget, at odds with itself or not allowed is no error:
    such a problem has no legal subset.
    """

    costs: Ints
    """(n,), zero or more."""
    conflicts: NDArray[np.uint64]
    """(n, words): row i is the mask of the options that exclude option i; symmetric, without i itself."""
    budget: int
    allowed: NDArray[np.uint64]
    """(words,): options that may be taken."""
    required: NDArray[np.uint64]
    """(words,): options that must be taken."""

    def __post_init__(self) -> None:
        options = len(self.costs)
        words = word_count(options)
        self._freeze("costs", np.dtype(np.int64), (options,))
        self._freeze("conflicts", np.dtype(np.uint64), (options, words))
        self._freeze("allowed", np.dtype(np.uint64), (words,))
        self._freeze("required", np.dtype(np.uint64), (words,))
        object.__setattr__(self, "budget", whole_number(self.budget, "The budget"))
        if options and int(self.costs.min()) < 0:
            raise ValueError(
                f"Costs must be zero or more; option {self.costs.argmin()} costs {self.costs.min()}."
            )
        if sum(self.costs.tolist()) > _INT64_MAX:
            raise ValueError("The costs together must fit into 64 bits.")
        beyond = ~self.every_option
        for name in ("conflicts", "allowed", "required"):
            if np.any(getattr(self, name) & beyond):
                raise ValueError(
                    f"The field {name} names options beyond the last one, which is {options - 1}."
                )
        self._check_conflicts()

    def _freeze(self, name: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
        array = np.asarray(getattr(self, name))
        if array.dtype != dtype or array.shape != shape:
            raise ValueError(
                f"The field {name} must be an array of {dtype} with shape {shape}, "
                f"not of {array.dtype} with shape {array.shape}."
            )
        # A copy, so that nobody can change the problem from outside once it has been checked.
        array = array.copy(order="C")
        array.setflags(write=False)
        object.__setattr__(self, name, array)

    def _check_conflicts(self) -> None:
        bits = np.unpackbits(self.conflicts.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        matrix = bits[:, : self.options]
        if matrix.diagonal().any():
            raise ValueError(f"Option {int(matrix.diagonal().argmax())} excludes itself.")
        if not np.array_equal(matrix, matrix.T):
            first, second = np.argwhere(matrix != matrix.T)[0].tolist()
            raise ValueError(f"Conflicts must go both ways; those of options {first} and {second} do not.")

    @classmethod
    def from_pairs(
        cls,
        costs: Sequence[int] | Ints,
        exclusions: Iterable[tuple[int, int]],
        budget: int,
        allowed: Iterable[int] | None = None,
        required: Iterable[int] = (),
    ) -> Self:
        """Build the problem from indices; pairs may repeat or turn round, `allowed` None allows all."""
        prices = np.array(whole_numbers(costs, "The cost of option"), dtype=np.int64)
        words = word_count(prices.size)
        rivals: list[set[int]] = [set() for _ in range(prices.size)]
        for first, second in exclusions:
            for option in (first, second):
                if not 0 <= option < prices.size:
                    raise ValueError(
                        f"The pair {(first, second)} names an option beyond the {prices.size} given."
                    )
            rivals[first].add(second)
            rivals[second].add(first)
        conflicts = np.zeros((prices.size, words), dtype=np.uint64)
        for option, others in enumerate(rivals):
            conflicts[option] = mask_of(others, words)
        return cls(
            costs=prices,
            conflicts=conflicts,
            budget=budget,
            allowed=mask_of(range(prices.size) if allowed is None else allowed, words),
            required=mask_of(required, words),
        )

    @property
    def options(self) -> int:
        return int(self.costs.size)

    @property
    def words(self) -> int:
        return int(self.allowed.size)

    @cached_property
    def every_option(self) -> NDArray[np.uint64]:
        """The mask of all options, allowed or not."""
        return mask_of(range(self.options), self.words)

    @cached_property
    def kernel_rules(self) -> SubsetRules:
        """The problem as the kernels take it; for use inside this package."""
        # Read-only arrays are another type to numba and would compile every kernel again: hence copies.
        return SubsetRules(
            costs=self.costs.copy(),
            conflicts=self.conflicts.copy(),
            allowed=self.allowed.copy(),
            required=self.required.copy(),
            # No subset spends more than everything, so a budget beyond 64 bits means the same as that.
            budget=min(self.budget, sum(self.costs.tolist())),
        )


# Rows of the buffer that counting overwrites again and again: small enough to stay in the second-level cache,
# large enough to hide the call (on a busy machine, 2,048 rows: 98 M/s; 16,384: 118 M/s; 65,536: 105 M/s).
_COUNTING_ROWS = 1 << 14
# With more subsets than this, drawing does not list them.
_MOST_LISTED = 1 << 24


def count_subsets(problem: SubsetProblem) -> int:
    """Count the legal subsets: part by part, or by the search that lists them where there is one part."""
    parts = SubsetParts(problem.kernel_rules)
    if parts.makes_sense:
        return parts.count()
    stream = SubsetStream(problem.kernel_rules)
    buffer = np.empty((_COUNTING_ROWS, problem.words), dtype=np.uint64)
    total = 0
    while rows := stream.fill(buffer):
        total += rows
    return total


def iter_subsets(problem: SubsetProblem, chunk_size: int = 1 << 16) -> Iterator[NDArray[np.uint64]]:
    """List the legal subsets as arrays (m, words) in the fixed order, each with memory of its own.

    Every array but the last has `chunk_size` rows, and none is empty.
    """
    size = whole_number(chunk_size, "The chunk size", least=1)
    return filled_chunks(SubsetStream(problem.kernel_rules).fill, problem.words, np.uint64, size)


def sample_subsets(
    problem: SubsetProblem, size: int, rng: np.random.Generator, *, replacement: bool = True
) -> NDArray[np.uint64]:
    """Draw legal subsets, all equally likely, as an array (size, words) in the order drawn.

    Exactly uniform: places in the fixed order are drawn first, then the listing streams past them once. So
    it costs one count and at most one listing, whatever the size, and keeps one chunk in memory. Where a
    listing would take minutes, they are drawn part by part instead, if the problem has parts.
    Without replacement no subset comes twice, and there must be at least `size` of them.
    """
    size = whole_number(size, "The sample size")
    rows = np.empty((size, problem.words), dtype=np.uint64)
    if size == 0:
        return rows
    total = count_subsets(problem)
    if total == 0:
        raise ValueError("There is no legal subset to draw from.")
    if not replacement and size > total:
        raise ValueError(f"Cannot draw {size} different subsets; there are only {total}.")
    if replacement and total > _MOST_LISTED:
        parts = SubsetParts(problem.kernel_rules)
        drawn = parts.sample(size, rng) if parts.makes_sense else None
        if drawn is not None:
            return drawn
    ranks = rng.integers(total, size=size) if replacement else rng.choice(total, size=size, replace=False)
    order = np.argsort(ranks)
    ranks = ranks[order]
    first = done = 0
    chunks = iter_subsets(problem)
    while done < size:
        chunk = next(chunks)
        upto = int(np.searchsorted(ranks, first + len(chunk)))
        rows[order[done:upto]] = chunk[ranks[done:upto] - first]
        first += len(chunk)
        done = upto
    return rows


def subset_neighbours(problem: SubsetProblem, mask: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Give the legal subsets at one change from `mask` (words,): one dropped, added or swapped.

    First drops and adds together by option index, then swaps by the option dropped and the option added. No
    subset comes twice, and never `mask` itself, which need not be legal: a search may repair with this.
    """
    row = _rows_of(problem, mask, dimensions=1)
    taken = len(indices_of(row))
    capacity = problem.options + taken * (problem.options - taken)
    out = np.empty((capacity, problem.words), dtype=np.uint64)
    rows = int(fill_neighbours(problem.kernel_rules, row, out))
    return out[:rows].copy()


def is_subset_legal(problem: SubsetProblem, mask: NDArray[np.uint64]) -> bool:
    """Tell whether a mask (words,) is one of the problem's subsets."""
    return bool(is_row_legal(problem.kernel_rules, _rows_of(problem, mask, dimensions=1)))


def subset_costs(problem: SubsetProblem, masks: NDArray[np.uint64]) -> Ints:
    """Give the cost of each mask of an array (m, words), legal or not."""
    rows = _rows_of(problem, masks, dimensions=2)
    out = np.empty(len(rows), dtype=np.int64)
    cost_of_rows(problem.kernel_rules.costs, rows, out)
    return out


def _rows_of(problem: SubsetProblem, masks: NDArray[np.uint64], *, dimensions: int) -> NDArray[np.uint64]:
    """Check masks from outside and give them as the kernels take them."""
    if masks.dtype != np.uint64 or masks.ndim != dimensions or masks.shape[-1] != problem.words:
        raise ValueError(
            f"Masks must be an array of uint64 with {dimensions} dimensions and {problem.words} words "
            f"a mask, not of {masks.dtype} with shape {masks.shape}."
        )
    # Bits past the last option would make the kernels read past the end of the costs.
    if np.any(masks[..., -1] & ~problem.every_option[-1]):
        raise ValueError(f"A mask names options beyond the last one, which is {problem.options - 1}.")
    return np.require(masks, requirements=["C", "W"])
