"""Budgeted subsets with exclusions: counted, listed, sampled, and what lies one change away.

The order is fixed: depth first by option index. Beyond the required options, subsets come in the
lexicographic order of their indices, a subset before those that extend it: {}, {0}, {0, 1}, {0, 2}, {1}, ...
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds._checks import whole_number
from buildsearch.builds._subset_parts import SubsetParts
from buildsearch.builds._subset_rows import cost_of_rows, fill_neighbours, is_row_legal
from buildsearch.builds._subset_search import SubsetStream
from buildsearch.builds.masks import indices_of, mask_of
from buildsearch.builds.subset_problem import SubsetProblem

__all__ = [
    "SubsetProblem",
    "count_subsets",
    "indices_of",
    "is_subset_legal",
    "iter_subsets",
    "mask_of",
    "sample_subsets",
    "subset_costs",
    "subset_neighbours",
]

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
    # A generator of its own, so that a wrong argument is refused here and not at the first step.
    return _chunks(problem, whole_number(chunk_size, "The chunk size", least=1))


def _chunks(problem: SubsetProblem, chunk_size: int) -> Iterator[NDArray[np.uint64]]:
    stream = SubsetStream(problem.kernel_rules)
    while True:
        chunk = np.empty((chunk_size, problem.words), dtype=np.uint64)
        rows = stream.fill(chunk)
        if rows < chunk_size:
            if rows:
                # A copy, because a slice would keep the whole chunk alive.
                yield chunk[:rows].copy()
            return
        yield chunk


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


def subset_costs(problem: SubsetProblem, masks: NDArray[np.uint64]) -> NDArray[np.int64]:
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
