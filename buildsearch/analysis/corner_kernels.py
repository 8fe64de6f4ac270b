"""Kernels of the corners: plain loops over builds and what they have. `corners.py` says what they sum up."""

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
# Count, sum, squares and noise of the marginal effects, of the pairs, of the triples.
Tables = tuple[NDArray[np.generic], ...]
Lookup = tuple[Ints, Ints, Rows]


@njit(cache=True, nogil=True)
def sum_by_drops(
    rows: Ints, items: Items, down: Rows, place: Ints, loss: Floats, noise: Floats, tables: Tables
) -> None:
    """From the build with all parts downwards: rows without them are found by dropping one after another."""
    n1, t1, q1, e1, n2, t2, q2, e2, n3, t3, q3, e3 = tables
    for row in rows:
        size = 0
        while size < items.shape[1] and items[row, size] != NO_PART:
            size += 1
        both = loss[row]
        for i in range(size):
            # Of several of one part only the first is dropped: the others would count the same context again.
            if i and items[row, i] == items[row, i - 1]:
                continue
            without_a = down[row, i]
            if without_a < 0:
                continue
            a = place[items[row, i]]
            effect = both - loss[without_a]
            if effect == effect:
                n1[a, size - 1] += 1
                t1[a, size - 1] += effect
                q1[a, size - 1] += effect * effect
                e1[a, size - 1] += noise[row] + noise[without_a]
            for j in range(i + 1, size):
                if items[row, j] == items[row, j - 1]:
                    continue
                without_b, neither = down[row, j], down[without_a, j - 1]
                if without_b < 0 or neither < 0:
                    continue
                b = place[items[row, j]]
                pair = effect - loss[without_b] + loss[neither]
                if pair == pair:
                    n2[a, b] += 1
                    t2[a, b] += pair
                    q2[a, b] += pair * pair
                    e2[a, b] += noise[row] + noise[without_a] + noise[without_b] + noise[neither]
                for k in range(j + 1, size):
                    if items[row, k] == items[row, k - 1]:
                        continue
                    without_c, no_ac, no_bc = down[row, k], down[without_a, k - 1], down[without_b, k - 1]
                    none = down[neither, k - 2]
                    if without_c < 0 or no_ac < 0 or no_bc < 0 or none < 0:
                        continue
                    c = place[items[row, k]]
                    triple = pair - loss[without_c] + loss[no_ac] + loss[no_bc] - loss[none]
                    if triple == triple:
                        n3[a, b, c] += 1
                        t3[a, b, c] += triple
                        q3[a, b, c] += triple * triple
                        e3[a, b, c] += (
                            noise[row]
                            + noise[without_a]
                            + noise[without_b]
                            + noise[without_c]
                            + noise[neither]
                            + noise[no_ac]
                            + noise[no_bc]
                            + noise[none]
                        )


@njit(cache=True, nogil=True)
def sum_by_swaps(
    rows: Ints,
    items: Items,
    levels: Levels,
    most: Ints,
    free: Ints,
    table: Lookup,
    place: Ints,
    loss: Floats,
    noise: Floats,
    tables: Tables,
) -> None:
    """Where nothing can be dropped, a part makes way for another: each corner is one swap from the next.

    A context of a swap is a build and what comes in for each part; no part of the set comes in for another.
    """
    keys, strides, slots = table
    n1, t1, q1, e1, n2, t2, q2, e2, n3, t3, q3, e3 = tables
    capacity = items.shape[1] * len(free)
    outs = np.empty(capacity, np.int64)
    ins = np.empty(capacity, np.int64)
    found = np.empty(capacity, np.int64)
    for row in rows:
        size = 0
        moves = 0
        for i in range(items.shape[1]):
            out = items[row, i]
            if out == NO_PART:
                break
            size += 1
            if i and out == items[row, i - 1]:
                continue
            for into in free:
                if into == out or levels[into, row] >= most[into]:
                    continue
                other = find(keys, slots, keys[row] - strides[out] + strides[into])
                if other >= 0:
                    outs[moves] = out
                    ins[moves] = into
                    found[moves] = other
                    moves += 1
        for i in range(moves):
            a, x = outs[i], ins[i]
            without_a = found[i]
            effect = loss[row] - loss[without_a]
            if effect == effect:
                n1[place[a], size - 1] += 1
                t1[place[a], size - 1] += effect
                q1[place[a], size - 1] += effect * effect
                e1[place[a], size - 1] += noise[row] + noise[without_a]
            key_a = keys[row] - strides[a] + strides[x]
            for j in range(i + 1, moves):
                b, y = outs[j], ins[j]
                if b == a or x == b or y == a:
                    continue
                if x == y and levels[x, row] + 2 > most[x]:
                    continue
                without_b = found[j]
                neither = find(keys, slots, key_a - strides[b] + strides[y])
                if neither < 0:
                    continue
                pair = effect - loss[without_b] + loss[neither]
                if pair == pair:
                    n2[place[a], place[b]] += 1
                    t2[place[a], place[b]] += pair
                    q2[place[a], place[b]] += pair * pair
                    e2[place[a], place[b]] += (
                        noise[row] + noise[without_a] + noise[without_b] + noise[neither]
                    )
                for k in range(j + 1, moves):
                    c, z = outs[k], ins[k]
                    if c in (a, b) or c in (x, y) or z in (a, b):
                        continue
                    added = 1 + (z == x) + (z == y)
                    if levels[z, row] + added > most[z]:
                        continue
                    key_c = strides[z] - strides[c]
                    no_ac = find(keys, slots, key_a + key_c)
                    no_bc = find(keys, slots, keys[row] - strides[b] + strides[y] + key_c)
                    none = find(keys, slots, key_a - strides[b] + strides[y] + key_c)
                    if no_ac < 0 or no_bc < 0 or none < 0:
                        continue
                    triple = pair - loss[found[k]] + loss[no_ac] + loss[no_bc] - loss[none]
                    if triple == triple:
                        n3[place[a], place[b], place[c]] += 1
                        t3[place[a], place[b], place[c]] += triple
                        q3[place[a], place[b], place[c]] += triple * triple
                        e3[place[a], place[b], place[c]] += (
                            noise[row]
                            + noise[without_a]
                            + noise[without_b]
                            + noise[found[k]]
                            + noise[neither]
                            + noise[no_ac]
                            + noise[no_bc]
                            + noise[none]
                        )
