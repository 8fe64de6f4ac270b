"""Tiny rules, and what the tests of the exact engine share."""

from functools import cache
from pathlib import Path

import numpy as np
import yaml

from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.settings import read_settings

ROOT = next(folder for folder in Path(__file__).parents if (folder / "pyproject.toml").exists())
_NUMBERS = {
    "patient": ("conditions", {"turn": {"from": 2}}),
    "finale": ("conditions", {"turn": {"from": 3}}),
    "cooldown": ("conditions", {"cooldown": 2}),
    "near_death": ("conditions", {"hp_at_most": 2}),
    "bloodied": ("conditions", {"hp_at_most": 3}),
    "unreliable_1": ("conditions", {"activation_roll": 2}),
    "unreliable_2": ("conditions", {"activation_roll": 3}),
    "unreliable_3": ("conditions", {"activation_roll": 4}),
    "overhit": ("mechanics", {"overhit": {"margin": 3, "per": 2}}),
    "high_impact": ("mechanics", {"flat_damage": {"flat": 2}}),
    "critical_effect": ("mechanics", {"explode_on": 9}),
    "brutal": ("mechanics", {"brutal": {"threshold": 2, "per": 2}}),
    "finishing_blow": ("mechanics", {"finishing_blow": {"hp_at_most": 1}}),
    "culling_strike": ("mechanics", {"culling_strike": {"one_in": 2}}),
    "barrage": ("modifiers", {"accuracy": {"tier": -1}}),
    "channeled": ("modifiers", {"accuracy": {"tier": -1}, "damage": {"tier": -1}}),
    "double_tap": ("mechanics", {"critical_range": 2, "double_tap": True}),
    "powerful_critical": ("mechanics", {"critical_range": 2, "critical_bonus": {"damage": {"tier": 1}}}),
    "ricochet": ("mechanics", {"critical_range": 2, "ricochet": {"targets": 2}}),
    "explosive_critical": ("mechanics", {"critical_range": 2, "explosive_critical": True}),
}


# What version 1 has besides or otherwise.
_OLDER_NUMBERS = {
    "culling_strike": ("mechanics", {"culling_strike": {"one_in": 2, "inclusive": True}}),
    "finishing_blow_1": ("mechanics", {"finishing_blow": {"hp_at_most": 1}}),
    "finishing_blow_2": ("mechanics", {"finishing_blow": {"hp_at_most": 2}}),
    "finishing_blow_3": ("mechanics", {"finishing_blow": {"hp_at_most": 3}}),
    "barrage": ("modifiers", {"accuracy": {"tier": -1}}),
    "quick_strikes": ("modifiers", {"accuracy": {"tier": -1}}),
    "critical_accuracy": ("mechanics", {"critical_range": 2}),
    "ricochet": ("mechanics", {"critical_range": 2, "ricochet": {"targets": 1}}),
    "critical_effect": ("modifiers", {}),
    "attrition": ("conditions", {"hp_cost": 2}),
}


def tiny_rules(edition="vitality-v2", **rulings):
    """An edition with three-sided accuracy dice, one two-sided damage die, and numbers to match."""
    return _tiny_rules(edition, tuple(rulings.items()))


@cache
def _tiny_rules(edition, rulings):
    return VitalityRules.model_validate(_tiny(edition, rulings))


def splintering_rules(divisor, **rulings):
    """Tiny rules with as many Splinters a turn as the tier by this; triggers cost no accuracy."""
    raw = _tiny("vitality-v2", tuple(rulings.items()))
    for name in ("splinter", "explosive_critical", "ricochet", "barrage"):
        raw["upgrades"][name]["modifiers"] = {}
    raw["upgrades"]["splinter"]["mechanics"]["splinter"]["tier_divisor"] = divisor
    return VitalityRules.model_validate(raw)


