"""Means of attacks that come in late (after a crossing) or splinter: pairs of process and profile."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arriving import walk_from
from buildsearch.systems.vitality.exact.batch.bleeding_reading import read_bleeding_value
from buildsearch.systems.vitality.exact.batch.bleeding_walk import bleeding_walk
from buildsearch.systems.vitality.exact.batch.packing import Packed
from buildsearch.systems.vitality.exact.batch.pairs import BY_VALUE, BY_WALK
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.reading import Readings, read_value
from buildsearch.systems.vitality.exact.batch.recursion import Memory, memory_for
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.batch.tails import TOLERANCE, is_far, prover_for, shrinks_of

GROWTHS = (1.5, 1.35, 1.25, 1.7, 1.17, 1.11)


class Arrivals(NamedTuple):
    """Who arrives where and when. `before`: the mean turns until then, or to an end before.

    `by_turn[t, i, field]`: the chance to arrive in state `states[i]` before turn t. `grown[0]` sums them over
    turns, the rows behind it with growth ** (t - 1), growth by growth.
    """

    before: float
    states: NDArray[np.int64]
    by_turn: NDArray[np.float64]
    grown: NDArray[np.float64]


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
def _solve_process(  # noqa: PLR0917 - compiled code takes arrays one by one
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    splinter: Splinter,
    shrinks: NDArray[np.float64],
    arrivals: Arrivals,
    first_rows: NDArray[np.int64],
    limit: int,
    found: tuple[NDArray[np.float64], NDArray[np.int64]],
) -> None:
    """The mean turns of each profile, and which way they were found."""
    means, ways = found
    prover = prover_for(steps, states, places, damages, shrinks)
    arriving = np.zeros(len(arrivals.by_turn))
    for turn in range(1, len(arriving)):
        arriving[turn] = arrivals.by_turn[turn].sum()
    memory = memory_for(steps, len(spreads), states, places.max_hp.max())
    readings = Readings(arrivals.states, arrivals.grown[0])
    for i in range(len(first_rows)):
        row = first_rows[i]
        mean = _read(steps, spreads, places, damages, splinter, row, 1.0, readings, memory)
        far = False
        if not math.isnan(mean) and 2 * mean <= limit:
            # Splinter only speeds things up, so the bound without it holds.
            far = is_far(prover, damages, shrinks, row, limit, arriving)
            if not far:
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
def solve_late_pairs(
    packed: Packed,
    arriving: PackedArrivals,
    damages: Damages,
    splinter: Splinter,
    process_of: NDArray[np.int64],
    first_rows: NDArray[np.int64],
    limit: int,
    means: NDArray[np.float64],
    ways: NDArray[np.int64],
) -> None:
    """As `pairs.solve_pairs`: pairs in the order of processes."""
    shrinks = shrinks_of(damages, len(packed.max_hp))
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
            arriving.by_turn[: arriving.turns[process], row : row + len(states)],
            arriving.grown[:, row : row + len(states)],
        )
        _solve_process(
            packed.steps[packed.first_step[process] : packed.first_step[process + 1]],
            packed.spreads[packed.first_spread[process] : packed.first_spread[process + 1]],
            packed.states[process],
            places,
            damages,
            splinter,
            shrinks,
            arrivals,
            first_rows[start:stop],
            limit,
            (means[start:stop], ways[start:stop]),
        )
        start = stop
