"""How much one use of any attack could gain a loadout that does not have it: all attacks at once.

V is the value function of best play of the loadout. An action that is not the loadout's own gains at most

    gain = V(when the choice is made) - 1 - mean of V(after it)

turns each time it is taken, while the loadout's own actions gain nothing: V says so of every one. The turns
that a better loadout saves are the sum of its gains along its own way through the fight. So an attack whose
gain is nowhere above zero saves nothing, and the others save at most their highest gain times their uses.

The means are one matrix product: rows of damage times the value function, in float32. Rows whose gain is
within the error of zero are worked out again in float64.

Where enemies may bleed, V has pending states too, also where the loadout itself begins no bleed: the new
attack may. A doomed enemy falls whatever is done, so nobody's gain is above that of the loadout's own basic
attack there, which is none. There everything is worked out in float64.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.best_play.fast_solver import Solved
from buildsearch.systems.vitality.best_play.kits import Kits
from buildsearch.systems.vitality.exact.batch.class_rows import ClassDamages
from buildsearch.systems.vitality.exact.transitions import DAMAGED, DEFEATED, HIT
from buildsearch.systems.vitality.mechanics.limits import BASIC, WAIT

# Of the attacker's HP axis: neighbours are taken together, which makes gains look larger, never smaller.
_BLOCKS = 4
_ROWS_AT_ONCE = 1 << 14
# What a float32 product of some hundred terms may be off by, relative to the largest value.
_ERROR = 1e-5
# Gains are kept in float32, rounded up.
_UP = 1.0 + 1e-6


@dataclass(frozen=True, eq=False)
class Gains:
    """By place: the highest gain of each row of damages after each class of event and number of charges.

    `calm[place]`: the same right at the start of a wave; empty elsewhere. `waits[place]`: the highest gain of
    a turn on which nothing is done. Behind a charged attack its waits are counted.
    """

    mean: float
    class_of: NDArray[np.int64]
    charges: NDArray[np.int64]
    by_place: list[NDArray[np.float32]]
    calm: list[NDArray[np.float32]]
    waits: NDArray[np.float64]


def price(
    kits: Kits,
    loadout: NDArray[np.int64],
    charges: NDArray[np.int64],
    attacks: NDArray[np.bool_] | None = None,
) -> Gains | None:
    """The gains over a loadout of the rows of basic attacks and of some attacks, without `attacks` of all.

    None where the loadout has no value function.
    """
    chosen = np.ones(len(kits.rows), bool) if attacks is None else attacks
    solved = kits.solved(loadout, bleeds=bool(kits.bleeds[loadout].any() or kits.bleeds[chosen].any()))
    if not np.isfinite(solved.mean):
        return None
    total, classes = len(kits.damages.chances), kits.damages.classes
    wanted = np.zeros(total, bool)
    for at in range(classes):
        wanted[kits.basic_rows + at] = True
    for level in range(int(kits.limits["levels"].max(initial=1))):
        has = chosen & (kits.limits["levels"] > level)
        for at in range(level * classes, (level + 1) * classes):
            wanted[kits.rows[has] + at] = True
    states = _States(kits, solved)
    by_place, calm, waits = [], [], []
    for place in range(len(kits.enemies.max_hp)):
        found, at_start, wait = _price_place(kits, solved, states, place, charges, wanted)
        by_place.append(found)
        calm.append(at_start)
        waits.append(wait)
    return Gains(solved.mean, solved.class_of, charges, by_place, calm, np.array(waits))


class _States:
    """Where a foreign attack leaves the loadout's counters: as a basic attack does, by what happened."""

    def __init__(self, kits: Kits, solved: Solved) -> None:
        graph = solved.graph
        count = graph.standing
        down = DEFEATED if kits.conditions.any() else DEFEATED | DAMAGED
        # Damaged, defeated, missed, touched, missed with a tick; then after waiting, without and with a tick.
        after = np.zeros((count, 5), np.int64)
        self.waited = np.zeros(count, np.int64)
        self.waited_ticked = np.zeros(count, np.int64)
        for state in range(count):
            for choice in graph.choices[graph.first_choice[state] : graph.first_choice[state + 1]]:
                lead = graph.leads[choice["lead"]]
                if choice["kind"] == BASIC:
                    after[state] = lead[[1 + (DAMAGED | HIT), 1 + down, 1, 1 + HIT, 1 + DAMAGED]]
                elif choice["kind"] == WAIT:
                    self.waited[state], self.waited_ticked[state] = lead[1], lead[1 + DAMAGED]
        self.kinds, kind_of = np.unique(after, axis=0, return_inverse=True)
        self.kind_of = kind_of.ravel()


