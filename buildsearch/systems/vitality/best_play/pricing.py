"""How much one use of any attack could gain a loadout that does not have it: all attacks at once.

V is the value function of best play of the loadout. An action that is not the loadout's own gains at most

    gain = V(when the choice is made) - 1 - mean of V(after it)

turns each time it is taken, while the loadout's own actions gain nothing: V says so of every one. The turns
that a better loadout saves are the sum of its gains along its own way through the fight. So an attack whose
gain is nowhere above zero saves nothing, and the others save at most their highest gain times their uses.

The means are one matrix product: rows of damage times the value function, in float32. Rows whose gain is
within the error of zero are worked out again in float64.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.fast import Solved
from buildsearch.systems.vitality.best_play.kits import Kits
from buildsearch.systems.vitality.exact.moves import DAMAGED, DEFEATED, HIT
from buildsearch.systems.vitality.mechanics.actions import BASIC, WAIT

# Of the attacker's HP axis: neighbours are taken together, which makes gains look larger, never smaller.
BLOCKS = 4
ROWS_AT_ONCE = 1 << 14
# What a float32 product of some hundred terms may be off by, relative to the largest value.
_ERROR = 1e-5
# Gains are kept in float32, rounded up.
UP = 1.0 + 1e-6


@dataclass(frozen=True, eq=False)
class Gains:
    """By place: the highest gain of each row of damages after each class of event and number of charges.

    `calm[place]`: the same right at the start of a wave; empty elsewhere. `waits[place]`: the highest gain of
    a turn on which nothing is done. Behind a charged attack its waits are counted.
    """

    mean: float
    class_of: NDArray[np.int64]
    charges: NDArray[np.int64]
    rows: NDArray[np.int64]  # by row of damages its class of enemy
    by_place: list[NDArray[np.float32]]
    calm: list[NDArray[np.float32]]
    waits: NDArray[np.float64]


def price(kits: Kits, loadout: NDArray[np.int64], charges: NDArray[np.int64]) -> Gains | None:
    """The gains of every row of damages over a loadout; None where it has no value function."""
    solved = kits.solved(loadout)
    if not np.isfinite(solved.mean):
        return None
    states = _States(kits, solved)
    by_place, calm, waits = [], [], []
    for place in range(len(kits.field.max_hp)):
        found, at_start, wait = _price_place(kits, solved, states, place, charges)
        by_place.append(found)
        calm.append(at_start)
        waits.append(wait)
    classes = np.arange(len(kits.damages.chances)) % kits.damages.classes
    return Gains(solved.mean, solved.class_of, charges, classes, by_place, calm, np.array(waits))


class _States:
    """Where a foreign attack leaves the loadout's counters: as a basic attack does, by what it did."""

    def __init__(self, kits: Kits, solved: Solved) -> None:
        gating = solved.gating
        count = len(gating.first_choice) - 1
        condition = bool(kits.conditions.any())
        self.after = np.zeros((count, 4), np.int64)  # damaged, defeated, missed, touched
        self.waited = np.zeros(count, np.int64)
        down = DEFEATED if condition else DEFEATED | DAMAGED
        for state in range(count):
            for choice in gating.choices[gating.first_choice[state] : gating.first_choice[state + 1]]:
                lead = gating.leads[choice["lead"]]
                if choice["kind"] == BASIC:
                    self.after[state] = lead[[1 + (DAMAGED | HIT), 1 + down, 1, 1 + HIT]]
                elif choice["kind"] == WAIT:
                    self.waited[state] = lead[1]
        self.kinds, self.kind_of = np.unique(self.after, axis=0, return_inverse=True)
        self.kind_of = self.kind_of.ravel()


