"""What an attack is worth to one who looks a turn ahead: mean HP that it takes, by HP of its target.

The twin of `best_play.lookahead`, which works each number out when it is asked for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.kernel.plan import Plan

WHOLE, ONE = range(2)  # a whole attempt at its target; one strike


def attack_worth(plan: Plan, chances: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By row of tables, HP and (`WHOLE`, `ONE`); and by row the mean number of critical base strikes.

    `chances` has a row for each class and level, the basic attack's first, in the order of `fill_outcomes`.
    """
    setup = plan.setup[0]
    classes, foes = int(setup["classes"]), plan.foes
    most = int(foes["max_hp"].max())
    worth = np.zeros((len(chances), most + 1, 2))
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
        worth[row, : max_hp + 1, WHOLE] = whole
        worth[row, : max_hp + 1, ONE] = one
        criticals[row] = float(critical.sum()) * int(setup["strikes"])
    return worth, criticals


def _taken(chances: NDArray[np.float64], kill_at: int) -> NDArray[np.float64]:
    """Mean HP that one strike takes from an enemy of each HP; `chances` by damage.

    What leaves the enemy at `kill_at` or less takes all that it has: sums up to there, and the rest's chance.
    """
    damage = np.arange(len(chances))
    below = np.concatenate([[0.0], np.cumsum(chances * damage)])  # damage of less than i
    at_least = np.concatenate([np.cumsum(chances[::-1])[::-1], [0.0]])
    felling = np.clip(damage - kill_at, 1, len(chances))
    return np.asarray(below[felling] + damage * at_least[felling], np.float64)
