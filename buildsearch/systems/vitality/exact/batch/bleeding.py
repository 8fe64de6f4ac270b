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
from buildsearch.systems.vitality.exact.batch.recursion import REGROUPED, Memory, set_defeats, set_up
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
    plain: NDArray[np.float64], criticals: NDArray[np.float64], strikes: int, double_tap: int, extra: int
) -> NDArray[np.float64]:
    """The chance of each total in which the first damaging strike counts twice; 0: no damage."""
    max_hp = len(plain) - 1
    critical = criticals.copy()
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


@njit(cache=True, nogil=True, fastmath=REGROUPED)
def bleeding_value(  # noqa: PLR0915 - one recursion
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    damages: Damages,
    first_row: int,
    growth: float,
    scratch: Memory,
) -> float:
    """As `recursion.value`, for an attack that bleeds and defeats at 0 HP only."""
    values = scratch.values
    known = scratch.known
    states = len(values)
    pending = np.zeros(states)
    doomed = np.zeros(states)
    known_pending = np.zeros((states, known.shape[1]))
    by_damage = np.zeros(len(spreads))
    start = 1.0 if growth == 1.0 else 0.0
    scratch.after[:] = 1.0 - start
    backwards = damages.backwards
    backwards_echoes = damages.backwards_echoes
    top = backwards.shape[1] - 1
    for place in range(len(places.max_hp) - 1, -1, -1):
        max_hp = places.max_hp[place]
        cleared = places.ends_wave[place] != 0
        if places.same_as_next[place] == 0 and not set_up(
            steps, spreads, place, places, damages, first_row, growth, scratch
        ):
            return np.nan
        set_defeats(steps, place, places, scratch)
        doomed[:] = start
        for i in range(len(steps)):
            step = steps[i]
            then = scratch.after[step["cleared"] if cleared else step["defeated"]]
            doomed[step["state"]] += scratch.weights[i] * then
        for hp in range(1, max_hp + 1):
            values[:] = scratch.base
            for action in range(1, len(scratch.action_rows)):
                row = scratch.action_rows[action]
                if row >= 0:
                    values += damages.at_least[row, hp] * scratch.defeats[action]
            for i in range(len(spreads)):
                row = scratch.spread_rows[i]
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
                    values[np.uint64(g)] += total * scratch.led_to[np.uint64(i), np.uint64(g)]
            pending[:] = start
            for i in range(len(steps)):
                step = steps[i]
                weight = scratch.weights[i]
                if step["action"] == NOTHING:
                    pending[step["state"]] += weight * values[step["ticked"]]
                    continue
                row = scratch.action_rows[step["action"]]
                touched = damages.touched[row]
                found = by_damage[step["spread"]]
                found += (damages.chances[row, 0] - touched) * values[step["ticked"]]
                found += touched * values[step["damaged"]]
                then = scratch.after[step["cleared"] if cleared else step["defeated"]]
                pending[step["state"]] += weight * (found + damages.at_least[row, hp] * then)
            known[:, hp] = values
            known_pending[:, hp] = pending
        scratch.after[:] = values
    return scratch.after[0]
