"""Alias tables (Walker 1977, Vose 1991) in integers: one draw of 32 bits, one load, one comparison.

An entry packs a threshold and two outcomes: `threshold << 32 | other << 16 | own`. Of 32 random bits the
high ones name a column and the low ones are compared with its threshold. Weights are integers that add up
to 2^32 exactly, so a table states precisely which distribution it draws from.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from buildsearch.model.arrays import Floats, Ints

WEIGHT_BITS = 32
_TOTAL = 1 << WEIGHT_BITS


def bits_for(outcomes: int) -> int:
    """The smallest table that holds so many outcomes has 2^bits columns, and at least four.

    With fewer a threshold would need the sign bit of an entry.
    """
    return max(2, (outcomes - 1).bit_length())


@njit(cache=True, nogil=True)
def integer_weights(probabilities: Floats, weights: Ints) -> None:
    """Round probabilities to weights that add up to 2^32: down, and the rest to the likeliest outcome."""
    total = 0
    likeliest = 0
    for i in range(len(probabilities)):
        weights[i] = int(probabilities[i] * _TOTAL + 0.5)
        total += weights[i]
        if probabilities[i] > probabilities[likeliest]:
            likeliest = i
    weights[likeliest] += _TOTAL - total


@njit(cache=True, nogil=True)
def fill_alias(weights: Ints, codes: Ints, bits: int, row: Ints) -> None:
    """Fill the 2^bits entries of a row from weights that add up to 2^32 and the outcome code of each."""
    columns = 1 << bits
    full = 1 << (32 - bits)
    left = np.zeros(columns, np.int64)
    small = np.zeros(columns, np.int64)
    large = np.zeros(columns, np.int64)
    smalls = 0
    larges = 0
    for i in range(columns):
        left[i] = weights[i] if i < len(weights) else 0
        if left[i] < full:
            small[smalls] = i
            smalls += 1
        else:
            large[larges] = i
            larges += 1
    while smalls > 0:
        smalls -= 1
        poor = small[smalls]
        # Integer weights: whenever a column lacks something, another has at least that much to spare.
        rich = large[larges - 1]
        own = codes[poor] if poor < len(codes) else codes[0]
        row[poor] = (left[poor] << 32) | (codes[rich] << 16) | own
        left[rich] -= full - left[poor]
        if left[rich] < full:
            larges -= 1
            small[smalls] = rich
            smalls += 1
    for i in range(larges):
        rich = large[i]
        row[rich] = (full << 32) | (codes[rich] << 16) | codes[rich]


def table_weights(row: Ints, bits: int) -> dict[int, int]:
    """The weight out of 2^32 that a row gives to each outcome: what it will draw, read back."""
    full = 1 << (WEIGHT_BITS - bits)
    weights: dict[int, int] = {}
    for entry in row[: 1 << bits].tolist():
        threshold, other, own = entry >> 32, (entry >> 16) & 0xFFFF, entry & 0xFFFF
        weights[own] = weights.get(own, 0) + threshold
        weights[other] = weights.get(other, 0) + full - threshold
    return {code: weight for code, weight in weights.items() if weight}
