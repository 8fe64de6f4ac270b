"""Who decides which attack of a loadout is made, and what looking a turn ahead asks: mean HP removed.

The twin of `best_play.lookahead`, which works each number out when it is asked for.
"""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.kernel.arsenal import Plan

GREEDY, LOOKAHEAD = range(2)
# Rates that differ by no more are equal: two ways to add up the same numbers may differ in the last bits.
TIE = 1e-12

WHOLE, ONE = range(2)  # a whole attempt at its target; one strike


def removal_of(plan: Plan, chances: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean HP removed, by level of channelling (the basic attack first), class of enemy, HP and
    (`WHOLE`, `ONE`); and by level and class the mean number of critical base strikes.

    `chances` has a row for each level and class, in the order of `fill_outcomes`.
    """
    setup = plan.setup[0]
    classes, foes = int(setup["classes"]), plan.foes
    most = int(foes["max_hp"].max())
    removal = np.zeros((len(chances), most + 1, 2))
    criticals = np.zeros(len(chances))
    for row in range(len(chances)):
        foe = foes[int(np.flatnonzero(foes["strike_class"] == row % classes)[0])]
        max_hp, is_basic = int(foe["max_hp"]), row < classes
        plain, critical = chances[row, 1 : max_hp + 2], chances[row, max_hp + 2 : 2 * max_hp + 3]
        both = plain + critical
        hp = np.arange(max_hp + 1)
        one = _taken(both, 0 if is_basic else int(foe["kill_at"]))
        strikes = float(setup["strikes"])
        if not is_basic:
            strikes += strikes * float(critical.sum()) * bool(setup["double_tap"])
            harm = float(both[1:].sum())
            strikes += (1 - (1 - harm) ** int(setup["strikes"])) * int(setup["extra_limit"])
            whole = np.minimum(strikes * one * (1 + int(setup["bleed_ticks"]) / 2), hp)
        else:
            whole = one
        removal[row, : max_hp + 1, WHOLE] = whole
        removal[row, : max_hp + 1, ONE] = one
        criticals[row] = float(critical.sum()) * int(setup["strikes"])
    return removal.reshape(-1, classes, most + 1, 2), criticals.reshape(-1, classes)


def _taken(chances: NDArray[np.float64], kill_at: int) -> NDArray[np.float64]:
    """Mean HP that one strike takes from an enemy of each HP; `chances` by damage.

    What leaves the enemy at `kill_at` or less takes all that it has: sums up to there, and the rest's chance.
    """
    damage = np.arange(len(chances))
    below = np.concatenate([[0.0], np.cumsum(chances * damage)])  # damage of less than i
    at_least = np.concatenate([np.cumsum(chances[::-1])[::-1], [0.0]])
    felling = np.clip(damage - kill_at, 1, len(chances))
    return np.asarray(below[felling] + damage * at_least[felling], np.float64)


@njit(cache=True, nogil=True)
def mean_removed(
    setup: np.void,
    special: bool,
    removal: NDArray[np.float64],
    criticals: NDArray[np.float64],
    table: int,
    target: int,
    alive: int,
    living: NDArray[np.int64],
    hp: NDArray[np.int64],
    strike_class: NDArray[np.int64],
) -> float:
    """HP that one attempt takes on average from those who stand there, by what `removal_of` says."""
    area = setup["area"] != 0
    targets = min(alive, setup["area_limit"]) if area else 1
    reached = 0
    if special:
        reached = setup["cluster"] if setup["explosive"] != 0 else setup["ricochet"]
    total = 0.0
    for i in range(targets):
        foe = living[i] if area else target
        total += removal[table, strike_class[foe], hp[foe], WHOLE]
        if reached > 0:
            critical = criticals[table, strike_class[foe]]
            others = 0
            for j in range(alive):
                other = living[j]
                if other != foe and others < reached:
                    others += 1
                    total += critical * removal[table, strike_class[other], hp[other], ONE]
    return total
