"""Loadouts compiled: their attacks, and what looking a turn ahead asks about each: mean HP removed.

The twin of `best_play.policies`, which works each number out when it is asked for. Attacks that end a
fight on its first turn for sure are found too: the one value of areas that needs no fights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.kernel.compiling import compile_plan, lay_ground, row_chances
from buildsearch.systems.vitality.kernel.gating import activation_chance
from buildsearch.systems.vitality.kernel.plan import WAITS_ALONE, Arsenal, Plan, arsenal_of
from buildsearch.systems.vitality.mechanics.limits import NOT_ATTACKED
from buildsearch.systems.vitality.rules.model import VitalityRules

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


class LoadoutAttack(NamedTuple):
    """One attack compiled."""

    plan: Plan
    removal: NDArray[np.float64]
    criticals: NDArray[np.float64]
    activation: float
    fells_all_at_once: bool


def compile_attack(
    rules: VitalityRules, attack: Attack, attacker: Attacker, encounter: Encounter
) -> LoadoutAttack:
    build = Build((attack,))
    plan = compile_plan(rules, build, attacker, encounter, keeps_basic=True)
    if rules.rulings.unmet_limit == "archetype" and plan.setup["unmet_waits"][0]:
        plan.setup["unmet_waits"] = WAITS_ALONE
    ground = lay_ground(rules, build, attacker, encounter)
    chances = row_chances(rules, attacker, ground.rows)
    activation = activation_chance(ground.special, attacker.tier)
    return LoadoutAttack(plan, *removal_of(plan, chances), activation, fells_all_at_once(plan, chances))


def loadout_arsenal(attacks: Sequence[LoadoutAttack]) -> Arsenal:
    """Compiled attacks of one encounter, out of which loadouts are made."""
    arsenal = arsenal_of([attack.plan for attack in attacks])
    arsenal.places["removal"] = np.cumsum([0, *(len(attack.removal) for attack in attacks)])[:-1]
    return arsenal._replace(
        removal=np.concatenate([attack.removal for attack in attacks]),
        criticals=np.concatenate([attack.criticals for attack in attacks]),
        activation=np.array([attack.activation for attack in attacks]),
    )


def compile_attacks(
    rules: VitalityRules, attacks: Sequence[Attack], attacker: Attacker, encounter: Encounter
) -> Arsenal:
    return loadout_arsenal([compile_attack(rules, attack, attacker, encounter) for attack in attacks])
