"""Attacks of loadouts compiled: as one attack is, with what it is worth to one who looks a turn ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.kernel.arsenal import Arsenal, Plan, arsenal_of
from buildsearch.systems.vitality.kernel.compiling import compile_plan, lay_ground, row_chances
from buildsearch.systems.vitality.kernel.gating import activation_chance
from buildsearch.systems.vitality.kernel.loadouts.lookahead import removal_of
from buildsearch.systems.vitality.kernel.loadouts.sure_wins import fells_all_at_once
from buildsearch.systems.vitality.kernel.plan import WAITS_ALONE
from buildsearch.systems.vitality.rules.model import VitalityRules


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
    """Compile an attack that is one of several."""
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
    """Compile the attacks of a loadout."""
    return loadout_arsenal([compile_attack(rules, attack, attacker, encounter) for attack in attacks])
