"""All builds of one family, eight at a time: values, and the proof that the turn limit is far.

A family shares map, turns and arrivals, and differs in chances. As in `batch`, a value is used where the
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

from buildsearch.systems.vitality.exact.batch.arrivals import TOLERANCE
from buildsearch.systems.vitality.exact.batch.compiled import inner
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES
from buildsearch.systems.vitality.exact.several.attacks import Roll
from buildsearch.systems.vitality.exact.several.values import (
    Ground,
    Memory,
    Program,
    Rolls,
    lane_values,
    read_values,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Growths whose moments may prove that the limit is far, tried up to the first that does.
MOMENTS = (1.5, 1.4, 1.33)


class Family(NamedTuple):
    """`starts[build, roll, class]`: where its `chances` begin; `sizes[roll, class]`: how many they are.

    `breaks[roll, class]`: where its second stretch of outcomes begins.
    """

    starts: Ints
    sizes: Ints
    breaks: Ints
    tables: Ints
    chances: Floats


class Readings(NamedTuple):
    """Which gates of which fields are read, and how often fights arrive there; row 0, then by growth."""

    gates: Ints
    fields: Ints
    weights: Floats


def family_of(builds: list[list[Roll]], which: Ints) -> Family:
    """Builds by their rolls; `which`: by roll and class the table."""
    known: dict[int, int] = {}
    parts: list[Floats] = []
    size = 0
    rolls, classes = which.shape
    starts = np.zeros((len(builds), rolls, classes), np.int64)
    for i, build in enumerate(builds):
        for r, roll in enumerate(build):
            for c, chances in enumerate(roll.chances):
                if id(chances) not in known:
                    known[id(chances)] = size
                    parts.append(chances)
                    size += len(chances)
                starts[i, r, c] = known[id(chances)]
    sizes = np.array([[len(one) for one in roll.chances] for roll in builds[0]], np.int64)
    breaks = np.array([[roll.break_at(c) for c in range(classes)] for roll in builds[0]], np.int64)
    return Family(starts, sizes, breaks, which, np.concatenate(parts))


def rolls_for(family: Family) -> Rolls:
    """Room for the chances of eight builds side by side."""
    rolls, classes = family.sizes.shape
    ends = np.cumsum(family.sizes).reshape(rolls, classes)
    first = 2 * np.arange(rolls * classes).reshape(rolls, classes)
    return Rolls(
        family.tables,
        ((ends - family.sizes) * LANES).astype(np.int64),
        first.astype(np.int64),
        (first + 2).astype(np.int64),
        np.zeros((2 * rolls * classes, 2), np.int64),
        np.zeros(int(ends[-1, -1]) * LANES),
    )


@inner
def fill_rolls(family: Family, first: int, last: int, rolls: Rolls) -> None:
    """Put builds from the first up to the last side by side; lanes that are left over repeat the last one.

    Stretches begin at even outcomes, so that sums are the same in any company.
    """
    for roll in range(family.sizes.shape[0]):
        for front in range(family.sizes.shape[1]):
            size = family.sizes[roll, front]
            begin = rolls.begins[roll, front]
            middle = family.breaks[roll, front]
            which = rolls.first[roll, front]
            for part in range(2):
                low = size
                high = 0
                for k in range(0 if part == 0 else middle, middle if part == 0 else size):
                    some = False
                    for lane in range(LANES):
                        start = family.starts[min(first + lane, last - 1), roll, front]
                        chance = family.chances[start + k]
                        rolls.chances[begin + k * LANES + lane] = chance
                        some = some or chance > 0.0
                    if some:
                        low = min(low, k)
                        high = k + 1
                if high > 0:
                    low -= (low - (0 if part == 0 else middle)) % 2
                else:
                    low = 0
                rolls.stretches[which + part, 0] = low
                rolls.stretches[which + part, 1] = high


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
    growths: Floats,
) -> None:
    """Mean turns by build; `growths` of those that the limit is near to are what is known to be finite, or 0.

    Those have values without a limit (infinite where there is none), all others growth -1.
    """
    fields = len(ground.front)
    count = len(family.starts)
    first = 0
    while first < count:
        last = min(first + LANES, count)
        fill_rolls(family, first, last, rolls)
        lane_values(ground, program, rolls, 1.0, memory)
        read_values(fields, readings.gates, readings.fields, readings.weights[0], memory)
        for lane in range(last - first):
            values[first + lane] = np.inf if memory.stuck[lane] else memory.read[lane]
            growths[first + lane] = 0.0
        for number in range(len(MOMENTS)):
            growth = MOMENTS[number]
            # A moment is at least what growth makes of the mean (Jensen): above this mean it proves nothing.
            reach = limit + math.log(TOLERANCE * math.e * math.log(growth)) / math.log(growth)
            is_open = False
            for i in range(first, last):
                is_open = is_open or (growths[i] >= 0.0 and 2 * values[i] <= limit and values[i] < reach)
            if not is_open:
                continue
            lane_values(ground, program, rolls, growth, memory)
            read_values(fields, readings.gates, readings.fields, readings.weights[1 + number], memory)
            for lane in range(last - first):
                i = first + lane
                if growths[i] < 0.0 or 2 * values[i] > limit or memory.stuck[lane]:
                    continue
                bound = memory.read[lane] * growth**-limit / (math.e * math.log(growth))
                if bound < TOLERANCE:
                    values[i] -= bound / 2
                    growths[i] = -1.0
                elif growths[i] == 0.0:
                    growths[i] = growth
        first = last
