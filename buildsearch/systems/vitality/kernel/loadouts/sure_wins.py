"""Attacks that end a fight on its first turn for sure: the one value of areas that needs no fights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.kernel.arsenal import Plan
from buildsearch.systems.vitality.mechanics.limits import NOT_ATTACKED

_NO_ROLL = 1 << 32


def fells_all_at_once(plan: Plan, chances: NDArray[np.float64]) -> bool:
    """Whether the attack can be made on turn 1 and its base strikes fell everybody, whatever is rolled.

    `chances` as for `removal_of`. False: not for sure, as far as base strikes show.
    """
    setup, foes = plan.setup[0], plan.foes
    reaches_all = len(foes) == 1 or (setup["area"] and setup["area_limit"] >= len(foes))
    if not (_usable_at_once(setup) and setup["waves"] == 1 and reaches_all):
        return False
    for foe in foes:
        row = chances[int(setup["classes"]) + int(foe["strike_class"])]
        damage = _least_damage(row, int(foe["max_hp"]))
        needed = int(foe["max_hp"]) - int(foe["kill_at"])
        # Under some rulings strikes after the first may be lost, or go at one enemy only.
        strikes = 1 if setup["strike_scope"] or setup["area_single"] else int(setup["strikes"])
        if damage == 0 or strikes * damage < needed:
            return False
    return True


def _usable_at_once(setup: np.void) -> bool:
    """Whether nothing stands in the way on turn 1, when nobody has done anything yet."""
    return bool(
        setup["activation"] >= _NO_ROLL
        and setup["first_turn"] <= 1 <= setup["last_turn"]
        and setup["uses"] != 0
        and setup["charge"] == 0
        and setup["hp_at_most"] >= setup["attacker_hp"]
        and (setup["hp_cost"] == 0 or setup["attacker_hp"] > setup["hp_cost"])
        and (setup["since_mask"] >> NOT_ATTACKED) & 1
        and not (setup["last_hit"] or setup["last_damage"] or setup["last_defeat"])
    )


def _least_damage(row: NDArray[np.float64], max_hp: int) -> int:
    """The least that a strike does, counted up to `max_hp`; 0 where it may miss."""
    if row[0] > 0:
        return 0
    hits = row[1 : max_hp + 2] + row[max_hp + 2 : 2 * max_hp + 3]
    return int(np.flatnonzero(hits)[0])
