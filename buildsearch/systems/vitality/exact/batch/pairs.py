"""Pairs of process and profile: in lanes, or one by one where the attack bleeds or splinters."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import GROWTHS, TOLERANCE, Arrivals
from buildsearch.systems.vitality.exact.batch.arriving import walk_from
from buildsearch.systems.vitality.exact.batch.bleeding_reading import read_bleeding_value
from buildsearch.systems.vitality.exact.batch.bleeding_walk import bleeding_walk
from buildsearch.systems.vitality.exact.batch.lanes.solving import solve_in_lanes
from buildsearch.systems.vitality.exact.batch.packing import Packed
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.reading import Readings, read_value
from buildsearch.systems.vitality.exact.batch.recursion import Memory, memory_for
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.batch.ways import BY_VALUE, BY_WALK


class PackedArrivals(NamedTuple):
    """`Arrivals` of all processes side by side; by process where its states and rows are, and its turns."""

    before: NDArray[np.float64]
    states: NDArray[np.int64]
    first_state: NDArray[np.int64]
    first_row: NDArray[np.int64]
    turns: NDArray[np.int64]
    by_turn: NDArray[np.float64]
    grown: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _read(
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    damages: Damages,
    splinter: Splinter,
    first_row: int,
    growth: float,
    readings: Readings,
    memory: Memory,
) -> float:
    if len(damages.echoes) > 0:
        return read_bleeding_value(steps, spreads, places, damages, first_row, growth, readings, memory)
    return read_value(steps, spreads, places, damages, splinter, first_row, growth, readings, memory)


@njit(cache=True, nogil=True)
def _far_by_moments(
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    damages: Damages,
    splinter: Splinter,
    first_row: int,
    limit: int,
    arrivals: Arrivals,
    memory: Memory,
) -> bool:
    """Whether the turn limit takes less than the tolerance: (T - n)+ <= growth ** (T - n) / (e ln growth)."""
    for i in range(len(GROWTHS)):
        growth = GROWTHS[i]
        readings = Readings(arrivals.states, arrivals.grown[1 + i])
        moment = _read(steps, spreads, places, damages, splinter, first_row, growth, readings, memory)
        if not math.isnan(moment) and moment * growth**-limit < TOLERANCE * math.e * math.log(growth):
            return True
    return False


@njit(cache=True, nogil=True)
def _solve_process(
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    splinter: Splinter,
    arrivals: Arrivals,
    first_rows: NDArray[np.int64],
    limit: int,
    found: tuple[NDArray[np.float64], NDArray[np.int64]],
) -> None:
    """The mean turns of each profile, and which way they were found."""
    means, ways = found
    memory = memory_for(steps, len(spreads), states, places.max_hp.max())
    readings = Readings(arrivals.states, arrivals.grown[0])
    for i in range(len(first_rows)):
        row = first_rows[i]
        mean = _read(steps, spreads, places, damages, splinter, row, 1.0, readings, memory)
        far = False
        if not math.isnan(mean) and 2 * mean <= limit:
            far = _far_by_moments(steps, spreads, places, damages, splinter, row, limit, arrivals, memory)
        if far:
            ways[i] = BY_VALUE
        else:
            ways[i] = BY_WALK
            if len(damages.echoes) > 0:
                mean = bleeding_walk(
                    steps, spreads, states, places, damages, row, limit, arrivals.states, arrivals.by_turn
                )
            else:
                mean = walk_from(
                    steps, spreads, states, places, damages, splinter, row, limit, arrivals.states,
                    arrivals.by_turn,
                )  # fmt: skip
        means[i] = arrivals.before + mean


@njit(cache=True, nogil=True)
def solve_pairs(
    packed: Packed,
    arriving: PackedArrivals,
    damages: Damages,
    splinter: Splinter,
    process_of: NDArray[np.int64],
    first_rows: NDArray[np.int64],
    limit: int,
    walks: bool,
    means: NDArray[np.float64],
    ways: NDArray[np.int64],
) -> None:
    """The mean turns of each pair of process and profile, in the order of processes, and how it was found."""
    start = 0
    while start < len(process_of):
        process = process_of[start]
        stop = start
        while stop < len(process_of) and process_of[stop] == process:
            stop += 1
        which = packed.places_of[process]
        places = Places(packed.strike_class, packed.max_hp, packed.ends_wave, packed.events[which],
                        packed.sets[which], packed.same_as_next[which])  # fmt: skip
        states = arriving.states[arriving.first_state[process] : arriving.first_state[process + 1]]
        row = arriving.first_row[process]
        arrivals = Arrivals(
            arriving.before[process],
            states,
            arriving.by_turn[: arriving.turns[process], row : row + len(states)].copy(),
            arriving.grown[:, row : row + len(states)].copy(),
        )
        steps = packed.steps[packed.first_step[process] : packed.first_step[process + 1]]
        spreads = packed.spreads[packed.first_spread[process] : packed.first_spread[process + 1]]
        rows = first_rows[start:stop]
        if len(damages.echoes) == 0 and splinter.limit == 0:
            solve_in_lanes(
                steps, spreads, packed.states[process], places, damages, rows, limit, arrivals,
                walks, means[start:stop], ways[start:stop],
            )  # fmt: skip
        else:
            _solve_process(
                steps, spreads, packed.states[process], places, damages, splinter, arrivals, rows,
                limit, (means[start:stop], ways[start:stop]),
            )  # fmt: skip
        start = stop