def _price_place(
    kits: Kits,
    solved: Solved,
    states: _States,
    place: int,
    charges: NDArray[np.int64],
    wanted: NDArray[np.bool_],
) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
    enemies, damages = kits.enemies, kits.damages
    top, standing = int(enemies.max_hp[place]), solved.graph.standing
    bleeds = standing < len(solved.graph.values)
    # HP axis, state, enemy HP; behind events. Nobody begins a wave with a bleed pending.
    after, pending = np.split(solved.after[place][:, :, : top + 1], [standing], axis=1)
    before, before_pending = np.split(solved.before[place][:, :, :, : top + 1], [standing], axis=2)
    events, size = before.shape[0], before.shape[1]
    if place + 1 == len(enemies.max_hp):
        next_value = np.zeros(after.shape[:2])
    else:
        clears = enemies.wave_end[place] == place + 1
        following = solved.before[place + 1][events - 1] if clears else solved.after[place + 1]
        next_value = following[:, :, int(enemies.max_hp[place + 1])]
    # By enemy HP: the most that a turn without doing anything can gain (it is never more than nothing).
    waiting = (before - 1.0 - after[None][:, :, states.waited]).max(axis=(0, 1, 2))
    if bleeds:
        ticked = (before_pending[:-1] - 1.0 - after[None][:, :, states.waited_ticked]).max(axis=(0, 1, 2))
        waiting = np.maximum(waiting, ticked)
    waiting = np.minimum(waiting, 0.0)
    own = np.flatnonzero(np.arange(len(damages.chances)) % damages.classes == enemies.strike_class[place])
    begins = place == 0 or enemies.wave_end[place - 1] == place
    found = _Found(
        damages,
        own,
        np.full((len(own), (events - 1) * len(charges)), -np.inf, np.float32),
        np.full((len(own), len(charges) if begins else 0), -np.inf, np.float32),
        exactly=bleeds,
    )
    asked, thresholds, echo = np.flatnonzero(wanted[own]), damages.kill_at[own], damages.echo[own]
    for block in np.array_split(np.arange(size), min(_BLOCKS, size)):
        low = after[block].min(axis=0)
        for kind, tos in enumerate(states.kinds):
            members = np.flatnonzero(states.kind_of == kind)
            damaged, defeated, missed, touched, ticks = (int(to) for to in tos)
            down = float(next_value[block, defeated].min())
            own_before = before[:, block][:, :, members].max(axis=(1, 2))  # event, enemy HP
            tops = _tops(own_before[:-1], charges, waiting)
            calm = own_before[-1, top]
            if place == 0:
                # The fight begins in one state only.
                is_first = solved.graph.first in members and size - 1 in block
                calm = before[-1, size - 1, solved.graph.first, top] if is_first else -np.inf
            starts = calm + charges * waiting[top] - 1.0
            plain = asked[echo[asked] == 0] if bleeds else asked
            for kill_at in np.unique(thresholds[plain]):
                rows = plain[thresholds[plain] == kill_at]
                matrix = _matrix(low[damaged], low[missed], low[touched], down, int(kill_at))
                found.fill(rows, matrix, tops, starts)
            if not bleeds:
                continue
            low_pending = pending[block][:, damaged].min(axis=0)
            matrix = _matrix(low_pending, low[missed], low[touched], low_pending[0], 0)
            # Down on this turn, not on the next.
            found.fill(asked[echo[asked] > 0], matrix, tops, starts, now=down - low_pending[0])
            # Beside a bleed thresholds are not valued.
            matrix = _matrix(low[damaged], low[ticks], low[damaged], down, 0)
            tops = _tops(before_pending[:-1, block][:, :, members].max(axis=(1, 2)), charges, waiting)
            found.fill(asked[thresholds[asked] == 0], matrix, tops, np.zeros(0))
    return found.gains, found.at_start, float(waiting[1:].max())


