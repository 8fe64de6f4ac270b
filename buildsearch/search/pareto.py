"""The Pareto front of several objectives, smaller is better in each."""

from __future__ import annotations

import numpy as np

from buildsearch.model.arrays import Floats, Ints


def pareto_front(costs: Floats) -> Ints:
    """The rows (builds) of a matrix (builds, objectives) that no other row is as good as in every objective.

    Equal rows do not dominate one another: all of them stay.
    """
    known = np.flatnonzero(~np.isnan(costs).any(axis=1))
    distinct, which = np.unique(costs[known], axis=0, return_inverse=True)
    is_front = np.zeros(len(distinct), bool)
    left = np.arange(len(distinct))
    while len(left):
        # The least sum is on the front; everything that is nowhere better than it goes.
        best = left[np.argmin(distinct[left].sum(axis=1))]
        is_front[best] = True
        left = left[(distinct[left] < distinct[best]).any(axis=1)]
    result: Ints = known[is_front[np.ravel(which)]]
    return result
