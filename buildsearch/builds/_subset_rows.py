"""Kernels that look at given masks: what they cost, whether they are legal, what lies one change away.

They serve every mask width with one compilation; none of them is as hot as the search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.builds._bits import lowest_index

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_WORD_BITS = 64


class SubsetRules(NamedTuple):
    """The problem as the kernels take it: writable and contiguous, hence always of one type."""

    costs: NDArray[np.int64]  # (n,)
    conflicts: NDArray[np.uint64]  # (n, words)
    allowed: NDArray[np.uint64]  # (words,)
    required: NDArray[np.uint64]  # (words,)
    budget: int


@njit(cache=True, nogil=True)
def cost_of_rows(costs: NDArray[np.int64], rows: NDArray[np.uint64], out: NDArray[np.int64]) -> None:
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
