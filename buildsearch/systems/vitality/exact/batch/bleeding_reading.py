"""Bleed's values at every HP: `bleeding` for attacks that come in late."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.reading import Readings, read_place
from buildsearch.systems.vitality.exact.batch.recursion import REGROUPED, Memory, set_defeats, set_up
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING


@njit(cache=True, nogil=True, fastmath=REGROUPED)
def read_bleeding_value(  # noqa: PLR0915 - one recursion
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    damages: Damages,
    first_row: int,
    growth: float,
    readings: Readings,
    memory: Memory,
) -> float:
    """As `reading.read_value`, for an attack that bleeds and defeats at 0 HP only."""
    values = memory.values
    known = memory.known
    states = len(values)
    pending = np.zeros(states)
    doomed = np.zeros(states)
    known_pending = np.zeros((states, known.shape[1]))
    by_damage = np.zeros(len(spreads))
    start = 1.0 if growth == 1.0 else 0.0
    memory.after[:] = 1.0 - start
    backwards = damages.backwards
    backwards_echoes = damages.backwards_echoes
    top = backwards.shape[1] - 1
    read = 0.0
    field = places.max_hp.sum()
    for place in range(len(places.max_hp) - 1, -1, -1):
        max_hp = places.max_hp[place]
        field -= max_hp
        cleared = places.ends_wave[place] != 0
        if places.same_as_next[place] == 0 and not set_up(
            steps, spreads, place, places, damages, first_row, growth, memory
        ):
            return np.nan
        set_defeats(steps, place, places, memory)
        doomed[:] = start
        for i in range(len(steps)):
            step = steps[i]
            then = memory.after[step["cleared"] if cleared else step["defeated"]]
            doomed[step["state"]] += memory.weights[i] * then
        for hp in range(1, max_hp + 1):
            values[:] = memory.base
            for action in range(1, len(memory.action_rows)):
                row = memory.action_rows[action]
                if row >= 0:
                    values += damages.at_least[row, hp] * memory.defeats[action]
            for i in range(len(spreads)):
                row = memory.spread_rows[i]
                state = np.uint64(spreads[i, 1])
                shift = np.uint64(top - hp)
                total = 0.0
                for k in range(1, hp):
                    total += backwards[np.uint64(row), shift + np.uint64(k)] * known[state, np.uint64(k)]
                by_damage[i] = total
                if spreads[i, 0] != BASIC:
                    total = (damages.echo_at_least[row, hp] - damages.at_least[row, hp]) * doomed[state]
                    for k in range(1, hp):
                        total += (
                            backwards_echoes[np.uint64(row), shift + np.uint64(k)]
                            * known_pending[state, np.uint64(k)]
                        )
                for g in range(states):
                    values[np.uint64(g)] += total * memory.led_to[np.uint64(i), np.uint64(g)]
            pending[:] = start
            for i in range(len(steps)):
                step = steps[i]
                weight = memory.weights[i]
                if step["action"] == NOTHING:
                    pending[step["state"]] += weight * values[step["ticked"]]
                    continue
                row = memory.action_rows[step["action"]]
                touched = damages.touched[row]
                found = by_damage[step["spread"]]
                found += (damages.chances[row, 0] - touched) * values[step["ticked"]]
                found += touched * values[step["damaged"]]
                then = memory.after[step["cleared"] if cleared else step["defeated"]]
                pending[step["state"]] += weight * (found + damages.at_least[row, hp] * then)
            known[:, hp] = values
            known_pending[:, hp] = pending
        read += read_place(readings, field, max_hp, known)
        memory.after[:] = values
    return read
