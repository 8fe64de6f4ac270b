"""From gains to bounds: how few turns a loadout could take if it got one more attack, bleeds among them.

The turns saved are at most the sum of the gains of the new attack's uses (see `gains`). How often it can
be used follows from its limits, given the turns T that the fight takes then: each way of counting says
that at most a + b T turns are saved, hence T >= (V - a) / (1 + b), and the best of these holds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.gains import Gains, price
from buildsearch.systems.vitality.best_play.kits import Kits
from buildsearch.systems.vitality.exact.batch.gatings import NEVER_BINDS
from buildsearch.systems.vitality.mechanics.limits import ALL_MISSED, DAMAGED, HIT_UNHARMED, NOT_ATTACKED


class Least(NamedTuple):
    """What is known of a loadout that gets one more attack, by attack.

    `turns`: a number that it is not below. `guess`: the same with a look at how late limits let it be used;
    nothing is proved about it. `saved`: the most that any attack saves, also if several come in.
    """

    turns: NDArray[np.float64]
    guess: NDArray[np.float64]
    saved: float


def least_turns(kits: Kits, gains: Gains) -> Least:
    """From gains to bounds."""
    places = len(gains.by_place)
    chances = np.zeros((places, 3))  # of the events
    row = kits.enemies.retaliation
    attacked = bool(row[0].sum() > 0)
    if attacked:
        chances[:, 0], chances[:, 1], chances[:, 2] = row[:, 0], row[:, 1], row[:, 2:].sum(axis=1)
    else:
        chances[:, 0] = 1.0
    most = max(len(each) for each in gains.by_place)
    width = gains.by_place[0].shape[1]
    by_place = np.full((places, most, width), -np.inf, np.float32)
    calm = np.full((places, most, len(gains.charges)), -np.inf, np.float32)
    for place in range(places):
        by_place[place, : len(gains.by_place[place])] = gains.by_place[place]
        if gains.calm[place].shape[1]:
            calm[place, : len(gains.calm[place])] = gains.calm[place]
    events = np.array([ALL_MISSED, HIT_UNHARMED, DAMAGED] if attacked else [NOT_ATTACKED] * 3)
    calm_starts = np.array([each.shape[1] > 0 for each in gains.calm])
    found, saved = np.full(len(kits.rows), gains.mean), np.zeros(len(kits.rows))
    which_charge = np.searchsorted(gains.charges, kits.limits["charge"])
    _bound(
        kits.limits, kits.rows, kits.basic_rows, which_charge, kits.damages.classes, by_place, calm,
        calm_starts, gains.waits, chances, events, gains.class_of, len(gains.charges), gains.mean,
        found, saved,
    )  # fmt: skip
    limits = kits.limits
    late = np.where(limits["hp_at_most"] < kits.attacker_hp, np.inf, limits["first_turn"] - 1.0)
    guess = np.maximum(found, np.minimum(late + 1.0, gains.mean))
    return Least(found, guess, float(saved.max(initial=0.0)))


@njit(cache=True, nogil=True)
def _bound(  # noqa: PLR0912, PLR0915, PLR0917 - one attack after another, its limits in turn
    limits: NDArray[np.void], rows: NDArray[np.int64], basic_rows: NDArray[np.int64],
    which_charge: NDArray[np.int64], classes: int, by_place: NDArray[np.float32], calm: NDArray[np.float32],
    calm_starts: NDArray[np.bool_], waits: NDArray[np.float64], chances: NDArray[np.float64],
    events: NDArray[np.int64], class_of: NDArray[np.int64], charges: int, mean: float,
    found: NDArray[np.float64], saved: NDArray[np.float64],
) -> None:  # fmt: skip
    places = len(by_place)
    unhurt = 0.0
    for place in range(places):
        unhurt = max(unhurt, 1.0 - chances[place, 2])
    for i in range(len(rows)):
        limit = limits[i]
        charge = which_charge[i]
        mask = limit["since_mask"]
        activation = limit["activation"]
        top = 0.0  # of one use
        slope = 0.0  # of a turn
        begin = 0.0  # of the first turns of waves
        basic = 0.0  # of a turn: the basic attack that the type brings
        for place in range(places):
            mine = 0.0
            start = 0.0
            for event in range(3):
                column = class_of[event] * charges
                basic = max(basic, by_place[place, basic_rows[i] // classes, column])
                if (mask >> events[event]) & 1 == 0:
                    continue
                gain = 0.0
                for level in range(limit["levels"]):
                    # A failed attempt is a turn on which nothing is done.
                    one = by_place[place, rows[i] // classes + level, column + charge]
                    gain = max(gain, activation * one + (1.0 - activation) * waits[place])
                mine += chances[place, event] * gain
                top = max(top, gain)
            if calm_starts[place]:
                one = max(calm[place, basic_rows[i] // classes, 0], 0.0)
                basic = max(basic, one)
                if (mask >> NOT_ATTACKED) & 1:
                    for level in range(limit["levels"]):
                        one = calm[place, rows[i] // classes + level, charge]
                        start = max(start, activation * one + (1.0 - activation) * waits[place])
            begin += start
            top = max(top, start)
            slope = max(slope, mine)
        if top <= 0.0 and basic <= 0.0:
            continue
        # Ways of counting uses: at most `fixed` turns saved and `each` for every turn of the fight.
        best = 0.0
        most = np.inf
        for way in range(6):
            fixed = 0.0
            each = basic
            if way == 0:
                fixed = begin
                each += slope
            elif way == 1:
                each += top / (1.0 + limit["charge"])
            elif way == 2 and limit["cooldown"] > 0:
                fixed = top * limit["cooldown"] / (limit["cooldown"] + 1.0)
                each += top / (limit["cooldown"] + 1.0)
            elif way == 3 and limit["passive"] != 0:
                # After an attack that came off it must wait a turn; after a failed attempt it need not.
                fixed = top / (1.0 + activation)
                each += top / (1.0 + activation)
            elif way == 4 and limit["last_turn"] == 1:
                fixed = begin
            elif way == 5:
                uses = np.inf
                if limit["uses"] > 0:
                    uses = float(limit["uses"])
                if limit["last_turn"] != NEVER_BINDS:
                    uses = min(uses, float(limit["last_turn"]))
                if limit["hp_full"] != 0 and unhurt < 1.0:
                    # Turns until the first wound.
                    uses = min(uses, 1.0 / (1.0 - unhurt))
                if uses == np.inf:
                    continue
                fixed = uses * top
            else:
                continue
            best = max(best, (mean - fixed) / (1.0 + each))
            most = min(most, fixed + each * mean)
        found[i] = best
        saved[i] = most


def least_beside(kits: Kits, rest: NDArray[np.int64], charges: NDArray[np.int64]) -> Least:
    """What is known of every attack beside the rest.

    Where nothing in the rest bleeds, attacks that do not bleed either meet no pending state.
    """
    bleeds = kits.bleeds
    if bleeds[rest].any():
        return _least(kits, price(kits, rest, charges))
    found = _least(kits, price(kits, rest, charges, ~bleeds))
    if bleeds.any():
        own = _least(kits.part(np.flatnonzero(bleeds)), price(kits, rest, charges, bleeds))
        found.turns[bleeds], found.guess[bleeds] = own.turns, own.guess
        found = found._replace(saved=max(found.saved, own.saved))
    return found


def most_saved(kits: Kits, loadout: NDArray[np.int64], charges: NDArray[np.int64]) -> float:
    """The most turns that any attack saves the loadout, also if several come in."""
    return _least(kits, price(kits, loadout, charges)).saved


def _least(kits: Kits, gains: Gains | None) -> Least:
    if gains is None:
        # Nothing is known about it: everything is worth trying.
        return Least(np.zeros(len(kits.rows)), np.zeros(len(kits.rows)), np.inf)
    return least_turns(kits, gains)
