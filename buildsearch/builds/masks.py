"""Sets of options as rows of 64-bit words: option `i` is bit `i % 64` of word `i // 64`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

WORD_BITS = 64


def word_count(options: int) -> int:
    """Give the number of words that a mask over so many options needs; never less than one."""
    return max(1, -(-options // WORD_BITS))


def mask_of(indices: Iterable[int], words: int) -> NDArray[np.uint64]:
    """Give the mask (words,) with these options set."""
    # Whole Python integers first: their shifts know no overflow.
    bits = [0] * words
    for index in indices:
        if not 0 <= index < words * WORD_BITS:
            raise ValueError(f"Option {index} does not fit into a mask of {words * WORD_BITS} bits.")
        bits[index // WORD_BITS] |= 1 << (int(index) % WORD_BITS)
    return np.array(bits, dtype=np.uint64)


def indices_of(mask: NDArray[np.uint64]) -> tuple[int, ...]:
    """Give the options that are set in a mask (words,), ascending."""
    indices: list[int] = []
    for word, value in enumerate(mask.tolist()):
        bits = int(value)
        while bits:
            lowest = bits & -bits
            indices.append(word * WORD_BITS + lowest.bit_length() - 1)
            bits ^= lowest
    return tuple(indices)
