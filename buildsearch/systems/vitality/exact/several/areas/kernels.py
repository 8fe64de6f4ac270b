"""Sparse kernels: from each situation where it may lead, what happened on the way, with which chance."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.inner_kernels import inner
from buildsearch.systems.vitality.exact.several.areas.happenings import HAPPENINGS, TOGETHER

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Kernel(NamedTuple):
    """Situation i leads to the entries from `starts[i]` up to `starts[i + 1]`."""

    starts: Ints
    targets: Ints
    happened: Ints
    chances: Floats


@inner
def collect(
    first: int, count: int, touched: Ints, sums: Floats, targets: Ints, happened: Ints, chances: Floats
) -> None:
    """Make entries of the sums that were touched, in the order of their targets, and clear them."""
    places = np.sort(touched[:count])
    for k in range(count):
        targets[first + k] = places[k] // HAPPENINGS
        happened[first + k] = places[k] % HAPPENINGS
        chances[first + k] = sums[places[k]]
        sums[places[k]] = 0.0


def nothing() -> Kernel:
    """Of nobody: one situation, and it stays."""
    return Kernel(np.array([0, 1]), np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1))


def beside(one: Kernel, other: Kernel) -> Kernel:
    """Two parts of a field that a roll strikes at once; the other runs fastest."""
    if len(one.starts) == 2:
        return other
    return Kernel(*_beside(one, other))


@njit(cache=True, nogil=True)
def _beside(one: Kernel, other: Kernel) -> tuple[Ints, Ints, Ints, Floats]:
    size, width = len(one.starts) - 1, len(other.starts) - 1
    starts = np.zeros(size * width + 1, np.int64)
    entries = len(one.targets) * len(other.targets)
    targets = np.zeros(entries, np.int64)
    happened = np.zeros(entries, np.int64)
    chances = np.zeros(entries)
    count = 0
    for i in range(size):
        for j in range(width):
            for k in range(one.starts[i], one.starts[i + 1]):
                for n in range(other.starts[j], other.starts[j + 1]):
                    targets[count] = one.targets[k] * width + other.targets[n]
                    happened[count] = TOGETHER[one.happened[k], other.happened[n]]
                    chances[count] = one.chances[k] * other.chances[n]
                    count += 1
            starts[i * width + j + 1] = count
    return starts, targets, happened, chances


def mixture(kernels: Sequence[Kernel], weights: Sequence[float]) -> Kernel:
    """One of these kernels, by chance; the weights may add up to less than 1."""
    size = len(kernels[0].starts) - 1
    starts = np.array([each.starts for each in kernels])
    offsets = np.concatenate([[0], np.cumsum([len(each.targets) for each in kernels])[:-1]])
    return Kernel(
        *_mixture(
            size,
            starts + offsets[:, None],
            np.concatenate([each.targets for each in kernels]),
            np.concatenate([each.happened for each in kernels]),
            np.concatenate([each.chances * weight for each, weight in zip(kernels, weights, strict=True)]),
        )
    )


@njit(cache=True, nogil=True)
def _mixture(
    size: int, many: Ints, targets: Ints, happened: Ints, chances: Floats
) -> tuple[Ints, Ints, Ints, Floats]:
    sums = np.zeros(size * HAPPENINGS)
    touched = np.zeros(size * HAPPENINGS, np.int64)
    starts = np.zeros(size + 1, np.int64)
    to = np.zeros(len(targets), np.int64)
    what = np.zeros(len(targets), np.int64)
    share = np.zeros(len(targets))
    for i in range(size):
        count = 0
        for each in range(len(many)):
            for k in range(many[each, i], many[each, i + 1]):
                if chances[k] == 0.0:
                    continue
                place = targets[k] * HAPPENINGS + happened[k]
                if sums[place] == 0.0:
                    touched[count] = place
                    count += 1
                sums[place] += chances[k]
        collect(starts[i], count, touched, sums, to, what, share)
        starts[i + 1] = starts[i] + count
    last = starts[size]
    return starts, to[:last].copy(), what[:last].copy(), share[:last].copy()
