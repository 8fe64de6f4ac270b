"""Sparse kernels: from each situation where it may lead, what happened on the way, with which chance."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts, step
from buildsearch.systems.vitality.exact.nodes.areas.turns import HAPPENINGS, TOGETHER

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Kernel(NamedTuple):
    """Situation i leads to the entries from `starts[i]` up to `starts[i + 1]`."""

    starts: Ints
    targets: Ints
    happened: Ints
    chances: Floats


@step
def sort_first(values: NDArray[np.generic], count: int) -> None:
    """Put the first so many numbers in order: a heap, as numba takes two seconds to compile numpy's sort."""
    for begun in range(count // 2 + count - 1):
        top = count // 2 - 1 - begun
        size = count
        if top < 0:
            # The heap stands: its largest goes behind those that are left.
            size = count - 1 - (begun - count // 2)
            top = 0
            values[0], values[size] = values[size], values[0]
        while True:
            child = 2 * top + 1
            if child >= size:
                break
            if child + 1 < size and values[child + 1] > values[child]:
                child += 1
            if values[top] >= values[child]:
                break
            values[top], values[child] = values[child], values[top]
            top = child


@step
def collect(
    first: int, count: int, touched: Ints, sums: Floats, targets: Ints, happened: Ints, chances: Floats
) -> None:
    """Make entries of the sums that were touched, in the order of their targets, and clear them."""
    sort_first(touched, count)
    for k in range(count):
        place = touched[k]
        targets[first + k] = place // HAPPENINGS
        happened[first + k] = place % HAPPENINGS
        chances[first + k] = sums[place]
        sums[place] = 0.0


@step
def forget(count: int, touched: Ints, sums: Floats) -> None:
    """Clear the sums that were touched."""
    for k in range(count):
        sums[touched[k]] = 0.0


def made(situations: int, room: int, fill: Callable[[int, Kernel], int]) -> Kernel:
    """A kernel filled from a situation on until there is no more room: `fill` says where it stopped.

    Its arrays are made here: numba would compile each way to make one.
    """
    kernel = Kernel(
        np.zeros(situations + 1, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    )
    done = fill(0, kernel)
    while done < situations:
        kernel = Kernel(kernel.starts, *(np.append(each, np.zeros_like(each)) for each in kernel[1:]))
        done = fill(done, kernel)
    return Kernel(kernel.starts, *(each[: kernel.starts[-1]].copy() for each in kernel[1:]))


def nothing() -> Kernel:
    """Of nobody: one situation, and it stays."""
    return Kernel(np.array([0, 1]), np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1))


def beside(one: Kernel, other: Kernel) -> Kernel:
    """Two parts of a field that a roll strikes at once; the other runs fastest."""
    if len(one.starts) == 2:
        return other
    situations = (len(one.starts) - 1) * (len(other.starts) - 1)
    return made(
        situations, len(one.targets) * len(other.targets), lambda _, kernel: _beside(one, other, kernel)
    )


@kernel_without_refcounts
def _beside(one: Kernel, other: Kernel, kernel: Kernel) -> int:
    size = len(one.starts) - 1
    width = len(other.starts) - 1
    count = 0
    for i in range(size):
        for j in range(width):
            for k in range(one.starts[i], one.starts[i + 1]):
                for n in range(other.starts[j], other.starts[j + 1]):
                    kernel.targets[count] = one.targets[k] * width + other.targets[n]
                    kernel.happened[count] = TOGETHER[one.happened[k], other.happened[n]]
                    kernel.chances[count] = one.chances[k] * other.chances[n]
                    count += 1
            kernel.starts[i * width + j + 1] = count
    return size * width


def mixture(kernels: Sequence[Kernel], weights: Sequence[float]) -> Kernel:
    """One of these kernels, by chance; the weights may add up to less than 1."""
    size = len(kernels[0].starts) - 1
    starts = np.array([each.starts for each in kernels])
    offsets = np.concatenate([[0], np.cumsum([len(each.targets) for each in kernels])[:-1]])
    starts += offsets[:, None]
    entries = Kernel(
        np.zeros(0, np.int64),
        np.concatenate([each.targets for each in kernels]),
        np.concatenate([each.happened for each in kernels]),
        np.concatenate([each.chances * weight for each, weight in zip(kernels, weights, strict=True)]),
    )
    sums, touched = np.zeros(size * HAPPENINGS), np.zeros(size * HAPPENINGS, np.int64)
    return made(
        size, len(entries.targets), lambda _, kernel: _mixture(starts, entries, sums, touched, kernel)
    )


@kernel_without_refcounts
def _mixture(many: Ints, entries: Kernel, sums: Floats, touched: Ints, kernel: Kernel) -> int:
    size = many.shape[1] - 1
    for i in range(size):
        count = 0
        for each in range(len(many)):
            for k in range(many[each, i], many[each, i + 1]):
                if entries.chances[k] == 0.0:
                    continue
                place = entries.targets[k] * HAPPENINGS + entries.happened[k]
                if sums[place] == 0.0:
                    touched[count] = place
                    count += 1
                sums[place] += entries.chances[k]
        collect(kernel.starts[i], count, touched, sums, kernel.targets, kernel.happened, kernel.chances)
        kernel.starts[i + 1] = kernel.starts[i] + count
    return size
