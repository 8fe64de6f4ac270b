"""Distributions of natural rolls, as plain arrays of probabilities."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

# Far below what a float64 sum of one can show; what lies beyond is counted as the largest total.
_NEGLIGIBLE = 1e-18


@lru_cache(maxsize=64)
def highest_of(sides: int, dice: int) -> NDArray[np.float64]:
    """The chance of each face 1..sides being the highest of so many dice (index 0 is face 1)."""
    faces = np.arange(sides + 1, dtype=np.float64) / sides
    return _frozen(np.diff(faces**dice))


@lru_cache(maxsize=64)
def exploding_sum(count: int, sides: int, explode_on: int) -> NDArray[np.float64]:
    """The chance of each total of dice that are rolled again and added from `explode_on` up.

    Index is the total. One die: every face below `explode_on` ends it, every other adds and goes on, so
    its distribution is a geometric series of shifted copies.
    """
    ending = np.zeros(sides + 1)
    going_on = np.zeros(sides + 1)
    ending[1 : min(explode_on, sides + 1)] = 1 / sides
    going_on[explode_on:] = 1 / sides
    one = np.zeros(1)
    chain = np.ones(1)
    while chain.sum() > _NEGLIGIBLE:
        one = _add(one, np.convolve(chain, ending))
        chain = np.convolve(chain, going_on)
    total = np.ones(1)
    for _ in range(count):
        total = np.convolve(total, one)
    last = int(np.flatnonzero(total > _NEGLIGIBLE)[-1])
    kept = total[: last + 1].copy()
    kept[last] += total[last + 1 :].sum()
    return _frozen(kept)


def _add(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    result = np.zeros(max(len(first), len(second)))
    result[: len(first)] += first
    result[: len(second)] += second
    return result


def _frozen(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array.setflags(write=False)
    return array
