"""All builds of one family, eight at a time: values, and the proof that the turn limit is far.

A family shares a map and what leads to what, and differs in chances. As in `batch`, a value is used where the
mean of growth ** turns proves that the limit takes hardly anything off it; half of what it may take at most
is taken off.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step, step_without_refcounts
from buildsearch.systems.vitality.exact.batch.crossing import TOLERANCE
from buildsearch.systems.vitality.exact.nodes.values import (
    Ground,
    Memory,
    Program,
    Rolls,
    lane_values,
)
from buildsearch.systems.vitality.exact.vectors import LANES

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Growths whose moments may prove that the limit is far: the one that proves the most, then those above it,
# which prove what it nearly does, then those below it, where it has no moment.
MOMENTS = (1.33, 1.45, 1.39, 1.22, 1.15)
_ABOVE = 1
_BELOW = 3
# Those above are tried where the first one's bound is below this: measured, it takes the fewest CPU seconds.
_NEARLY = 1e-4


class Family(NamedTuple):
    """`starts[build, roll, class]`: where its `chances` begin; `sizes[roll, class]`: how many they are.

    `breaks[roll, class]`: where its parts of outcomes begin, and where the last one ends. `processes[build]`:
    its row of `weights`, the chances of steps by living, and of what is read in the end.
    """

    starts: Ints
    sizes: Ints
    breaks: Ints
    tables: Ints
    chances: Floats
    processes: Ints
    weights: Floats


class Readings(NamedTuple):
    """Which gates of which fields are read, and how often fights arrive there; row 0, then by growth.

    Those of process p stand from `starts[p]` on.
    """

    starts: Ints
    gates: Ints
    fields: Ints
    weights: Floats


def rolls_for(family: Family) -> Rolls:
    """Room for the chances of eight builds side by side."""
    rolls, classes = family.sizes.shape
    parts = family.breaks.shape[2] - 1
    ends = np.cumsum(family.sizes).reshape(rolls, classes)
    return Rolls(
        family.tables,
        (ends - family.sizes) * LANES,
        parts * np.arange(rolls * classes).reshape(rolls, classes),
        np.zeros((parts * rolls * classes, 2), np.int64),
        np.zeros(int(ends[-1, -1]) * LANES),
        np.zeros(int(ends[-1, -1]) * LANES),
    )


@step_without_refcounts
def fill_lanes(family: Family, first: int, last: int, rolls: Rolls, weights: Floats) -> None:
    """Put builds from the first up to the last side by side; lanes that are left over repeat the last one.

    Stretches begin at even outcomes, so that sums are the same in any company.
    """
    for lane in range(LANES):
        process = family.processes[min(first + lane, last - 1)]
        for i in range(family.weights.shape[1]):
            weights[i * LANES + lane] = family.weights[process, i]
    for roll in range(family.sizes.shape[0]):
        for front in range(family.sizes.shape[1]):
            begin = rolls.begins[roll, front]
            for part in range(family.breaks.shape[2] - 1):
                first_one = family.breaks[roll, front, part]
                low = first_one
                high = family.breaks[roll, front, part + 1]
                for lane in range(LANES):
                    start = family.starts[min(first + lane, last - 1), roll, front]
                    behind = 0.0
                    for k in range(high - 1, low - 1, -1):
                        behind += family.chances[start + k]
                        rolls.chances[begin + k * LANES + lane] = family.chances[start + k]
                        rolls.sums[begin + k * LANES + lane] = behind
                while high > low and not _has_chance(rolls.chances, begin + (high - 1) * LANES):
                    high -= 1
                while low < high and not _has_chance(rolls.chances, begin + low * LANES):
                    low += 1
                which = rolls.first[roll, front] + part
                rolls.stretches[which, 0] = low - (low - first_one) % 2
                rolls.stretches[which, 1] = high


@step_without_refcounts
def _has_chance(chances: Floats, at: int) -> bool:
    """Whether any of eight neighbours is not nothing."""
    some = False
    for lane in range(LANES):
        some = some or chances[at + lane] != 0.0
    return some


@step_without_refcounts
def read_values(
    family: Family, build: int, lane: int, readings: Readings, row: int, fields: int, known: Floats
) -> float:
    """Values by weight: of the gates and fields that a build's process enters."""
    process = family.processes[build]
    total = 0.0
    for i in range(readings.starts[process], readings.starts[process + 1]):
        at = (readings.gates[i] * fields + readings.fields[i]) * LANES + lane
        total += readings.weights[row, i] * known[at]
    return total


@step
def _part(family: Family, builds: Ints) -> Family:
    return Family(
        family.starts[builds], family.sizes, family.breaks, family.tables, family.chances,
        family.processes[builds], family.weights,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def solve_family(
    ground: Ground,
    program: Program,
    family: Family,
    rolls: Rolls,
    memory: Memory,
    readings: Readings,
    limit: int,
    values: Floats,
    bounds: Floats,
) -> None:
    """Mean turns by build, and what the limit takes off at most; half of it is taken off where it is little.

    Where it is more than `TOLERANCE` values are without a limit (infinite where there is none).
    """
    fields = len(ground.front)
    count = len(family.starts)
    for first in range(0, count, LANES):
        last = min(first + LANES, count)
        fill_lanes(family, first, last, rolls, memory.weights)
        lane_values(ground, program, rolls, 1.0, memory)
        for lane in range(last - first):
            value = read_values(family, first + lane, lane, readings, 0, fields, memory.known)
            values[first + lane] = np.inf if memory.stuck[lane] else value
            bounds[first + lane] = np.inf
    # Builds of about the same mean go together: a moment proves it for all eight of them, or for none.
    order = np.argsort(values)
    chosen = np.zeros(count, np.int64)
    for number in range(len(MOMENTS)):
        growth = MOMENTS[number]
        # A moment is at least what growth makes of the mean (Jensen): above this mean it proves nothing.
        reach = limit + math.log(TOLERANCE * math.e * math.log(growth)) / math.log(growth)
        open_ = 0
        for i in order:
            wanted = bounds[i] == np.inf
            if _ABOVE <= number < _BELOW:
                wanted = TOLERANCE <= bounds[i] < _NEARLY
            if wanted and 2 * values[i] <= limit and values[i] < reach:
                chosen[open_] = i
                open_ += 1
        some = _part(family, chosen[:open_])
        for first in range(0, open_, LANES):
            last = min(first + LANES, open_)
            fill_lanes(some, first, last, rolls, memory.weights)
            lane_values(ground, program, rolls, growth, memory)
            for lane in range(last - first):
                i = chosen[first + lane]
                if memory.stuck[lane]:
                    continue
                moment = read_values(some, first + lane, lane, readings, 1 + number, fields, memory.known)
                bounds[i] = min(bounds[i], moment * growth**-limit / (math.e * math.log(growth)))
    for i in range(count):
        if bounds[i] < TOLERANCE:
            values[i] -= bounds[i] / 2
