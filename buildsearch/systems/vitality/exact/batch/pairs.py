"""Many profiles behind one gating: the value recursion where the turn limit is far, else the long way."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.bleeding import bleeding_value
from buildsearch.systems.vitality.exact.batch.bleeding_walk import bleeding_walk
from buildsearch.systems.vitality.exact.batch.hits import mean_by_hits, period_of
from buildsearch.systems.vitality.exact.batch.packing import Packed
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.recursion import Memory, memory_for, value
from buildsearch.systems.vitality.exact.batch.tails import TOLERANCE, is_far, prover_for, shrinks_of
from buildsearch.systems.vitality.exact.batch.walking import walk

_GROWTHS = (1.5, 1.4, 1.3, 1.7)
# How a mean was found: by recursion over HP, forward in time along the chain, not here, by counting attacks.
BY_VALUE, BY_WALK, LEFT, BY_COUNTS = range(4)


@njit(cache=True, nogil=True)
def _value(
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    damages: Damages,
    first_row: int,
    growth: float,
    scratch: Memory,
) -> float:
    if len(damages.echoes) > 0:
        return bleeding_value(steps, spreads, places, damages, first_row, growth, scratch)
    return value(steps, spreads, places, damages, first_row, growth, scratch)


@njit(cache=True, nogil=True)
def _far_by_moments(
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    damages: Damages,
    first_row: int,
    limit: int,
    scratch: Memory,
) -> bool:
    """The same from the mean of g ** T: (T - n)+ <= g ** (T - n) / (e ln g)."""
    for growth in _GROWTHS:
        moment = _value(steps, spreads, places, damages, first_row, growth, scratch)
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
    shrinks: NDArray[np.float64],
    first_rows: NDArray[np.int64],
    limit: int,
    means: NDArray[np.float64],
    ways: NDArray[np.int64],
) -> None:
    """The mean turns of each profile, and which way they were found."""
    scratch = memory_for(steps, len(spreads), states, places.max_hp.max())
    prover = prover_for(steps, states, places, damages, shrinks)
    at_once = np.zeros(2)
    at_once[1] = 1.0
    period = period_of(steps, states)
    for i in range(len(first_rows)):
        row = first_rows[i]
        mean = _value(steps, spreads, places, damages, row, 1.0, scratch)
        far = False
        if not math.isnan(mean) and mean * 2 <= limit:
            far = is_far(prover, damages, shrinks, row, limit, at_once)
            if not far:
                far = _far_by_moments(steps, spreads, places, damages, row, limit, scratch)
        if far:
            means[i] = mean
            ways[i] = BY_VALUE
        elif len(damages.echoes) > 0:
            first = np.zeros((2, 1, places.max_hp.sum()))
            first[1, 0, places.max_hp[0] - 1] = 1.0
            state = np.zeros(1, np.int64)
            means[i] = bleeding_walk(steps, spreads, states, places, damages, row, limit, state, first)
            ways[i] = BY_WALK
        else:
            means[i] = np.nan
            if period > 0:
                means[i] = mean_by_hits(steps, period, places, damages, row, limit)
            if math.isnan(means[i]):
                means[i] = walk(steps, spreads, states, places, damages, row, limit)
            ways[i] = BY_WALK


@njit(cache=True, nogil=True)
def solve_pairs(
    packed: Packed,
    damages: Damages,
    process_of: NDArray[np.int64],
    first_rows: NDArray[np.int64],
    limit: int,
    means: NDArray[np.float64],
    ways: NDArray[np.int64],
) -> None:
    """The mean turns of each pair of process and profile, in the order of processes, and how it was found."""
    shrinks = shrinks_of(damages, len(packed.max_hp))
    start = 0
    while start < len(process_of):
        process = process_of[start]
        stop = start
        while stop < len(process_of) and process_of[stop] == process:
            stop += 1
        which = packed.places_of[process]
        places = Places(packed.strike_class, packed.max_hp, packed.ends_wave, packed.sets[which],
                        packed.sets[which], packed.same_as_next[which])  # fmt: skip
        _solve_process(
            packed.steps[packed.first_step[process] : packed.first_step[process + 1]],
            packed.spreads[packed.first_spread[process] : packed.first_spread[process + 1]],
            packed.states[process],
            places,
            damages,
            shrinks,
            first_rows[start:stop],
            limit,
            means[start:stop],
            ways[start:stop],
        )
        start = stop
