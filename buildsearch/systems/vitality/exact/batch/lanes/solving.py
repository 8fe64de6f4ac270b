"""All pairs of process and profile, eight profiles at a time: value and proof, or turn by turn.

A value is a mean without a turn limit. The mean of growth ** turns proves that a limit of n takes hardly
anything off it: (N - n)+ <= growth ** (N - n) / (e ln growth).
"""

# mypy: disable-error-code="arg-type, assignment, call-overload, return-value, no-any-return"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import (
    ABOVE,
    BELOW,
    GROWTHS,
    NEARLY,
    TOLERANCE,
    Arrivals,
    PackedArrivals,
    Readings,
)
from buildsearch.systems.vitality.exact.batch.compiled import glue, set_all
from buildsearch.systems.vitality.exact.batch.lanes.program import Program, program_of
from buildsearch.systems.vitality.exact.batch.lanes.tables import (
    Ladders,
    Tables,
    fill_tables,
    group_from,
    tables_for,
)
from buildsearch.systems.vitality.exact.batch.lanes.values import (
    LaneMemory,
    lane_memory,
    lane_turns,
    lane_values,
)
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES
from buildsearch.systems.vitality.exact.batch.packing import Packed
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.batch.ways import BY_VALUE, BY_WALK
from buildsearch.systems.vitality.exact.moves import BASIC


class _Process(NamedTuple):
    """A process, and what solving it takes."""

    steps: NDArray[np.void]
    spreads: NDArray[np.int64]
    states: int
    places: Places
    arrivals: Arrivals
    program: Program
    tables: Tables
    memory: LaneMemory
    eight: Ladders


class _Behind(NamedTuple):
    """The profiles behind a process."""

    ladders: Ladders
    values: NDArray[np.float64]
    bounds: NDArray[np.float64]  # what the limit takes off at most


@glue
def _evaluate(
    process: _Process,
    damages: Damages,
    splinter: Splinter,
    chosen: NDArray[np.int64],
    first: int,
    last: int,
    limit: int,
    behind: _Behind,
) -> None:
    """Moments of the chosen profiles by growths of the numbers from the first up to the last; -1: values."""
    steps = process.steps
    spreads = process.spreads
    arrivals = process.arrivals
    tables = process.tables
    memory = process.memory
    eight = process.eight
    start = np.int64(0)
    while start < len(chosen):
        stop = group_from(behind.ladders, chosen, start, eight)
        fill_tables(tables, damages, splinter, eight)
        for number in range(first, last):
            growth = 1.0 if number < 0 else GROWTHS[number]
            readings = Readings(arrivals.states, arrivals.grown[1 + number])
            lane_values(process.program, steps, spreads, process.places, tables, growth, readings, memory)
            is_open = False
            for lane in range(stop - start):
                i = chosen[start + lane]
                if number < 0:
                    behind.values[i] = np.inf if memory.stuck[lane] else memory.read[lane]
                    # The proof is a factor of two away at least: do not look for it in vain.
                    is_open = is_open or 2 * behind.values[i] <= limit
                    continue
                if 2 * behind.values[i] > limit or behind.bounds[i] < TOLERANCE:
                    # Asked for only because of who goes beside it: it must not know.
                    continue
                bound = memory.read[lane] * growth**-limit / (math.e * math.log(growth))
                if not memory.stuck[lane] and bound < behind.bounds[i]:
                    behind.bounds[i] = bound
                is_open = is_open or not behind.bounds[i] < TOLERANCE
            if not is_open:
                break
        start = stop


@glue
def _respect_limit(
    process: _Process,
    damages: Damages,
    splinter: Splinter,
    near: NDArray[np.int64],
    limit: int,
    behind: _Behind,
) -> None:
    """The means of those that the limit is near to, in place of their values."""
    steps = process.steps
    spreads = process.spreads
    places = process.places
    arrivals = process.arrivals
    program = process.program
    tables = process.tables
    memory = process.memory
    eight = process.eight
    readings = Readings(arrivals.states, arrivals.grown[0])
    start = np.int64(0)
    while start < len(near):
        stop = group_from(behind.ladders, near, start, eight)
        fill_tables(tables, damages, splinter, eight)
        lane_values(program, steps, spreads, places, tables, 1.0, readings, memory)
        lane_turns(program, steps, spreads, places, tables, limit, arrivals.states, arrivals.by_turn, memory)
        for lane in range(stop - start):
            behind.values[near[start + lane]] = memory.read[lane]
        start = stop


