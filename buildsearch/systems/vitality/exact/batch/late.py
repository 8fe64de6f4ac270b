"""Means of attacks that come in late (after a crossing) or splinter: many profiles behind one gating."""

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
from buildsearch.systems.vitality.exact.batch.pairs import BY_VALUE, BY_WALK, TOLERANCE
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.reading import Readings, read_value
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.batch.values import Scratch, scratch_for

GROWTHS = (1.5, 1.35, 1.25, 1.7, 1.17, 1.11)


class Arrivals(NamedTuple):
    """`by_turn[t, i, field]`: chance to arrive in state `states[i]` before turn t; `before`: turns till then.

    `grown[0]` sums them over turns; the rows behind it with growth ** (t - 1), growth by growth.
    """

    before: float
    states: NDArray[np.int64]
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
    scratch: Scratch,
) -> float:
    if len(damages.echoes) > 0:
        return read_bleeding_value(steps, spreads, places, damages, first_row, growth, readings, scratch)
    return read_value(steps, spreads, places, damages, splinter, first_row, growth, readings, scratch)


@njit(cache=True, nogil=True)
def solve_arrivals(  # noqa: PLR0917 - compiled code knows no keywords
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    splinter: Splinter,
    arrivals: Arrivals,
    first_rows: NDArray[np.int64],
    limit: int,
    means: NDArray[np.float64],
    ways: NDArray[np.int64],
) -> None:
    """The mean turns of each profile, and which way they were found."""
    scratch = scratch_for(len(steps), len(spreads), states, places.max_hp.max())
    for i in range(len(first_rows)):
        row = first_rows[i]
        readings = Readings(arrivals.states, arrivals.grown[0])
        mean = _read(steps, spreads, places, damages, splinter, row, 1.0, readings, scratch)
        far = False
        if not math.isnan(mean) and 2 * mean <= limit:
            for j in range(len(GROWTHS)):
                growth = GROWTHS[j]
                readings = Readings(arrivals.states, arrivals.grown[1 + j])
                moment = _read(steps, spreads, places, damages, splinter, row, growth, readings, scratch)
                # (T - n)+ <= growth ** (T - n) / (e ln growth)
                if not math.isnan(moment) and (
                    0.0 <= moment * growth**-limit < TOLERANCE * math.e * math.log(growth)
                ):
                    far = True
                    break
        if far:
            ways[i] = BY_VALUE
        elif len(damages.echoes) > 0:
            mean = bleeding_walk(
                steps, spreads, states, places, damages, row, limit, arrivals.states, arrivals.by_turn
            )
            ways[i] = BY_WALK
        else:
            mean = walk_from(
                steps,
                spreads,
                states,
                places,
                damages,
                splinter,
                row,
                limit,
                arrivals.states,
                arrivals.by_turn,
            )
            ways[i] = BY_WALK
        means[i] = arrivals.before + mean
