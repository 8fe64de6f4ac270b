"""`pricing` where enemies may bleed: gains while they stand, and while a bleed is pending.

V is the value function of the loadout with pending states, also where the loadout itself begins no bleed: the
new attack may. A doomed enemy falls whatever is done, so nobody's gain is above that of the loadout's own
basic attack there, which is none. Everything is worked out in float64.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.bleeding import Bled
from buildsearch.systems.vitality.best_play.kits import Kits
from buildsearch.systems.vitality.best_play.pricing import (
    BLOCKS,
    ROWS_AT_ONCE,
    Gains,
    matrix_of,
    raise_exactly,
)
from buildsearch.systems.vitality.exact.moves import DAMAGED, DEFEATED, HIT
from buildsearch.systems.vitality.mechanics.actions import BASIC, WAIT

_FELLED = DAMAGED | DEFEATED


def price_bleeds(
    kits: Kits, loadout: NDArray[np.int64], charges: NDArray[np.int64], attacks: NDArray[np.bool_]
) -> Gains | None:
    """The gains of the rows of some attacks, and of basic ones; None where there is no value function."""
    solved = kits.bled(loadout)
    if not np.isfinite(solved.mean):
        return None
    total, classes = len(kits.damages.chances), kits.damages.classes
    wanted, echo_of = np.zeros(total, bool), np.full(total, -1)
    for strike_class in range(classes):
        wanted[kits.basic_rows + strike_class] = True
    for level in range(int(kits.limits["levels"].max(initial=1))):
        has = kits.limits["levels"] > level
        for at in range(level * classes, (level + 1) * classes):
            wanted[kits.rows[has & attacks] + at] = True
            bleeds = has & kits.bleeds
            echo_of[kits.rows[bleeds] + at] = kits.echo_rows[bleeds] + at
    states = _States(solved)
    by_place, calm, waits = [], [], []
    for place in range(len(kits.field.max_hp)):
        found, at_start, wait = _price_place(kits, solved, states, place, charges, wanted, echo_of)
        by_place.append(found)
        calm.append(at_start)
        waits.append(wait)
    rows = np.arange(total) % classes
    return Gains(solved.mean, solved.class_of, charges, rows, by_place, calm, np.array(waits))


class _States:
    """Where a foreign attack leaves the loadout's counters: as a basic attack does, by what happened."""

    def __init__(self, solved: Bled) -> None:
        gating = solved.gating
        count = len(gating.first_choice) - 1
        # Damaged, defeated, missed, touched, missed with a tick; then after waiting, without and with a tick.
        after = np.zeros((count, 5), np.int64)
        self.waited = np.zeros(count, np.int64)
        self.waited_ticked = np.zeros(count, np.int64)
        for state in range(count):
            for choice in gating.choices[gating.first_choice[state] : gating.first_choice[state + 1]]:
                lead = gating.leads[choice["lead"]]
                if choice["kind"] == BASIC:
                    after[state] = lead[[1 + (DAMAGED | HIT), 1 + _FELLED, 1, 1 + HIT, 1 + DAMAGED]]
                elif choice["kind"] == WAIT:
                    self.waited[state], self.waited_ticked[state] = lead[1], lead[1 + DAMAGED]
        self.kinds, kind_of = np.unique(after, axis=0, return_inverse=True)
        self.kind_of = kind_of.ravel()


