"""The same chains forward in time: for the few fights that the turn limit may cut short.

HP run backwards in memory (index = HP lost), so that damage is a shift to the right.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.values import row_of
from buildsearch.systems.vitality.exact.moves import NOTHING

_NEGLIGIBLE = 1e-14


@njit(cache=True, nogil=True)
def _stay_or_defeat(
    step: np.void,
    row: int,
    weight: float,
    start: int,
    stop: int,
    then: int,
    mass: NDArray[np.float64],
    damages: Damages,
    later: NDArray[np.float64],
) -> None:
    """What a step does without damage, and where it defeats. `then` -1: the fight is over."""
    touched = weight * damages.touched[row]
    missed = weight * damages.chances[row, 0] - touched
    for k in range(stop - start):
        later[np.uint64(step["missed"]), np.uint64(start + k)] += missed * mass[np.uint64(start + k)]
    if touched > 0.0:
        for k in range(stop - start):
            later[np.uint64(step["touched"]), np.uint64(start + k)] += touched * mass[np.uint64(start + k)]
    if then >= 0:
        defeats = 0.0
        for j in range(start, stop):
            defeats += mass[j] * damages.at_least[row, max(1, stop - j - damages.kill_at[row])]
        later[then, stop] += weight * defeats


@njit(cache=True, nogil=True)
def _damage(
    row: int,
    start: int,
    stop: int,
    mass: NDArray[np.float64],
    damages: Damages,
    target: NDArray[np.float64],
) -> None:
    """Move mass by every damage that leaves the enemy standing."""
    chances = damages.chances[row]
    low = damages.lowest[row]
    high = damages.highest[row] + 1
    for j in range(start, stop):
        here = mass[j]
        if here == 0.0:
            continue
        for k in range(min(high, stop - damages.kill_at[row] - j) - low):
            target[np.uint64(j + low + k)] += here * chances[np.uint64(low + k)]


@njit(cache=True, nogil=True)
def walk(
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    first_row: int,
    max_turns: int,
) -> float:
    """The mean number of turns, a fight that is not over by then counting as `max_turns`."""
    starts = np.zeros(len(places.max_hp) + 1, np.int64)
    for place in range(len(places.max_hp)):
        starts[place + 1] = starts[place] + places.max_hp[place]
    now = np.zeros((states, starts[-1]))
    later = np.zeros((states, starts[-1]))
    # Mass that takes the same action to the same state after damage is moved together.
    together = np.zeros((max(len(spreads), 1), starts[-1]))
    now[0, 0] = 1.0
    mean = 0.0
    for _ in range(max_turns):
        remaining = now.sum()
        if remaining < _NEGLIGIBLE:
            break
        mean += remaining
        later[:] = 0.0
        together[:] = 0.0
        for i in range(len(steps)):
            step = steps[i]
            mass = now[step["state"]]
            if mass.max() == 0.0:
                continue
            for place in range(len(places.max_hp)):
                weight = step["chance"] * places.sets[place, step["event"]]
                start = starts[place]
                stop = starts[place + 1]
                if step["action"] == NOTHING:
                    for k in range(stop - start):
                        later[np.uint64(step["missed"]), np.uint64(start + k)] += (
                            weight * mass[np.uint64(start + k)]
                        )
                    continue
                row = row_of(step["action"], places.strike_class[place], first_row, damages.classes)
                then = step["cleared"] if places.ends_wave[place] != 0 else step["defeated"]
                if stop == starts[-1]:
                    then = -1
                _stay_or_defeat(step, row, weight, start, stop, then, mass, damages, later)
                for k in range(stop - start):
                    together[np.uint64(step["spread"]), np.uint64(start + k)] += (
                        weight * mass[np.uint64(start + k)]
                    )
        for i in range(len(spreads)):
            for place in range(len(places.max_hp)):
                row = row_of(spreads[i, 0], places.strike_class[place], first_row, damages.classes)
                target = later[spreads[i, 1]]
                _damage(row, starts[place], starts[place + 1], together[i], damages, target)
        now, later = later, now
    return mean
