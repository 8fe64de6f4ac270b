"""Proofs that the turn limit is out of reach, cheap enough to be asked for every mean.

Let d be a turn's damage cut at x. While a fight is on, exp(a * (HP left + (x - 1) * enemies still to come))
shrinks in the mean by r = E exp(-a d) with every attack, whatever enemy it goes at. So the chance of more
than t turns is at most exp(a * (all HP + (x - 1) * (enemies - 1))) times the mean product of the r of t
turns (Chernoff's bound), and that product depends on the chain alone.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING

RATES = (0.1, 0.2, 0.4)
# The attack's factor is rounded up to such a part, so that a chain has few products to work out.
PARTS = 32
_SEVERAL_CUT = 12
_NO_CUT = 1 << 30


@njit(cache=True, nogil=True)
def cut_for(places: Places) -> int:
    """Where damage is cut: with one enemy nowhere."""
    return _SEVERAL_CUT if len(places.max_hp) > 1 else _NO_CUT


@njit(cache=True, nogil=True)
def shrinking(row: int, rate: float, cut: int, max_hp: int, damages: Damages) -> float:
    """The factor of one row against its class."""
    factor = damages.chances[row, 0]
    for damage in range(damages.lowest[row], max_hp + 1):
        factor += damages.chances[row, damage] * math.exp(-rate * min(damage, cut))
    return factor


@njit(cache=True, nogil=True)
def worst(first_row: int, levels: int, rate: float, places: Places, damages: Damages) -> float:
    """The largest factor of an attack over the enemies and its levels; its rows start at `first_row`."""
    most = 0.0
    for place in range(len(places.max_hp)):
        if places.same_as_next[place] != 0:
            continue
        for level in range(levels):
            row = first_row + level * damages.classes + places.strike_class[place]
            most = max(most, shrinking(row, rate, cut_for(places), places.max_hp[place], damages))
    return most


@njit(cache=True, nogil=True)
def is_worth_it(steps: NDArray[np.void], places: Places) -> bool:
    """Whether the bound is likely to help: against one enemy, or where nothing depends on enemy or outcome.

    Measured: against several enemies the others pass in one of ten cases.
    """
    if len(places.max_hp) == 1:
        return True
    for i in range(len(steps)):
        step = steps[i]
        same = step["missed"] == step["touched"] == step["damaged"] == step["defeated"] == step["cleared"]
        if not same or step["action"] > BASIC + 1:
            return False
        for place in range(1, len(places.max_hp)):
            if places.sets[place, step["event"]] != places.sets[0, step["event"]]:
                return False
    return True


@njit(cache=True, nogil=True)
def levels_of(steps: NDArray[np.void]) -> int:
    """How many levels of the attack a chain uses."""
    most = BASIC + 1
    for i in range(len(steps)):
        most = max(most, steps[i]["action"])
    return most - BASIC


@njit(cache=True, nogil=True)
def product_bound(
    steps: NDArray[np.void], states: int, places: Places, basic: float, special: float, limit: int
) -> float:
    """The log of a bound on the sum of mean products over all turns from `limit` on.

    Where the next state depends on what a strike does, the worst one counts; where chances depend on the
    enemy, the worst enemy.
    """
    now = np.ones(states)
    later = np.zeros(states)
    here = np.zeros(states)
    for _ in range(limit):
        later[:] = 0.0
        for place in range(len(places.max_hp)):
            if places.same_as_next[place] != 0:
                continue
            here[:] = 0.0
            for i in range(len(steps)):
                step = steps[i]
                factor = special
                if step["action"] == NOTHING:
                    factor = 1.0
                elif step["action"] == BASIC:
                    factor = basic
                then = max(now[step["missed"]], now[step["touched"]], now[step["damaged"]])
                then = max(then, now[step["defeated"]], now[step["cleared"]], now[step["ticked"]])
                here[step["state"]] += step["chance"] * places.sets[place, step["event"]] * factor * then
            for state in range(states):
                later[state] = max(later[state], here[state])
        now, later = later, now
    slowest = now.max()
    if slowest >= 0.5:
        return 0.0
    # Products never grow with time: `limit` turns at most like their first, then the next `limit`, ...
    return math.log(now[0] * limit / (1.0 - slowest) + 1e-300)
