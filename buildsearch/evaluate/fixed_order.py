"""Sums of products, added in a fixed order.

`@` and `np.convolve` call BLAS, which adds in an order that depends on the processor. The last bit of a
chance is part of the digest of a fight, and so of its stream of random numbers.
"""

from __future__ import annotations

import numpy as np

from buildsearch.model.arrays import Floats


def product(left: Floats, right: Floats) -> Floats:
    """`left @ right` of two matrices."""
    found = np.zeros((left.shape[0], right.shape[1]))
    for i in range(left.shape[1]):
        found += left[:, i, None] * right[None, i]
    return found


def convolved(first: Floats, second: Floats) -> Floats:
    """The chances of a sum, where index is the value."""
    found = np.zeros(len(first) + len(second) - 1)
    for i, chance in enumerate(second):
        found[i : i + len(first)] += chance * first
    return found