def _price_place(  # noqa: PLR0915 - one place, standing and pending
    kits: Kits,
    solved: Bled,
    states: _States,
    place: int,
    charges: NDArray[np.int64],
    wanted: NDArray[np.bool_],
    echo_of: NDArray[np.int64],
) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
    field, damages = kits.field, kits.damages
    top = int(field.max_hp[place])
    after, pending = (each[place][:, :, : top + 1] for each in (solved.after, solved.pending_after))
    before = solved.before[place][:, :, :, : top + 1]
    before_pending = solved.pending_before[place][:, :, :, : top + 1]
    events, size = before.shape[0], before.shape[1]
    if place + 1 == len(field.max_hp):
        next_value = np.zeros(after.shape[:2])
    else:
        clears = field.wave_end[place] == place + 1
        following = solved.before[place + 1][events - 1] if clears else solved.after[place + 1]
        next_value = following[:, :, int(field.max_hp[place + 1])]
    standing = (before - 1.0 - after[None][:, :, states.waited]).max(axis=(0, 1, 2))
    ticked = (before_pending - 1.0 - after[None][:, :, states.waited_ticked]).max(axis=(0, 1, 2))
    waiting = np.minimum(np.maximum(standing, ticked), 0.0)
    of_class = np.arange(len(damages.chances)) % damages.classes == field.strike_class[place]
    own = np.flatnonzero(of_class)
    found = np.full((len(own), (events - 1) * len(charges)), -np.inf, np.float32)
    begins = place == 0 or field.wave_end[place - 1] == place
    at_start = np.full((len(own), len(charges) if begins else 0), -np.inf, np.float32)
    never = np.zeros((len(own), 0), np.float32)
    asked = np.flatnonzero(wanted[own])
    for block in np.array_split(np.arange(size), min(BLOCKS, size)):
        low, low_pending = after[block].min(axis=0), pending[block].min(axis=0)
        low_doomed = solved.doomed_after[place][block].min(axis=0)
        for kind, tos in enumerate(states.kinds):
            members = np.flatnonzero(states.kind_of == kind)
            damaged, defeated, missed, touched, ticks = (int(to) for to in tos)
            down = float(next_value[block, defeated].min())
            own_before = before[:, block][:, :, members].max(axis=(1, 2))
            tops = _tops(own_before[:-1], charges, waiting)
            late = _tops(before_pending[:, block][:, :, members].max(axis=(1, 2)), charges, waiting)
            calm = own_before[-1, top]
            if place == 0:
                is_first = solved.gating.first in members and size - 1 in block
                calm = before[-1, size - 1, solved.gating.first, top] if is_first else -np.inf
            starts = calm + charges * waiting[top] - 1.0
            after_tick = matrix_of(low[damaged], low[ticks], low[damaged], down, 0)
            # With a bleed: what a damage and its echo leave, then what a miss and a touch leave.
            echoed = matrix_of(low_pending[damaged], low[missed], low[touched], 0.0, 0)
            for begin in range(0, len(asked), ROWS_AT_ONCE):
                part = asked[begin : begin + ROWS_AT_ONCE]
                thresholds, echo = damages.kill_at[own[part]], echo_of[own[part]]
                for kill_at in np.unique(thresholds):
                    rows = part[(thresholds == kill_at) & (echo < 0)]
                    matrix = matrix_of(low[damaged], low[missed], low[touched], down, int(kill_at))
                    means = _left(kits, own[rows], top) @ matrix
                    raise_exactly(means, tops, starts, rows, found, at_start)
                rows = part[echo >= 0]
                which, bled = own[rows], echo_of[own[rows]]
                at_least = damages.at_least[which, 1 : top + 1]
                doomed = kits.echoes.at_least[bled, 1 : top + 1] - at_least
                left = np.column_stack([kits.echoes.chances[bled, : top + 1], damages.touched[which]])
                left[:, 0] = damages.chances[which, 0]
                means = left @ echoed + at_least * down + doomed * low_doomed[damaged]
                raise_exactly(means, tops, starts, rows, found, at_start)
                # Beside a bleed thresholds are not valued.
                rows = part[thresholds == 0]
                means = _left(kits, own[rows], top) @ after_tick
                raise_exactly(means, late, np.zeros(0), rows, found, never)
    return found, at_start, float(waiting[1:].max())


def _tops(
    before: NDArray[np.float64], charges: NDArray[np.int64], waiting: NDArray[np.float64]
) -> NDArray[np.float64]:
    """By event and number of charges, and by HP from 1: what an attack's mean is held against."""
    tops = np.stack([before + charge * waiting for charge in charges], axis=1)
    return tops.reshape(-1, before.shape[1])[:, 1:] - 1.0


def _left(kits: Kits, rows: NDArray[np.int64], top: int) -> NDArray[np.float64]:
    return np.column_stack([kits.damages.chances[rows, : top + 1], kits.damages.touched[rows]])