def _tops(
    before: NDArray[np.float64], charges: NDArray[np.int64], waiting: NDArray[np.float64]
) -> NDArray[np.float64]:
    """By event and number of charges, and by HP from 1: what an attack's mean is held against."""
    tops = np.stack([before + charge * waiting for charge in charges], axis=1)
    return tops.reshape(-1, before.shape[1])[:, 1:] - 1.0


def _matrix(
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


@dataclass(frozen=True, eq=False)
class _Found:
    """The highest gains so far of the rows of one class of enemy; `exactly`: without float32."""

    damages: ClassDamages
    own: NDArray[np.int64]
    gains: NDArray[np.float32]
    at_start: NDArray[np.float32]
    exactly: bool

    def fill(
        self,
        rows: NDArray[np.int64],
        matrix: NDArray[np.float64],
        tops: NDArray[np.float64],
        starts: NDArray[np.float64],
        now: float | None = None,
    ) -> None:
        """Raise those of some rows, with `now` by their echoes; it counts where the row itself defeats."""
        error = np.float32(_ERROR * max(1.0, float(np.abs(matrix).max())))
        small, low_tops, low_starts = (each.astype(np.float32) for each in (matrix, tops, starts))
        at_start = self.at_start[:, : len(starts)]
        for begin in range(0, len(rows), _ROWS_AT_ONCE):
            part = rows[begin : begin + _ROWS_AT_ONCE]
            which = self.own[part]
            source = which if now is None else which + self.damages.echo[which]
            chances, touched = self.damages.chances[source, : len(matrix) - 1], self.damages.touched
            left = np.concatenate([chances, touched[source, None]], axis=1)
            if not self.exactly:
                means = left.astype(np.float32) @ small
                unsure = _raise(means, low_tops, low_starts, part, error, self.gains, at_start)
                left, part = left[unsure], part[unsure]
            means = left @ matrix
            if now is not None:
                means += now * self.damages.at_least[which, 1 : len(matrix) - 1]
            _raise(means, tops, starts, part, 0.0, self.gains, at_start)


@step
def _rounded_up(gain: float, error: float) -> float:
    if error > 0:
        return gain + error if gain > 0 else gain
    # Rounding of sums in float64 is no gain.
    return gain * _UP if gain > 1e-9 else min(gain, 0.0)


@njit(cache=True, nogil=True)
def _raise(
    means: NDArray[np.floating], tops: NDArray[np.floating], starts: NDArray[np.floating],
    rows: NDArray[np.int64], error: float, found: NDArray[np.float32], at_start: NDArray[np.float32],
) -> NDArray[np.bool_]:  # fmt: skip
    """Raise what was found so far; the answer: rows with a gain too near to zero to tell."""
    unsure = np.zeros(len(rows), np.bool_)
    width = means.shape[1]
    for i in range(len(rows)):
        near = False
        for j in range(len(tops)):
            best = tops[j, 0] - means[i, 0]
            for hp in range(1, width):
                best = max(best, tops[j, hp] - means[i, hp])
            if error > 0 and abs(best) <= error:
                near = True
            else:
                found[rows[i], j] = max(found[rows[i], j], np.float32(_rounded_up(best, error)))
        for j in range(at_start.shape[1]):
            best = starts[j] - means[i, width - 1]
            if error > 0 and abs(best) <= error:
                near = True
            else:
                at_start[rows[i], j] = max(at_start[rows[i], j], np.float32(_rounded_up(best, error)))
        unsure[i] = near
    return unsure
