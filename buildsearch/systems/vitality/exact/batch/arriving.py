"""Forward in time from every arrival, where the turn limit is near: attacks that come in late, Splinter.

As `walking`, HP run backwards in memory: index = HP lost, enemy after enemy.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.batch.values import row_of
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING

_NEGLIGIBLE = 1e-14


@njit(cache=True, nogil=True)
def starts_of(places: Places) -> NDArray[np.int64]:
    """The first index of each enemy, and behind them the number of all."""
    starts = np.zeros(len(places.max_hp) + 1, np.int64)
    for place in range(len(places.max_hp)):
        starts[place + 1] = starts[place] + places.max_hp[place]
    return starts


@njit(cache=True, nogil=True)
def arrive(
    turn: int,
    states: NDArray[np.int64],
    by_turn: NDArray[np.float64],
    places: Places,
    now: NDArray[np.float64],
) -> bool:
    """Add who arrives in a turn; whether somebody may arrive later."""
    if turn >= len(by_turn):
        return False
    start = 0
    for place in range(len(places.max_hp)):
        max_hp = places.max_hp[place]
        for i in range(len(states)):
            for lost in range(max_hp):
                now[states[i], start + lost] += by_turn[turn, i, start + max_hp - 1 - lost]
        start += max_hp
    return turn + 1 < len(by_turn)


@njit(cache=True, nogil=True)
def defeat(
    step: np.void,
    place: int,
    weight: float,
    first_row: int,
    starts: NDArray[np.int64],
    places: Places,
    damages: Damages,
    splinter: Splinter,
    later: NDArray[np.float64],
) -> None:
    """What follows a defeat: the next enemy, and Splinter's strikes on it and those behind."""
    target = place + 1
    done = 0
    limit = splinter.limit if step["action"] > BASIC else 0
    while done < limit and places.ends_wave[target - 1] == 0:
        row = row_of(step["action"], places.strike_class[target], first_row, damages.classes)
        later[step["defeated"], starts[target]] += weight * splinter.missed[row]
        for damage in range(places.max_hp[target]):
            later[step["splintered"], starts[target] + damage] += weight * splinter.strikes[row, damage]
        weight *= splinter.defeats[row]
        target += 1
        done += 1
    if target < len(places.max_hp):
        then = step["cleared"] if places.ends_wave[target - 1] != 0 else step["defeated"]
        later[then, starts[target]] += weight


@njit(cache=True, nogil=True)
def walk_from(  # noqa: PLR0912 - calls in its inner loops would cost more than they do
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    splinter: Splinter,
    first_row: int,
    max_turns: int,
    arriving: NDArray[np.int64],
    by_turn: NDArray[np.float64],
) -> float:
    """The mean number of turns after arrival; a fight that is not over by then ends with `max_turns`."""
    starts = starts_of(places)
    now = np.zeros((states, starts[-1]))
    later = np.zeros((states, starts[-1]))
    together = np.zeros((max(len(spreads), 1), starts[-1]))
    mean = 0.0
    for turn in range(1, max_turns + 1):
        more = arrive(turn, arriving, by_turn, places, now)
        remaining = now.sum()
        if remaining < _NEGLIGIBLE and not more:
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
                touched = weight * damages.touched[row]
                missed = weight * damages.chances[row, 0] - touched
                defeats = 0.0
                for k in range(stop - start):
                    later[np.uint64(step["missed"]), np.uint64(start + k)] += (
                        missed * mass[np.uint64(start + k)]
                    )
                    together[np.uint64(step["spread"]), np.uint64(start + k)] += (
                        weight * mass[np.uint64(start + k)]
                    )
                if touched > 0.0:
                    for k in range(stop - start):
                        later[np.uint64(step["touched"]), np.uint64(start + k)] += (
                            touched * mass[np.uint64(start + k)]
                        )
                for j in range(start, stop):
                    defeats += mass[j] * damages.at_least[row, max(1, stop - j - damages.kill_at[row])]
                defeats *= weight
                if defeats > 0.0:
                    defeat(step, place, defeats, first_row, starts, places, damages, splinter, later)
        for i in range(len(spreads)):
            target = later[spreads[i, 1]]
            for place in range(len(places.max_hp)):
                row = row_of(spreads[i, 0], places.strike_class[place], first_row, damages.classes)
                stop = starts[place + 1]
                low = damages.lowest[row]
                for j in range(starts[place], stop):
                    here = together[i, j]
                    if here == 0.0:
                        continue
                    for k in range(min(damages.highest[row] + 1, stop - damages.kill_at[row] - j) - low):
                        target[np.uint64(j + low + k)] += (
                            here * damages.chances[np.uint64(row), np.uint64(low + k)]
                        )
        now, later = later, now
    return mean
