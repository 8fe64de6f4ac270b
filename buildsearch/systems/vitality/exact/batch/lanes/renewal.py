"""Attacks that are made every so many turns, whatever happens: turns are counted in attacks, enemy by enemy.

Plain and charged attacks, also where they may fail to activate: nothing that an attack does changes when the
next one is made, so an enemy takes K attacks, enemies one after another take independent numbers of them, and
with a period of c turns a fight takes c times their sum. Where the turn limit n is near, the mean is

    sum over t < n of P(c sum K > t) = c sum over m < n // c of P(sum K > m) + (n mod c) P(sum K > n // c)

P(K > m) comes from the damage of m attacks; sums of K from convolutions over m.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import Arrivals
from buildsearch.systems.vitality.exact.batch.lanes.compiled import inner
from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES, add_scaled, dot_pairs_down, multiply
from buildsearch.systems.vitality.exact.batch.lumping import ALWAYS
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING, SPECIAL


class Renewal(NamedTuple):
    """The turns from one attack to the next (0: the process is not of this kind), the chance to activate."""

    period: int
    activation: float


@inner
def renewal_of(steps: NDArray[np.void], states: int, places: Places, arrivals: Arrivals) -> Renewal:
    """Whether the attack is made every so many turns, from the first turn on and by everybody."""
    none = Renewal(0, 0.0)
    at_once = len(arrivals.by_turn) == 2 and len(arrivals.states) == 1 and arrivals.states[0] == 0
    if not at_once or arrivals.by_turn[1, 0, places.max_hp[0] - 1] != 1.0:
        return none
    activation = 0.0
    state = 0
    for period in range(1, states + 1):
        following = -1
        attacks = False
        total = 0.0
        for i in range(len(steps)):
            step = steps[i]
            if step["state"] != state:
                continue
            if step["event"] != ALWAYS or step["action"] == BASIC or step["action"] > SPECIAL:
                return none
            if following >= 0 and step["missed"] != following:
                return none
            following = step["missed"]
            total += step["chance"]
            if step["action"] == NOTHING:
                continue
            attacks = True
            activation = step["chance"]
            same = step["touched"] == following and step["damaged"] == following
            if not (same and step["defeated"] == following and step["cleared"] == following):
                return none
        if abs(total - 1.0) > 1e-12:
            return none
        if attacks:
            return Renewal(period, activation) if following == 0 else none
        state = following
    return none


@inner
def _set_lasting(
    strike_class: int,
    hp: int,
    tables: Tables,
    activation: float,
    most: int,
    damage: NDArray[np.float64],
    lasts: NDArray[np.float64],
) -> None:
    """Fill `lasts` with the chance that an enemy stands after m attacks, for each m up to the most."""
    chances = tables.chances
    row = SPECIAL * tables.classes + strike_class
    low = tables.lowest[row]
    high = tables.highest[row]
    first = row * tables.width
    # Damage that leaves the threshold or less defeats, whatever it is.
    stands = max(1, hp - tables.kill_at[row])
    stays = np.zeros(LANES)
    total = np.zeros(LANES)
    for lane in range(LANES):
        nothing = tables.nothing[row * LANES + lane] + tables.touched[row * LANES + lane]
        stays[lane] = activation * nothing + (1.0 - activation)
    damage[: stands * LANES] = 0.0
    damage[:LANES] = 1.0
    lasts[:LANES] = 1.0
    for m in range(1, most + 1):
        here = m * LANES
        lasts[here : here + LANES] = 0.0
        for done in range(stands - 1, -1, -1):
            at = done * LANES
            reach = min(high, done) + 1 - low
            dot_pairs_down(total, 0, chances, (first + low) * LANES, damage, (done - low) * LANES, reach)
            multiply(damage, at, stays, 0)
            add_scaled(damage, at, activation, total, 0)
            add_scaled(lasts, here, 1.0, damage, at)


@inner
def count_attacks(
    renewal: Renewal, places: Places, tables: Tables, limit: int, means: NDArray[np.float64]
) -> None:
    """The mean turns of eight profiles, into `means`."""
    hps = places.max_hp
    strike_class = places.strike_class
    most = limit // renewal.period
    size = (most + 1) * LANES
    damage = np.zeros(hps.max() * LANES)
    # By class: the chance to stand after m attacks, and to fall by just the m-th.
    lasts = np.zeros(tables.classes * size)
    falls = np.zeros(tables.classes * size)
    known = np.zeros(tables.classes, np.bool_)
    fighting = np.zeros(size)
    for place in range(len(hps)):
        which = strike_class[place]
        start = which * size
        if not known[which]:
            known[which] = True
            _set_lasting(
                which, hps[place], tables, renewal.activation, most, damage, lasts[start : start + size]
            )
            for i in range(LANES, size):
                falls[start + i] = lasts[start + i - LANES] - lasts[start + i]
        if place == 0:
            fighting[:] = lasts[start : start + size]
            continue
        for m in range(most, -1, -1):
            at = m * LANES
            dot_pairs_down(fighting, at, falls, start + LANES, fighting, at - LANES, m)
            add_scaled(fighting, at, 1.0, lasts, start + at)
    means[:] = 0.0
    for m in range(most):
        add_scaled(means, 0, 1.0, fighting, m * LANES)
    rest = limit - renewal.period * most
    for lane in range(LANES):
        means[lane] = renewal.period * means[lane] + rest * fighting[most * LANES + lane]
