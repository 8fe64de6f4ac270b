"""The kernel of exchanges: every build, each of its parts, everything that might stand in its place."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.analysis.lookup import find
from buildsearch.analysis.population import NO_PART

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rows = NDArray[np.int32]
Items = NDArray[np.int16]
Levels = NDArray[np.uint8]
Lookup = tuple[Ints, Ints, Rows]


@njit(cache=True, nogil=True)
def compare_exchanges(
    rows: Ints,
    items: Items,
    down: Rows,
    levels: Levels,
    most: Ints,
    free: Ints,
    table: Lookup,
    place: Ints,
    means: Floats,
    errors: Floats,
    cost: Ints,
    loss: Floats,
    slack: tuple[float, float],
    alive: NDArray[np.bool_],
    counts: Ints,
    gains: Floats,
) -> None:
    """Strike out of `alive` (part, stand-in) every pair that some build speaks against; count the rest."""
    keys, strides, slots = table
    tolerance, sure = slack
    fights = means.shape[1]
    nothing = len(free)
    for row in rows:
        for i in range(items.shape[1]):
            part = items[row, i]
            if part == NO_PART:
                break
            if i and part == items[row, i - 1]:
                continue
            a = place[part]
            without = down[row, i]
            # Whether leaving it out is as good, and strictly better somewhere.
            idle = without >= 0
            idle_better = False
            idle_certain = True
            idle_sum = 0.0
            idle_noise = 0.0
            if without >= 0:
                for fight in range(fights):
                    noise = errors[row, fight] ** 2 + errors[without, fight] ** 2
                    gap = tolerance + sure * np.sqrt(noise)
                    difference = means[row, fight] - means[without, fight]
                    idle_certain = idle_certain and (noise == 0 or difference > gap)
                    if noise > 0:
                        idle_sum += difference
                        idle_noise += noise
                    if difference < -gap:
                        idle = False
                        break
                    idle_better = idle_better or difference > gap
            if alive[a, nothing]:
                if not idle:
                    alive[a, nothing] = False
                else:
                    counts[0, a, nothing] += 1
                    counts[1, a, nothing] += idle_better
                    counts[3, a, nothing] += idle_certain
                    gains[1, a, nothing] += idle_sum
                    gains[2, a, nothing] += idle_noise
                    difference = loss[row] - loss[without]
                    if difference == difference:
                        gains[0, a, nothing] += difference
            for b in range(nothing):
                if not alive[a, b]:
                    continue
                into = free[b]
                if levels[into, row] >= most[into]:
                    continue
                other = find(keys, slots, keys[row] - strides[part] + strides[into])
                if other < 0:
                    if idle:
                        counts[2, a, b] += 1
                    else:
                        alive[a, b] = False
                    continue
                if cost[other] > cost[row]:
                    alive[a, b] = False
                    continue
                better = False
                certain = True
                for fight in range(fights):
                    noise = errors[row, fight] ** 2 + errors[other, fight] ** 2
                    gap = tolerance + sure * np.sqrt(noise)
                    difference = means[row, fight] - means[other, fight]
                    certain = certain and (noise == 0 or difference > gap)
                    if noise > 0:
                        gains[1, a, b] += difference
                        gains[2, a, b] += noise
                    if difference < -gap:
                        alive[a, b] = False
                        break
                    better = better or difference > gap
                if alive[a, b]:
                    counts[0, a, b] += 1
                    counts[1, a, b] += better
                    counts[3, a, b] += certain
                    difference = loss[row] - loss[other]
                    if difference == difference:
                        gains[0, a, b] += difference
