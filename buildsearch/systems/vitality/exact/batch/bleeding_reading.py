"""Bleed's values at every HP: `bleeding` for attacks that come in late."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.reading import Readings
from buildsearch.systems.vitality.exact.batch.values import Scratch, row_of, set_up, substitute
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING


@njit(cache=True, nogil=True)
def read_bleeding_value(  # noqa: PLR0915 - one recursion
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    damages: Damages,
    first_row: int,
    growth: float,
    readings: Readings,
    scratch: Scratch,
) -> float:
    """As `reading.read_value`, for an attack that bleeds and defeats at 0 HP only."""
    states = len(scratch.values)
    values = scratch.values
    pending = np.zeros(states)
    doomed = np.zeros(states)
    start = 1.0 if growth == 1.0 else 0.0
    scratch.after[:] = 1.0 - start
    total = 0.0
    field = places.max_hp.sum()
    for place in range(len(places.max_hp) - 1, -1, -1):
        max_hp = places.max_hp[place]
        field -= max_hp
        strike_class = places.strike_class[place]
        cleared = places.ends_wave[place] != 0
        count = set_up(steps, place, places, damages, first_row, growth, scratch)
        if count < 0:
            return np.nan
        doomed[:] = start
        for i in range(len(steps)):
            step = steps[i]
            weight = growth * step["chance"] * places.events[place, step["event"]]
            doomed[step["state"]] += weight * scratch.after[step["cleared"] if cleared else step["defeated"]]
        by_damage = np.zeros((len(spreads), max_hp + 1))
        by_echo = np.zeros((len(spreads), max_hp + 1))
        for hp in range(1, max_hp + 1):
            values[:] = start
            for i in range(count):
                spread = scratch.attacks[i, 1]
                row = scratch.attacks[i, 2]
                down = damages.at_least[row, hp]
                found = down * scratch.then[i]
                if spreads[spread, 0] == BASIC:
                    found += by_damage[spread, hp]
                else:
                    found += by_echo[spread, hp]
                    found += (damages.echo_at_least[row, hp] - down) * doomed[spreads[spread, 1]]
                values[scratch.attacks[i, 0]] += scratch.weights[i] * found
            substitute(scratch.matrix, scratch.lower, scratch.upper, values)
            for i in range(len(readings.states)):
                total += readings.weights[i, field + hp - 1] * values[readings.states[i]]
            pending[:] = start
            for i in range(len(steps)):
                step = steps[i]
                weight = growth * step["chance"] * places.events[place, step["event"]]
                if step["action"] == NOTHING:
                    pending[step["state"]] += weight * values[step["ticked"]]
                    continue
                row = row_of(step["action"], strike_class, first_row, damages.classes)
                touched = damages.touched[row]
                found = by_damage[step["spread"], hp]
                found += (damages.chances[row, 0] - touched) * values[step["ticked"]]
                found += touched * values[step["damaged"]]
                then = scratch.after[step["cleared"] if cleared else step["defeated"]]
                pending[step["state"]] += weight * (found + damages.at_least[row, hp] * then)
            for i in range(len(spreads)):
                row = scratch.spread_rows[i]
                state = spreads[i, 1]
                for k in range(max_hp - hp):
                    by_damage[np.uint64(i), np.uint64(hp + 1 + k)] += (
                        values[state] * damages.chances[np.uint64(row), np.uint64(1 + k)]
                    )
                if spreads[i, 0] != BASIC:
                    for k in range(max_hp - hp):
                        by_echo[np.uint64(i), np.uint64(hp + 1 + k)] += (
                            pending[state] * damages.echoes[np.uint64(row), np.uint64(1 + k)]
                        )
        scratch.after[:] = values
    return total