def _tiny(edition, rulings):
    raw = yaml.safe_load((ROOT / "rules" / f"{edition}.yaml").read_text(encoding="utf-8"))
    raw["tiers"] = [1]
    raw["archetypes"] = {"any": {"name": "Any", "attacks": 1, "budgets": {1: 8}}}
    raw["character"] = {
        "hp": 6,
        "stats": dict.fromkeys(("focus", "power", "mobility", "endurance", "secondary"), 1),
        "avoidance": {"flat": 2, "tier": 1},
        "durability": {"flat": 1, "tier": 1},
        "resistance": {"flat": 2, "tier": 1},
    }
    raw["rolls"] = {
        "accuracy": {"sides": 3, "bonus": {"tier": 1}},
        "damage": {"count": 1, "sides": 2, "explode_on": 9, "bonus": {"tier": 1}},
        "condition": {"sides": 4, "bonus": {"tier": 1}},
        "activation": {"sides": 4},
    }
    raw["critical"] = {"range": 3, "bonus": {"damage": {"tier": 1}}}
    raw["attack_types"]["direct_damage"]["flat_damage"] = {"flat": 3}
    raw["attack_types"]["direct_area_damage"]["flat_damage"] = {"flat": 4, "tier": -1}
    numbers = _NUMBERS if edition == "vitality-v2" else _NUMBERS | _OLDER_NUMBERS
    for name, (part, value) in numbers.items():
        section = raw["upgrades" if name in raw["upgrades"] else "limits"]
        if name in section:
            section[name][part] = value
    for kind, hp in (("minion", 3), ("captain", 4), ("elite", 5), ("boss", 7)):
        for roll in ("acc", "dmg", "cond"):
            raw["upgrades"][f"{kind}_slayer_{roll}"]["mechanics"]["slayer"]["max_hp"] = hp
    raw["rulings"].update(rulings)
    return raw


def tiny_attacker(rules):
    return Attacker(tier=1, stats=rules.character.stats, hp=rules.character.hp)


def tiny_encounter(rules, *waves, max_turns=5, strong=False):
    """Enemies by HP; with `strong` every second one strikes harder."""
    stats = rules.character.stats
    other = stats.model_copy(update={"focus": 2, "power": 2})
    return Encounter(
        name="tiny",
        waves=tuple(
            tuple(Foe(f"foe{hp}", hp, other if strong and i % 2 else stats) for i, hp in enumerate(wave))
            for wave in waves
        ),
        max_turns=max_turns,
        area_targets={"cone": 2},
    )


def tiny_builds(rules, number, seed, **parameters):
    """Random legal builds."""
    space = VitalitySpace(rules, read_settings(rules, {"budget": "8", **parameters}))
    return space.sample(Wanted(), number, np.random.default_rng(seed))


def build_of(rules, text):
    """`melee_dg+bleed` as an object."""
    head, *enhancements = text.split("+")
    head, _, effect = head.partition(":")
    kind, _, shape = head.partition("[")
    order = list(rules.enhancements)
    known = tuple(sorted(enhancements, key=order.index))
    return Build((Attack(kind, known, effect or "damage", shape.rstrip("]") or None),))


@cache
def v2_rules():
    return VitalityRules.model_validate(
        yaml.safe_load((ROOT / "rules" / "vitality-v2.yaml").read_text(encoding="utf-8"))
    )


def _stats(text):
    names = ("focus", "power", "mobility", "endurance")
    given = dict(zip(names, map(int, text.split(",")), strict=True))
    return v2_rules().character.stats.model_copy(update=given)


def scene(tier, enemies, attacker="2,2,2,2", enemy="2,2,2,2", waves=None, max_turns=100):
    """An attacker and an encounter of version 2."""
    lists = waves or [[int(hp) for hp in str(enemies).split(",")]]
    stats = _stats(enemy)
    encounter = Encounter(
        name="scene",
        waves=tuple(tuple(Foe(f"foe{hp}", hp, stats) for hp in wave) for wave in lists),
        max_turns=max_turns,
        area_targets={},
    )
    return Attacker(tier=tier, stats=_stats(attacker), hp=100), encounter
