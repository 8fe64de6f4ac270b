"""Attacks compiled and laid side by side: what the loadout kernel reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.kernel.arms import PLACE, Arms
from buildsearch.systems.vitality.kernel.compiling import compile_plan, lay_ground, row_chances
from buildsearch.systems.vitality.kernel.content import words_of
from buildsearch.systems.vitality.kernel.gating import activation_chance
from buildsearch.systems.vitality.kernel.loadouts.certain import fells_all_at_once
from buildsearch.systems.vitality.kernel.loadouts.worth import attack_worth
from buildsearch.systems.vitality.kernel.plan import WAITS_ALONE, Plan
from buildsearch.systems.vitality.rules.model import VitalityRules


class Arm(NamedTuple):
    """One attack compiled."""

    plan: Plan
    worth: NDArray[np.float64]
    criticals: NDArray[np.float64]
    activation: float
    fells_all_at_once: bool


def compile_arm(rules: VitalityRules, attack: Attack, attacker: Attacker, encounter: Encounter) -> Arm:
    """Compile one attack, and what it is worth to one who looks ahead."""
    build = Build((attack,))
    plan = compile_plan(rules, build, attacker, encounter, keeps_basic=True)
    if rules.rulings.unmet_limit == "archetype" and plan.setup["unmet_waits"][0]:
        plan.setup["unmet_waits"] = WAITS_ALONE
    ground = lay_ground(rules, build, attacker, encounter)
    chances = row_chances(rules, attacker, ground.rows)
    worth, criticals = attack_worth(plan, chances)
    activation = activation_chance(ground.special, attacker.tier)
    return Arm(plan, worth, criticals, activation, fells_all_at_once(plan, chances))


def make_arms(
    rules: VitalityRules, attacks: Sequence[Attack], attacker: Attacker, encounter: Encounter
) -> Arms:
    """Compile attacks and lay them side by side."""
    return lay_side_by_side([compile_arm(rules, attack, attacker, encounter) for attack in attacks])


def lay_side_by_side(arms: Sequence[Arm]) -> Arms:
    """Compiled attacks of one encounter, one or more, as the kernel reads them."""
    plans = [arm.plan for arm in arms]
    # Whose damage heals the attacker needs retaliation in full; then so has everybody beside it.
    fight = next((plan for plan in plans if plan.setup["leech"][0]), plans[0])
    tables: dict[str, list[NDArray[Any]]] = {
        "strikes": [plan.strikes.ravel() for plan in plans],
        "grid": [plan.grid.ravel() for plan in plans],
        "naturals": [plan.naturals.ravel() for plan in plans],
        "totals": [plan.totals.ravel() for plan in plans],
        "worth": [arm.worth.ravel() for arm in arms],
        "criticals": [arm.criticals for arm in arms],
    }
    places = np.zeros(len(plans), PLACE)
    for name, parts in tables.items():
        places[name] = np.cumsum([0, *map(len, parts)])[:-1]
    whole = {name: np.concatenate(parts) for name, parts in tables.items()}
    return Arms(
        fight=fight.setup,
        foes=fight.foes,
        retaliation=fight.retaliation,
        setups=np.concatenate([plan.setup for plan in plans]),
        places=places,
        contents=np.stack([words_of(plan.content) for plan in plans]),
        kill_at=np.stack([plan.foes["kill_at"] for plan in plans]),
        strikes=whole["strikes"],
        grids=whole["grid"],
        naturals=whole["naturals"],
        totals=whole["totals"],
        worth=whole["worth"],
        criticals=whole["criticals"],
        activation=np.array([arm.activation for arm in arms]),
    )
