"""Mass on all fields of a wave, taken through one area attack."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts, step
from buildsearch.systems.vitality.exact.nodes.areas.kernels import sort_first
from buildsearch.systems.vitality.exact.nodes.areas.rolls import Roll
from buildsearch.systems.vitality.exact.nodes.areas.turns import HAPPENINGS, TOGETHER

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# So much of the chance may be too little to follow, in rows that have least of it: it counts as ending on the
# spot. An attack is spread some hundred times at most.
SPARED = 1e-16
# Less than this in one field is passed over.
_UNSEEN = 1e-24


@step
def _lines(mass: Floats, lines: Ints, sums: Floats, ordered: Floats) -> float:
    """By row the first column with mass and one behind the last; how much was too little to follow."""
    rows, columns = mass.shape
    count = 0
    for row in range(rows):
        line = mass[row]
        sums[row] = 0.0
        lines[row, 0] = columns
        lines[row, 1] = 0
        for j in range(columns):
            if line[j] > _UNSEEN:
                sums[row] += line[j]
                lines[row, 0] = min(lines[row, 0], j)
                lines[row, 1] = j + 1
        if sums[row] > 0.0:
            ordered[count] = sums[row]
            count += 1
    dropped = 0.0
    least = 0.0
    sort_first(ordered, count)
    for k in range(count):
        each = ordered[k]
        if dropped + each > SPARED:
            least = each
            break
        dropped += each
    for row in range(rows):
        if sums[row] < least or (least == 0.0 and sums[row] > 0.0):
            lines[row, 1] = 0
    return dropped


def spread(roll: Roll, mass: Floats, next_rows: Ints, gates: Floats, nodes: Floats) -> float:
    """Move `mass` (rows, columns) to where `next_rows` leads; how much was too little to follow."""
    rows, columns = mass.shape
    lines, sums, parts = np.zeros((rows, 2), np.int64), np.zeros((2, rows)), np.zeros(HAPPENINGS * columns)
    occurs = np.bincount(roll.column_happened, minlength=HAPPENINGS)
    # Arrays as one dimension: else their addresses are looked up for every line.
    flat = gates.reshape(-1), nodes.reshape(-1)
    return float(_spread(roll, mass, next_rows, len(gates), *flat, lines, sums, parts, occurs))


@kernel_without_refcounts
def _spread(
    roll: Roll, mass: Floats, next_rows: Ints, gates: int, to_gates: Floats, to_nodes: Floats, lines: Ints,
    sums: Floats, parts: Floats, occurs: Ints,
) -> float:  # fmt: skip
    rows, columns = mass.shape
    dropped = _lines(mass, lines, sums[0], sums[1])
    column_starts = roll.column_starts
    column_targets = roll.column_targets
    column_happened = roll.column_happened
    column_chances = roll.column_chances
    starts = roll.row_starts
    targets = roll.row_targets
    happened = roll.row_happened
    chances = roll.row_chances
    for row in range(rows):
        line = mass[row]
        first = lines[row, 0]
        last = lines[row, 1]
        for group in range(len(starts) if first < last else 0):
            begin = columns
            end = 0
            for j in range(first, last):
                weight = line[j]
                if weight <= _UNSEEN:
                    continue
                start = column_starts[group, j]
                stop = column_starts[group, j + 1]
                # Entries stand in the order of their targets.
                begin = min(begin, column_targets[start])
                end = max(end, column_targets[stop - 1] + 1)
                for k in range(start, stop):
                    at = column_happened[k] * columns + column_targets[k]
                    parts[np.uint64(at)] += weight * column_chances[k]
            size = end - begin
            for what in range(HAPPENINGS):
                if occurs[what] == 0:
                    continue
                source = what * columns + begin
                for k in range(starts[group, row], starts[group, row + 1]):
                    there = next_rows[TOGETHER[what, happened[k]]]
                    chance = chances[k]
                    if there < gates:
                        _add(
                            to_gates,
                            (there * rows + targets[k]) * columns + begin,
                            parts,
                            source,
                            chance,
                            size,
                        )
                    else:
                        place = ((there - gates) * rows + targets[k]) * columns + begin
                        _add(to_nodes, place, parts, source, chance, size)
                for j in range(source, source + size):
                    parts[j] = 0.0
        for j in range(columns):
            line[j] = 0.0
    return dropped


@step
def _add(out: Floats, place: int, source: Floats, begin: int, chance: float, size: int) -> None:
    for j in range(size):
        out[np.uint64(place + j)] += chance * source[np.uint64(begin + j)]


@kernel_without_refcounts
def pour(mass: Floats, chance: float, out: Floats) -> float:
    """Add so much of mass to `out`; how much that was."""
    total = 0.0
    for row in range(len(mass)):
        line = mass[row]
        here = 0.0
        for j in range(len(line)):
            here += line[j]
        if here > 0.0:
            total += here
            into = out[row]
            for j in range(len(line)):
                into[j] += chance * line[j]
    return chance * total


@kernel_without_refcounts
def amount(mass: Floats) -> float:
    """How much there is."""
    total = 0.0
    for row in range(len(mass)):
        line = mass[row]
        here = 0.0
        for j in range(len(line)):
            here += line[j]
        total += here
    return total