def _price_place(
    kits: Kits, solved: Solved, states: _States, place: int, charges: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
    field, damages = kits.field, kits.damages
    top = int(field.max_hp[place])
    after = solved.after[place][:, :, : top + 1]  # HP axis, state, enemy HP
    before = solved.before[place][:, :, :, : top + 1]  # event before them
    events, size = before.shape[0], before.shape[1]
    last, clears = place + 1 == len(field.max_hp), field.wave_end[place] == place + 1
    if last:
        next_value = np.zeros(after.shape[:2])
    else:
        full = int(field.max_hp[place + 1])
        following = solved.before[place + 1][events - 1] if clears else solved.after[place + 1]
        next_value = following[:, :, full]
    # By enemy HP: the most that a turn without doing anything can gain (it is never more than nothing).
    waiting = np.minimum((before - 1.0 - after[None][:, :, states.waited]).max(axis=(0, 1, 2)), 0.0)
    own = np.flatnonzero(np.arange(len(damages.chances)) % damages.classes == field.strike_class[place])
    found = np.full((len(own), (events - 1) * len(charges)), -np.inf, np.float32)
    begins = place == 0 or field.wave_end[place - 1] == place
    at_start = np.full((len(own), len(charges) if begins else 0), -np.inf, np.float32)
    blocks = np.array_split(np.arange(size), min(BLOCKS, size))
    thresholds = damages.kill_at[own]
    for block in blocks:
        for kind, tos in enumerate(states.kinds):
            members = np.flatnonzero(states.kind_of == kind)
            damaged, defeated, missed, touched = (int(to) for to in tos)
            own_before = before[:, block][:, :, members].max(axis=(1, 2))  # event, enemy HP
            tops = np.stack([own_before[:-1] + charge * waiting for charge in charges], axis=1)
            tops = tops.reshape(-1, top + 1)[:, 1:] - 1.0
            calm = own_before[-1, top]
            if place == 0:
                # The fight begins in one state only.
                is_first = solved.gating.first in members and size - 1 in block
                calm = before[-1, size - 1, solved.gating.first, top] if is_first else -np.inf
            starts = calm + charges * waiting[top] - 1.0
            low = after[block].min(axis=0)
            for kill_at in np.unique(thresholds):
                rows = np.flatnonzero(thresholds == kill_at)
                down = float(next_value[block, defeated].min())
                matrix = matrix_of(low[damaged], low[missed], low[touched], down, int(kill_at))
                _fill(damages.chances, damages.touched, own, rows, matrix, tops, starts, found, at_start)
    return found, at_start, float(waiting[1:].max())


def matrix_of(
    damaged: NDArray[np.float64],
    missed: NDArray[np.float64],
    touched: NDArray[np.float64],
    defeated: float,
    kill_at: int,
) -> NDArray[np.float64]:
    """By damage (and a last row for hits without any) and enemy HP from 1: the turns still to come."""
    top = len(damaged) - 1
    left = np.arange(1, top + 1)[None, :] - np.arange(top + 1)[:, None]
    matrix = np.where(left > kill_at, damaged[np.maximum(left, 0)], defeated)
    matrix[0] = missed[1:]
    return np.vstack([matrix, (touched - missed)[1:]])


def _fill(
    chances: NDArray[np.float64],
    touched: NDArray[np.float64],
    own: NDArray[np.int64],
    rows: NDArray[np.int64],
    matrix: NDArray[np.float64],
    tops: NDArray[np.float64],
    starts: NDArray[np.float64],
    found: NDArray[np.float32],
    at_start: NDArray[np.float32],
) -> None:
    width = matrix.shape[0] - 1
    small, error = matrix.astype(np.float32), _ERROR * max(1.0, float(np.abs(matrix).max()))
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[begin : begin + ROWS_AT_ONCE]
        where = own[part]
        left = np.concatenate([chances[where, :width], touched[where, None]], axis=1)
        means = left.astype(np.float32) @ small
        unsure = _raise(
            means,
            tops.astype(np.float32),
            starts.astype(np.float32),
            part,
            np.float32(error),
            found,
            at_start,
        )
        if unsure.any():
            raise_exactly(left[unsure] @ matrix, tops, starts, part[unsure], found, at_start)


@njit(cache=True, nogil=True)
def _raise(
    means: NDArray[np.float32], tops: NDArray[np.float32], starts: NDArray[np.float32],
    rows: NDArray[np.int64], error: np.float32, found: NDArray[np.float32], at_start: NDArray[np.float32],
) -> NDArray[np.bool_]:  # fmt: skip
    """Raise what was found so far; the answer: rows with a gain too near to zero to tell."""
    unsure = np.zeros(len(rows), np.bool_)
    width = means.shape[1]
    for i in range(len(rows)):
        near = False
        for j in range(len(tops)):
            best = np.float32(-np.inf)
            for hp in range(width):
                best = max(best, tops[j, hp] - means[i, hp])
            if abs(best) <= error:
                near = True
            else:
                found[rows[i], j] = max(found[rows[i], j], best + error if best > 0 else best)
        for j in range(at_start.shape[1]):
            best = starts[j] - means[i, width - 1]
            if abs(best) <= error:
                near = True
            else:
                at_start[rows[i], j] = max(at_start[rows[i], j], best + error if best > 0 else best)
        unsure[i] = near
    return unsure


@njit(cache=True, nogil=True)
def raise_exactly(
    means: NDArray[np.float64], tops: NDArray[np.float64], starts: NDArray[np.float64],
    rows: NDArray[np.int64], found: NDArray[np.float32], at_start: NDArray[np.float32],
) -> None:  # fmt: skip
    """As `_raise`, where nothing is unsure."""
    width = means.shape[1]
    for i in range(len(rows)):
        for j in range(len(tops)):
            best = -np.inf
            for hp in range(width):
                best = max(best, tops[j, hp] - means[i, hp])
            # Rounding of sums in float64 is no gain.
            found[rows[i], j] = max(
                found[rows[i], j], np.float32(best * UP if best > 1e-9 else min(best, 0.0))
            )
        for j in range(at_start.shape[1]):
            best = starts[j] - means[i, width - 1]
            at_start[rows[i], j] = max(
                at_start[rows[i], j], np.float32(best * UP if best > 1e-9 else min(best, 0.0))
            )
