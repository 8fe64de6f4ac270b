"""Compiled search for subsets of options within a budget, and the rows that it fills.

Both visit subsets in pre-order by option index. What may still be taken is kept as a mask per depth, already
free of conflicts and of options that the rest of the budget cannot pay; so every bit that is met is a subset,
and no step is wasted on a refusal.
Affordability is one AND: `affordable[t]` holds the options that cost at most `prices[t]`. The rest only
shrinks on the way down, so a child searches for its price downwards from its parent's.

Every uint64 stays with uint64 (`_ONE`): mixed with a Python int, numba would fall to float64, and negation
would warn without the compiler.

They serve every mask width with one compilation; none of them is as hot as the search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.builds.masks import lowest_index
from buildsearch.model.arrays import Ints

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_WORD_BITS = 64
_DEPTH = 0
_STARTED = 1


class SubsetTables(NamedTuple):
    """What the search looks up; the mask arrays drop their last axis for one-word problems."""

    costs: Ints  # (n,)
    compatible: NDArray[np.uint64]  # (n, words), the complement of the conflicts
    prices: Ints  # (t,) ascending distinct costs, after a -1 at which nothing is affordable
    affordable: NDArray[np.uint64]  # (t, words)


class SubsetSearch(NamedTuple):
    """Where the search stands: one row a depth, and a cursor, so it can stop at any subset and resume."""

    left: NDArray[np.uint64]  # (depths, words) options still to be tried here
    taken: NDArray[np.uint64]  # (depths, words) the subset that stands here
    rest: Ints  # (depths,) budget that is left
    price: Ints  # (depths,) row of `affordable` for that rest
    cursor: Ints  # depth (-1: exhausted), whether the root was handed out


@njit(cache=True, nogil=True)
def fill_one_word(tables: SubsetTables, search: SubsetSearch, out: NDArray[np.uint64]) -> int:
    """Write the next subsets into `out` (rows, 1), advance the search and return how many were written."""
    costs, compatible, prices, affordable = tables
    depth = search.cursor[_DEPTH]
    size = out.shape[0]
    rows = 0
    if depth < 0:
        return rows
    # The row in hand lives in scalars; the arrays are touched only on the way down and up.
    left, taken = search.left[depth], search.taken[depth]
    rest, price = search.rest[depth], search.price[depth]
    if search.cursor[_STARTED] == 0:
        search.cursor[_STARTED] = 1
        out[0, 0] = taken
        rows = 1
    while rows < size:
        if left == _ZERO:
            depth -= 1
            if depth < 0:
                break
            left, taken = search.left[depth], search.taken[depth]
            rest, price = search.rest[depth], search.price[depth]
            continue
        option = lowest_index(left)
        others = left & (left - _ONE)
        subset = taken | (left ^ others)
        left = others
        out[rows, 0] = subset
        rows += 1
        child_rest = rest - costs[option]
        child_price = price
        while prices[child_price] > child_rest:
            child_price -= 1
        child_left = left & compatible[option] & affordable[child_price]
        if child_left != _ZERO:
            search.left[depth] = left
            depth += 1
            left, taken, rest, price = child_left, subset, child_rest, child_price
            search.taken[depth] = taken
            search.rest[depth] = rest
            search.price[depth] = price
    search.cursor[_DEPTH] = depth
    if depth >= 0:
        search.left[depth] = left
    return rows


@njit(cache=True, nogil=True)
def fill_many_words(tables: SubsetTables, search: SubsetSearch, out: NDArray[np.uint64]) -> int:
    """Do what `fill_one_word` does for masks of any width; the same search, a loop over words a step."""
    costs, compatible, prices, affordable = tables
    left, taken = search.left, search.taken
    depth = search.cursor[_DEPTH]
    size, words = out.shape
    rows = 0
    if depth < 0:
        return rows
    if search.cursor[_STARTED] == 0:
        search.cursor[_STARTED] = 1
        for w in range(words):  # a slice assignment would take two seconds more to compile
            out[0, w] = taken[0, w]
        rows = 1
    while rows < size:
        word = 0
        while word < words and left[depth, word] == _ZERO:
            word += 1
        if word == words:
            depth -= 1
            if depth < 0:
                break
            continue
        bits = left[depth, word]
        option = word * _WORD_BITS + lowest_index(bits)
        others = bits & (bits - _ONE)
        left[depth, word] = others
        for w in range(words):
            out[rows, w] = taken[depth, w]
        out[rows, word] |= bits ^ others
        child_rest = search.rest[depth] - costs[option]
        child_price = search.price[depth]
        while prices[child_price] > child_rest:
            child_price -= 1
        # The row below is scratch until the search really goes down; `SubsetSearch` has one row to spare.
        found = _ZERO
        for w in range(words):
            bits = left[depth, w] & compatible[option, w] & affordable[child_price, w]
            left[depth + 1, w] = bits
            found |= bits
        if found != _ZERO:
            depth += 1
            for w in range(words):
                taken[depth, w] = out[rows, w]
            search.rest[depth] = child_rest
            search.price[depth] = child_price
        rows += 1
    search.cursor[_DEPTH] = depth
    return rows


class SubsetRules(NamedTuple):
    """The problem as the kernels take it: writable and contiguous, hence always of one type."""

    costs: Ints  # (n,)
    conflicts: NDArray[np.uint64]  # (n, words)
    allowed: NDArray[np.uint64]  # (words,)
    required: NDArray[np.uint64]  # (words,)
    budget: int


@njit(cache=True, nogil=True)
def cost_of_rows(costs: Ints, rows: NDArray[np.uint64], out: Ints) -> None:
    """Write the cost of each row (m, words) into `out` (m,)."""
    for row in range(rows.shape[0]):
        spent = 0
        for word in range(rows.shape[1]):
            bits = rows[row, word]
            while bits != _ZERO:
                spent += costs[word * _WORD_BITS + lowest_index(bits)]
                bits &= bits - _ONE
        out[row] = spent


@njit(cache=True, nogil=True)
def is_row_legal(rules: SubsetRules, row: NDArray[np.uint64]) -> bool:
    """Tell whether a row (words,) keeps to the options allowed and required, the exclusions, the budget."""
    words = row.shape[0]
    for word in range(words):
        if row[word] & ~rules.allowed[word] != _ZERO or rules.required[word] & ~row[word] != _ZERO:
            return False
    spent = 0
    for word in range(words):
        bits = row[word]
        while bits != _ZERO:
            option = word * _WORD_BITS + lowest_index(bits)
            bits &= bits - _ONE
            spent += rules.costs[option]
            for other in range(words):
                if rules.conflicts[option, other] & row[other] != _ZERO:
                    return False
    return spent <= rules.budget


@njit(cache=True, nogil=True)
def _bit_of(option: int) -> np.uint64:
    return _ONE << np.uint64(option % _WORD_BITS)


@njit(cache=True, nogil=True)
def _write_if_legal(
    rules: SubsetRules, trial: NDArray[np.uint64], out: NDArray[np.uint64], place: int
) -> int:
    if not is_row_legal(rules, trial):
        return 0
    for word in range(trial.shape[0]):  # a slice assignment would take two seconds more to compile
        out[place, word] = trial[word]
    return 1


@njit(cache=True, nogil=True)
def fill_neighbours(rules: SubsetRules, row: NDArray[np.uint64], out: NDArray[np.uint64]) -> int:
    """Write the legal rows at one flip, by option, then at one swap, by option dropped and option added.

    `out` must have a row for each flip and each swap; returns how many were written.
    """
    options = rules.costs.shape[0]
    rows = 0
    trial = row.copy()
    for option in range(options):
        word = option // _WORD_BITS
        trial[word] ^= _bit_of(option)
        rows += _write_if_legal(rules, trial, out, rows)
        trial[word] ^= _bit_of(option)
    for dropped in range(options):
        if row[dropped // _WORD_BITS] & _bit_of(dropped) == _ZERO:
            continue
        trial[dropped // _WORD_BITS] ^= _bit_of(dropped)
        for added in range(options):
            word = added // _WORD_BITS
            if row[word] & _bit_of(added) != _ZERO:
                continue
            trial[word] ^= _bit_of(added)
            rows += _write_if_legal(rules, trial, out, rows)
            trial[word] ^= _bit_of(added)
        trial[dropped // _WORD_BITS] ^= _bit_of(dropped)
    return rows