@glue
def _process_of(
    packed: Packed, arriving: PackedArrivals, number: int, damages: Damages, splinter: Splinter
) -> _Process:
    """One of the processes."""
    which = packed.places_of[number]
    places = Places(packed.strike_class, packed.max_hp, packed.ends_wave, packed.events[which],
                    packed.sets[which], packed.same_as_next[which])  # fmt: skip
    states = arriving.states[arriving.first_state[number] : arriving.first_state[number + 1]]
    row = arriving.first_row[number]
    arrivals = Arrivals(
        arriving.before[number],
        states,
        arriving.by_turn[: arriving.turns[number], row : row + len(states)].copy(),
        arriving.grown[:, row : row + len(states)].copy(),
    )
    steps = packed.steps[packed.first_step[number] : packed.first_step[number + 1]]
    spreads = packed.spreads[packed.first_spread[number] : packed.first_spread[number + 1]]
    size = packed.states[number]
    actions = BASIC + 1
    for i in range(len(steps)):
        actions = max(actions, steps[i]["action"] + 1)
    tables = tables_for(actions, places, damages, splinter)
    program = program_of(steps, len(spreads), size, actions, tables.is_echo)
    memory = lane_memory(program, steps, len(spreads), size, places, tables)
    classes = tables.classes
    eight = Ladders(np.zeros((LANES, classes), np.int64), np.zeros((LANES, classes), np.int64))
    return _Process(steps, spreads, size, places, arrivals, program, tables, memory, eight)


@njit(cache=True, nogil=True)
def solve_pairs(
    packed: Packed,
    arriving: PackedArrivals,
    damages: Damages,
    splinter: Splinter,
    process_of: NDArray[np.int64],
    ladders: Ladders,
    limit: int,
    means: NDArray[np.float64],
    ways: NDArray[np.int64],
) -> None:
    """The mean turns of each pair of process and profile, and how it was found.

    In the order of processes; behind one, those that defeat at the same HP stand together (`group_from`).
    """
    start = 0
    while start < len(process_of):
        number = process_of[start]
        stop = start
        while stop < len(process_of) and process_of[stop] == number:
            stop += 1
        own_means = means[start:stop]
        own_ways = ways[start:stop]
        set_all(own_ways, BY_VALUE)
        set_all(own_means, 0.0)
        first = start
        start = stop
        if arriving.first_state[number] == arriving.first_state[number + 1]:
            set_all(own_means, arriving.before[number])
            continue
        process = _process_of(packed, arriving, number, damages, splinter)
        count = stop - first
        own = Ladders(ladders.starts[first:stop], ladders.kill_at[first:stop])
        behind = _Behind(own, own_means, np.full(count, np.inf))
        # One growth proves nearly all that can be proved; those it does not prove go side by side again.
        for kind in range(3):
            chosen = np.arange(count)
            numbers = (-1, 1)
            if kind > 0:
                is_open = ~(behind.bounds < TOLERANCE) & (2 * behind.values <= limit)
                numbers = ABOVE if kind == 1 else BELOW
                wanted = behind.bounds < NEARLY if kind == 1 else behind.bounds == np.inf
                chosen = np.flatnonzero(is_open & wanted)
            _evaluate(process, damages, splinter, chosen, numbers[0], numbers[1], limit, behind)
        near = np.flatnonzero(~(behind.bounds < TOLERANCE))
        for i in range(count):
            if behind.bounds[i] < TOLERANCE:
                behind.values[i] -= behind.bounds[i] / 2
        if len(near) > 0:
            _respect_limit(process, damages, splinter, near, limit, behind)
        for i in range(count):
            own_means[i] += arriving.before[number]
        for i in near:
            own_ways[i] = BY_WALK
