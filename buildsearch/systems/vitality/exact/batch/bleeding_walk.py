"""Bleed forward in time, where the turn limit is near. States as in `bleeding`: standing, pending, doomed.

As `walking`, HP run backwards in memory: index = HP lost (what is pending counts as lost), enemy after enemy.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arriving import arrive, starts_of
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.values import row_of
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING

_NEGLIGIBLE = 1e-14
_STANDING, _PENDING = 0, 1


@njit(cache=True, nogil=True)
def _add_scaled(
    weight: float, start: int, stop: int, source: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    for k in range(stop - start):
        target[np.uint64(start + k)] += weight * source[np.uint64(start + k)]


@njit(cache=True, nogil=True)
def _shift(
    chances: NDArray[np.float64],
    start: int,
    stop: int,
    source: NDArray[np.float64],
    target: NDArray[np.float64],
) -> None:
    """Move mass by every damage that leaves HP."""
    for j in range(start, stop):
        here = source[j]
        if here != 0.0:
            for k in range(stop - j - 1):
                target[np.uint64(j + 1 + k)] += here * chances[np.uint64(1 + k)]


@njit(cache=True, nogil=True)
def bleeding_walk(  # noqa: PLR0915 - one walk
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    first_row: int,
    max_turns: int,
    arriving: NDArray[np.int64],
    by_turn: NDArray[np.float64],
) -> float:
    """As `arriving.walk_from`, for an attack that bleeds and defeats at 0 HP only."""
    enemies = len(places.max_hp)
    starts = starts_of(places)
    now = np.zeros((2, states, starts[-1]))
    later = np.zeros((2, states, starts[-1]))
    doomed = np.zeros((states, enemies))
    next_doomed = np.zeros((states, enemies))
    # By spread: what is moved by damage, and what by damage that is dealt again.
    plain = np.zeros((max(len(spreads), 1), starts[-1]))
    bled = np.zeros((max(len(spreads), 1), starts[-1]))
    mean = 0.0
    for turn in range(1, max_turns + 1):
        more = arrive(turn, arriving, by_turn, places, now[_STANDING])
        remaining = now.sum() + doomed.sum()
        if remaining < _NEGLIGIBLE and not more:
            break
        mean += remaining
        later[:] = 0.0
        next_doomed[:] = 0.0
        plain[:] = 0.0
        bled[:] = 0.0
        for i in range(len(steps)):
            step = steps[i]
            standing = now[_STANDING, step["state"]]
            pending = now[_PENDING, step["state"]]
            after = later[_STANDING]
            for place in range(enemies):
                weight = step["chance"] * places.sets[place, step["event"]]
                start = starts[place]
                stop = starts[place + 1]
                defeats = doomed[step["state"], place]
                if step["action"] == NOTHING:
                    _add_scaled(weight, start, stop, standing, after[step["missed"]])
                    _add_scaled(weight, start, stop, pending, after[step["ticked"]])
                else:
                    row = row_of(step["action"], places.strike_class[place], first_row, damages.classes)
                    touched = weight * damages.touched[row]
                    missed = weight * damages.chances[row, 0] - touched
                    _add_scaled(missed, start, stop, standing, after[step["missed"]])
                    _add_scaled(missed, start, stop, pending, after[step["ticked"]])
                    if touched > 0.0:
                        _add_scaled(touched, start, stop, standing, after[step["touched"]])
                        _add_scaled(touched, start, stop, pending, after[step["damaged"]])
                    _add_scaled(weight, start, stop, pending, plain[step["spread"]])
                    bleeds = step["action"] != BASIC
                    by_standing = bled if bleeds else plain
                    _add_scaled(weight, start, stop, standing, by_standing[step["spread"]])
                    dooms = 0.0
                    for j in range(start, stop):
                        down = damages.at_least[row, stop - j]
                        defeats += (standing[j] + pending[j]) * down
                        if bleeds:
                            dooms += standing[j] * (damages.echo_at_least[row, stop - j] - down)
                    next_doomed[step["damaged"], place] += weight * dooms
                if place + 1 < enemies:
                    then = step["cleared"] if places.ends_wave[place] != 0 else step["defeated"]
                    after[then, stop] += weight * defeats
        for i in range(len(spreads)):
            for place in range(enemies):
                row = row_of(spreads[i, 0], places.strike_class[place], first_row, damages.classes)
                start = starts[place]
                stop = starts[place + 1]
                _shift(damages.chances[row], start, stop, plain[i], later[_STANDING, spreads[i, 1]])
                if spreads[i, 0] != BASIC:
                    _shift(damages.echoes[row], start, stop, bled[i], later[_PENDING, spreads[i, 1]])
        now, later = later, now
        doomed, next_doomed = next_doomed, doomed
    return mean
