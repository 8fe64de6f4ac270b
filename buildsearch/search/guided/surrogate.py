"""A guess at scores that are not known yet, from those that are: builds that share parts score alike.

A Gaussian process on counts of parts, with a kernel that falls off with the number of parts in which two
builds differ. It is made for ordering candidates and for nothing else: no score of an answer comes from it.
"""

from __future__ import annotations

import numpy as np

from buildsearch.model.arrays import Floats

# The number of changes after which two scores have little in common, and the share of a score that is noise.
_REACH = 4.0
_NOISE = 0.01


class Surrogate:
    """Learns from rows of counts (builds, parts) and a value for each, smaller is better."""

    def __init__(self, counts: Floats, values: Floats) -> None:
        self._counts = counts
        scores = normal_ranks(values)
        kernel = _kernel(counts, counts)
        kernel[np.diag_indices(len(kernel))] += _NOISE
        self._inverse = np.linalg.inv(kernel)
        self._weights = self._inverse @ scores

    def guess(self, counts: Floats) -> Floats:
        """Expected values, on a scale of their own."""
        return np.asarray(_kernel(counts, self._counts) @ self._weights)

    def doubt(self, counts: Floats) -> Floats:
        """Standard deviations of the guesses, from 0 to 1."""
        near = _kernel(counts, self._counts)
        known = np.einsum("ij,ij->i", near @ self._inverse, near)
        return np.asarray(np.sqrt(np.maximum(1.0 - known, 1e-9)))


def normal_ranks(values: Floats) -> Floats:
    """Values as places in their order, spread like a bell: outliers and units do not matter then."""
    places = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    shares = (places + 0.5) / len(values)
    # The logistic curve is close to the bell and needs no special function.
    return np.asarray(np.log(shares / (1 - shares)) / 1.7)


def _kernel(left: Floats, right: Floats) -> Floats:
    # Squared differences of counts: for sets, the number of parts that differ.
    squares = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1)[None, :] - 2 * left @ right.T
    return np.asarray(np.exp(-np.maximum(squares, 0.0) / _REACH))
