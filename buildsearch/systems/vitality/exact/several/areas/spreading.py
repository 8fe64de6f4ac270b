"""Mass on all fields of a wave, taken through one area attack."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.several.areas.happenings import HAPPENINGS, TOGETHER
from buildsearch.systems.vitality.exact.several.areas.rolls import Roll

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Mass of a row of fields below this counts as ending on the spot.
UNSEEN = 1e-20


@njit(cache=True, nogil=True)
def spread(roll: Roll, mass: Floats, next_rows: Ints, gates: Floats, nodes: Floats) -> float:
    """Move `mass` (rows, columns) to where `next_rows` leads, gates first; how much was too little to follow."""
    rows, columns = mass.shape
    lines = np.zeros((HAPPENINGS, columns))
    low = np.zeros(HAPPENINGS, np.int64)
    high = np.zeros(HAPPENINGS, np.int64)
    dropped = 0.0
    for row in range(rows):
        line = mass[row]
        total = 0.0
        first = columns
        last = 0
        for j in range(columns):
            if line[j] > 0.0:
                total += line[j]
                first = min(first, j)
                last = j + 1
        if total < UNSEEN:
            dropped += total
            for j in range(first, last):
                line[j] = 0.0
            continue
        for group in range(len(roll.row_starts)):
            for what in range(HAPPENINGS):
                low[what] = columns
                high[what] = 0
            for j in range(first, last):
                weight = line[j]
                if weight == 0.0:
                    continue
                for k in range(roll.column_starts[group, j], roll.column_starts[group, j + 1]):
                    what = roll.column_happened[k]
                    column = roll.column_targets[k]
                    lines[what, column] += weight * roll.column_chances[k]
                    low[what] = min(low[what], column)
                    high[what] = max(high[what], column + 1)
            for what in range(HAPPENINGS):
                begin = low[what]
                end = high[what]
                if begin >= end:
                    continue
                source = lines[what]
                for k in range(roll.row_starts[group, row], roll.row_starts[group, row + 1]):
                    there = next_rows[TOGETHER[what, roll.row_happened[k]]]
                    target = roll.row_targets[k]
                    if there < len(gates):
                        _add(gates[there, target], source, roll.row_chances[k], begin, end)
                    else:
                        _add(nodes[there - len(gates), target], source, roll.row_chances[k], begin, end)
                for j in range(begin, end):
                    source[j] = 0.0
        for j in range(first, last):
            line[j] = 0.0
    return dropped


@njit(cache=True, nogil=True)
def _add(out: Floats, source: Floats, chance: float, begin: int, end: int) -> None:
    for j in range(end - begin):
        out[np.uint64(begin + j)] += chance * source[np.uint64(begin + j)]
