"""Bleed that is not renewed while it is pending: only HP less what is pending matters.

With the first damaging strike's damage b and the turn's damage D, an enemy of h HP is down at once when
D >= h, and otherwise stands at e = h - D - b "pending": at the end of its next turn it is down when that
turn's damage reaches e, and else no longer pending. For e <= 0 it is doomed whatever the next turn brings.
As D < h wherever e >= 1, the distributions of D and of D + b are all that is needed.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.damage import add_convolved
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.values import Scratch, row_of, set_up, substitute
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING


@njit(cache=True, nogil=True)
def _doubled(damage: NDArray[np.float64]) -> NDArray[np.float64]:
    """Damage that will be dealt again."""
    last = len(damage) - 1
    twice = np.zeros(last + 1)
    for i in range(1, last + 1):
        twice[min(2 * i, last)] += damage[i]
    return twice


@njit(cache=True, nogil=True)
def echoed_damage(
    strike: NDArray[np.float64], max_hp: int, strikes: int, double_tap: int, extra: int
) -> NDArray[np.float64]:
    """The chance of each total in which the first damaging strike counts twice; 0: no damage."""
    plain = np.zeros(max_hp + 1)
    critical = np.zeros(max_hp + 1)
    plain[0] = strike[0]
    for damage in range(max_hp + 1):
        plain[damage] += strike[1 + damage]
        critical[damage] = strike[2 + max_hp + damage]
    any_strike = plain + critical
    # One base strike with its Double Tap, by whether the base strike does damage; then the same where no
    # damage was done before, so that the first of it counts twice.
    harmless = np.zeros(max_hp + 1)
    harmful = np.zeros(max_hp + 1)
    first_by_tap = np.zeros(max_hp + 1)
    first_by_base = np.zeros(max_hp + 1)
    if double_tap != 0:
        harmless[0] = plain[0]
        harmless += critical[0] * any_strike
        first_by_tap += critical[0] * _doubled(any_strike)
        harmful[1:] = plain[1:]
        first_by_base += _doubled(plain)
        critical[0] = 0.0
        add_convolved(critical, any_strike, harmful)
        add_convolved(_doubled(critical), any_strike, first_by_base)
    else:
        harmless[0] = any_strike[0]
        harmful[1:] = any_strike[1:]
        first_by_base += _doubled(any_strike)
    untouched = harmless[0]
    both = harmless + harmful
    again = np.zeros(max_hp + 1)
    first_again = np.zeros(max_hp + 1)
    if extra > 0:
        add_convolved(harmful, any_strike, again)
        add_convolved(first_by_base, any_strike, first_again)
    nothing_yet = 1.0
    ready = np.zeros(max_hp + 1)
    spent = np.zeros(max_hp + 1)
    for _ in range(strikes):
        next_ready = np.zeros(max_hp + 1)
        next_spent = np.zeros(max_hp + 1)
        add_convolved(spent, both, next_spent)
        if extra > 0:
            add_convolved(ready, harmless, next_ready)
            add_convolved(ready, again, next_spent)
            next_ready += nothing_yet * first_by_tap
            next_spent += nothing_yet * first_again
        else:
            next_spent += nothing_yet * (first_by_tap + first_by_base)
        nothing_yet *= untouched
        ready = next_ready
        spent = next_spent
    total = ready + spent
    total[0] += nothing_yet
    return total


@njit(cache=True, nogil=True)
def bleeding_value(
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    damages: Damages,
    first_row: int,
    growth: float,
    scratch: Scratch,
) -> float:
    """As `values.value`, for an attack that bleeds and defeats at 0 HP only."""
    states = len(scratch.values)
    values = scratch.values
    pending = np.zeros(states)
    doomed = np.zeros(states)
    start = 1.0 if growth == 1.0 else 0.0
    scratch.after[:] = 1.0 - start
    for place in range(len(places.max_hp) - 1, -1, -1):
        max_hp = places.max_hp[place]
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
    return scratch.after[0]
