"""Values at every HP and not only at the start: for attacks that come in late, and for Splinter.

The recursion of `recursion`. `Readings` are weights of the states that fights arrive in when the attack comes
into use (`crossing`); the answer is the weighted sum of values, one dot product for each state and enemy.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.recursion import REGROUPED, Memory, set_defeats, set_up
from buildsearch.systems.vitality.exact.batch.splinter import Splinter, after_defeat
from buildsearch.systems.vitality.exact.batch.values import row_of, substitute
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING, SPECIAL


class Readings(NamedTuple):
    """`weights[i, field]`: how often fights arrive in state `states[i]` there, foe after foe by HP - 1."""

    states: NDArray[np.int64]
    weights: NDArray[np.float64]


@njit(cache=True, nogil=True, fastmath=REGROUPED)
def read_place(readings: Readings, field: int, max_hp: int, known: NDArray[np.float64]) -> float:
    """The weighted sum over one enemy's HP, whose first field is given."""
    total = 0.0
    for i in range(len(readings.states)):
        state = np.uint64(readings.states[i])
        row = readings.weights[i]
        for k in range(max_hp):
            total += row[np.uint64(field + k)] * known[state, np.uint64(1 + k)]
    return total


@njit(cache=True, nogil=True)
def _set_splintering(
    steps: NDArray[np.void],
    place: int,
    places: Places,
    damages: Damages,
    splinter: Splinter,
    first_row: int,
    standing: NDArray[np.float64],
    full: NDArray[np.float64],
    memory: Memory,
) -> None:
    """As `set_defeats`, with the strikes that follow a defeat by the attack."""
    defeats = memory.defeats
    defeats[:] = 0.0
    cleared = places.ends_wave[place] != 0
    for i in range(len(steps)):
        step = steps[i]
        if step["action"] == NOTHING:
            continue
        if step["action"] == BASIC:
            then = full[place + 1, step["cleared"] if cleared else step["defeated"]]
        else:
            level_row = row_of(step["action"], 0, first_row, damages.classes)
            then = after_defeat(step, place, level_row, places, splinter, standing, full)
        defeats[step["action"], step["state"]] += memory.weights[i] * then
    for action in range(len(defeats)):
        if memory.action_rows[action] >= 0:
            if len(memory.values) == 1:
                defeats[action, 0] /= memory.matrix[0, 0]
            else:
                substitute(memory.matrix, memory.lower, memory.upper, defeats[action])


@njit(cache=True, nogil=True, fastmath=REGROUPED)
def _stand(
    place: int,
    places: Places,
    damages: Damages,
    splinter: Splinter,
    first_row: int,
    known: NDArray[np.float64],
    standing: NDArray[np.float64],
) -> None:
    """What a hit by Splinter that leaves this enemy standing is worth, by level and state."""
    max_hp = places.max_hp[place]
    for level in range(standing.shape[1]):
        row = splinter.strikes[
            row_of(SPECIAL + level, places.strike_class[place], first_row, damages.classes)
        ]
        for state in range(standing.shape[2]):
            total = 0.0
            for hp in range(1, max_hp + 1):
                total += row[max_hp - hp] * known[state, hp]
            standing[place, level, state] = total


@njit(cache=True, nogil=True, fastmath=REGROUPED)
def read_value(  # noqa: PLR0912, PLR0915 - one recursion; calls in its inner loops would cost more than they do
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
    """The weighted mean of turns to come, or with a growth above 1 of growth ** turns; NaN: there is none."""
    values = memory.values
    after = memory.after
    known = memory.known
    base = memory.base
    led_to = memory.led_to
    defeats = memory.defeats
    spread_rows = memory.spread_rows
    action_rows = memory.action_rows
    at_least = damages.at_least
    backwards = damages.backwards
    kill_at = damages.kill_at
    lowest = damages.lowest
    highest = damages.highest
    top = backwards.shape[1] - 1
    states = len(values)
    actions = len(action_rows)
    after[:] = 0.0 if growth == 1.0 else 1.0
    enemies = len(places.max_hp)
    splinters = splinter.limit > 0
    standing = np.zeros((enemies + 1, actions - SPECIAL, states)) if splinters else np.zeros((0, 0, 0))
    full = np.zeros((enemies + 1, states)) if splinters else np.zeros((0, 0))
    if splinters:
        full[enemies] = after
    total_read = 0.0
    field = places.max_hp.sum()
    for place in range(enemies - 1, -1, -1):
        max_hp = places.max_hp[place]
        field -= max_hp
        if places.same_as_next[place] == 0 and not set_up(
            steps, spreads, place, places, damages, first_row, growth, memory
        ):
            return np.nan
        if splinters:
            _set_splintering(steps, place, places, damages, splinter, first_row, standing, full, memory)
        else:
            set_defeats(steps, place, places, memory)
        for hp in range(1, max_hp + 1):
            for g in range(states):
                values[np.uint64(g)] = base[np.uint64(g)]
            for action in range(1, actions):
                row = action_rows[action]
                if row >= 0:
                    down = at_least[row, max(1, hp - kill_at[row])]
                    for g in range(states):
                        values[np.uint64(g)] += down * defeats[np.uint64(action), np.uint64(g)]
            for i in range(len(spreads)):
                row = spread_rows[i]
                first = max(kill_at[row] + 1, hp - highest[row])
                reach = hp - lowest[row] + 1 - first
                if reach > 0:
                    state = np.uint64(spreads[i, 1])
                    start = np.uint64(first)
                    shift = np.uint64(top - hp + first)
                    total = 0.0
                    for k in range(reach):
                        total += (
                            backwards[np.uint64(row), shift + np.uint64(k)]
                            * known[state, start + np.uint64(k)]
                        )
                    for g in range(states):
                        values[np.uint64(g)] += total * led_to[np.uint64(i), np.uint64(g)]
            for g in range(states):
                known[np.uint64(g), np.uint64(hp)] = values[np.uint64(g)]
        total_read += read_place(readings, field, max_hp, known)
        after[:] = values
        if splinters:
            full[place] = values
            _stand(place, places, damages, splinter, first_row, known, standing)
    return total_read
