"""Values at every HP and not only at the start: for attacks that come in late, and for Splinter.

The recursion of `values`. `Readings` are weights of the states that fights arrive in when the attack comes
into use (`crossing`); the answer is the weighted sum of values, found while they are worked out.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.splinter import Splinter, after_defeat
from buildsearch.systems.vitality.exact.batch.values import Scratch, row_of, set_up
from buildsearch.systems.vitality.exact.moves import BASIC


class Readings(NamedTuple):
    """`weights[i, field]`: how often fights arrive in state `states[i]` there."""

    states: NDArray[np.int64]
    weights: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _splinter_on(
    steps: NDArray[np.void],
    place: int,
    places: Places,
    damages: Damages,
    splinter: Splinter,
    first_row: int,
    standing: NDArray[np.float64],
    full: NDArray[np.float64],
    scratch: Scratch,
) -> None:
    """Put what follows a defeat into the steps that `set_up` listed, in its order."""
    count = 0
    for i in range(len(steps)):
        step = steps[i]
        if step["chance"] * places.events[place, step["event"]] == 0.0 or step["action"] < BASIC:
            continue
        if step["action"] > BASIC:
            level_row = row_of(step["action"], 0, first_row, damages.classes)
            scratch.then[count] = after_defeat(step, place, level_row, places, splinter, standing, full)
        count += 1


@njit(cache=True, nogil=True)
def read_value(  # noqa: PLR0912, PLR0915 - one recursion; calls in its inner loops would cost more than they do
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
    """The weighted mean of turns to come, or with a growth above 1 of growth ** turns; NaN: there is none."""
    values = scratch.values
    after = scratch.after
    sums = scratch.sums
    matrix = scratch.matrix
    lower = scratch.lower
    upper = scratch.upper
    attacks = scratch.attacks
    weights = scratch.weights
    then = scratch.then
    spread_rows = scratch.spread_rows
    at_least = damages.at_least
    chances = damages.chances
    kill_at = damages.kill_at
    lowest = damages.lowest
    highest = damages.highest
    read_states = readings.states
    read_weights = readings.weights
    start = 1.0 if growth == 1.0 else 0.0
    after[:] = 1.0 - start
    enemies = len(places.max_hp)
    states = len(values)
    splinters = splinter.limit > 0
    levels = 0
    if splinters:
        for i in range(len(steps)):
            levels = max(levels, steps[i]["action"] - BASIC)
    standing = np.zeros((enemies + 1, levels, states))
    full = np.zeros((enemies + 1, states))
    full[enemies] = 1.0 - start
    total = 0.0
    field = places.max_hp.sum()
    for place in range(enemies - 1, -1, -1):
        max_hp = places.max_hp[place]
        field -= max_hp
        count = set_up(steps, place, places, damages, first_row, growth, scratch)
        if count < 0:
            return np.nan
        if splinters:
            _splinter_on(steps, place, places, damages, splinter, first_row, standing, full, scratch)
        sums[:, : max_hp + 1] = 0.0
        for hp in range(1, max_hp + 1):
            values[:] = start
            for i in range(count):
                down = at_least[attacks[i, 2], max(1, hp - attacks[i, 3])]
                values[attacks[i, 0]] += weights[i] * (sums[attacks[i, 1], hp] + down * then[i])
            for entry in range(1, lower[0, 0] + 1):
                values[lower[entry, 0]] -= matrix[lower[entry, 0], lower[entry, 1]] * values[lower[entry, 1]]
            entry = 1
            entries = upper[0, 0]
            for i in range(states - 1, -1, -1):
                while entry <= entries and upper[entry, 0] == i:
                    values[i] -= matrix[i, upper[entry, 1]] * values[upper[entry, 1]]
                    entry += 1
                values[i] /= matrix[i, i]
            for i in range(len(read_states)):
                total += read_weights[i, field + hp - 1] * values[read_states[i]]
            for level in range(levels):
                row = first_row + level * damages.classes + places.strike_class[place]
                chance = splinter.strikes[row, max_hp - hp]
                if chance != 0.0:
                    for i in range(states):
                        standing[place, level, i] += chance * values[i]
            for i in range(len(spreads)):
                row = spread_rows[i]
                if hp > kill_at[row]:
                    low = lowest[row]
                    reach = min(highest[row], max_hp - hp) + 1 - low
                    known = values[spreads[i, 1]]
                    for k in range(reach):
                        sums[np.uint64(i), np.uint64(hp + low + k)] += (
                            known * chances[np.uint64(row), np.uint64(low + k)]
                        )
        after[:] = values
        full[place] = values
    return total
