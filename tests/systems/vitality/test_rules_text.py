"""Every number and relation of rules/vitality-v2.yaml against the rule text, typed a second time.

`+2t` is twice the tier, `-3` is flat; the three columns are accuracy, damage and condition. D marks what the
text calls "damage effects only".
"""

from __future__ import annotations

import pytest

from buildsearch.systems.vitality.builds.legality import Catalogue
from buildsearch.systems.vitality.rules.vocabulary import Amount, Modifiers

ENHANCEMENTS = """
upgrades Core Combat Upgrades
accurate_attack 1 +1t -1t -1t
power_attack 1 -1t +1t 0
reliable_accuracy 2 -3 0 0
overhit 2 0 0 0
high_impact 3 0 0 0 D
critical_effect 1 0 -3 0 D
armor_piercing 3 -1 0 0 D
brutal 2 0 0 0 D
upgrades Multi-Attack Upgrades
barrage 1 -2t -2t -2t
extra_attack 2 -1t -1t -1t
upgrades Critical Hit Upgrades
powerful_critical 2 0 0 0
ricochet 2 0 0 0
double_tap 3 0 0 0
explosive_critical 1 -1t 0 0
upgrades Damage Over Time Upgrades
bleed 3 0 -1t 0 D
upgrades Instant Defeat Upgrades
finishing_blow 3 0 0 0
culling_strike 3 0 0 0
splinter 3 -1t -1t 0
upgrades Enemy Type Bonuses
minion_slayer_acc 2 0 0 0
minion_slayer_dmg 2 0 0 0 D
minion_slayer_cond 2 0 0 0 C
captain_slayer_acc 2 0 0 0
captain_slayer_dmg 2 0 0 0 D
captain_slayer_cond 2 0 0 0 C
elite_slayer_acc 2 0 0 0
elite_slayer_dmg 2 0 0 0 D
elite_slayer_cond 2 0 0 0 C
boss_slayer_acc 2 0 0 0
boss_slayer_dmg 2 0 0 0 D
boss_slayer_cond 2 0 0 0 C
upgrades Sustained Attack Upgrades
channeled 1 -2t -2t -2t
limits Random Activation Limits
unreliable_1 1 +1t +1t +1t
unreliable_2 1 +2t +2t +2t
unreliable_3 1 +5t +5t +5t
limits Turn-Based Limits
quickdraw 1 +4t +4t +4t
patient 2 +1t +1t +1t
finale 1 +2t +2t +2t
charge_up 1 +2t +2t +2t
charge_up_2 2 +4t +4t +4t
cooldown 1 +2t +2t +2t
limits HP-Based Limits
timid 1 +3t +3t +3t
near_death 2 +2t +2t +2t
bloodied 1 +1t +1t +1t
charges_1 1 +6t +6t +6t
charges_2 1 +2t +2t +2t
limits Conditional Limits
vengeful 3 +2t +2t +2t
revenge 2 +2t +2t +2t
unbreakable 1 +4t +4t +4t
untouchable 2 +2t +2t +2t
passive 1 +1t +1t +1t
careful 3 +2t +2t +2t
limits Sequential Action Limits
combo_move 1 +1t +1t +1t
relentless 2 +1t +1t +1t
slaughter 1 +4t +4t +4t
"""

MECHANICS = {
    "reliable_accuracy": {"accuracy_dice": 2},
    "overhit": {"overhit": {"margin": 15, "per": 2}},
    "high_impact": {"flat_damage": {"flat": 15}},
    "critical_effect": {"explode_on": 5},
    "armor_piercing": {"ignore_endurance": True},
    "brutal": {"brutal": {"threshold": 20, "per": 2}},
    "barrage": {"strikes": 3},
    "extra_attack": {"extra_attack": {"per_turn": 1}},
    "powerful_critical": {
        "critical_range": 15,
        "critical_bonus": {"damage": {"tier": 1}, "condition": {"tier": 1}},
    },
    "ricochet": {"critical_range": 15, "ricochet": {"targets": 2}},
    "double_tap": {"critical_range": 15, "double_tap": True},
    "explosive_critical": {"critical_range": 15, "explosive_critical": True},
    "bleed": {"bleed": True},
    "finishing_blow": {"finishing_blow": {"hp_at_most": 10}},
    "culling_strike": {"culling_strike": {"one_in": 5}},
    "splinter": {"splinter": {"tier_divisor": 2}},
    "channeled": {"channel": {"step": 1, "cap": 5}},
    **{
        f"{kind}_slayer_{short}": {"slayer": {"max_hp": hp, roll: {"tier": 1}}}
        for kind, hp in (("minion", 10), ("captain", 25), ("elite", 50), ("boss", 100))
        for short, roll in (("acc", "accuracy"), ("dmg", "damage"), ("cond", "condition"))
    },
}

CONDITIONS = {
    "unreliable_1": {"activation_roll": 5},
    "unreliable_2": {"activation_roll": 10},
    "unreliable_3": {"activation_roll": 15},
    "quickdraw": {"turn": {"last": 1}},
    "patient": {"turn": {"first": 4}},
    "finale": {"turn": {"first": 7}},
    "charge_up": {"charge": 1},
    "charge_up_2": {"charge": 2},
    "cooldown": {"cooldown": 3},
    "timid": {"hp_full": True},
    "near_death": {"hp_at_most": 25},
    "bloodied": {"hp_at_most": 50},
    "charges_1": {"uses": 1},
    "charges_2": {"uses": 2},
    "vengeful": {"since_last_turn": "hit"},
    "revenge": {"since_last_turn": "damaged"},
    "unbreakable": {"since_last_turn": "hit_unharmed"},
    "untouchable": {"since_last_turn": "all_missed"},
    "passive": {"no_attack_last_turn": True},
    "careful": {"since_last_turn": "not_damaged"},
    "combo_move": {"last_turn": "hit_target"},
    "relentless": {"last_turn": "dealt_damage"},
    "slaughter": {"last_turn": "defeated_enemy"},
}

# Entry by entry, as each entry's own restrictions have it: the text does not always name both sides.
CANNOT_BE_PAIRED = {
    "powerful_critical": "explosive_critical",
    "ricochet": "double_tap explosive_critical",
    "double_tap": "explosive_critical ricochet",
    "explosive_critical": "double_tap powerful_critical ricochet",
    "unreliable_1": "unreliable_2 unreliable_3",
    "unreliable_2": "unreliable_1 unreliable_3",
    "unreliable_3": "unreliable_1 unreliable_2",
    "quickdraw": "patient finale cooldown timid careful passive charges_1 charges_2 combo_move relentless "
    "slaughter",
    "patient": "quickdraw finale cooldown",
    "finale": "quickdraw patient cooldown",
    "charge_up": "charge_up_2",
    "charge_up_2": "charge_up",
    "cooldown": "quickdraw patient finale charges_1 charges_2",
    "timid": "near_death bloodied quickdraw",
    "near_death": "timid bloodied",
    "bloodied": "timid near_death",
    "charges_1": "charges_2 cooldown",
    "charges_2": "charges_1 cooldown",
    "vengeful": "revenge untouchable unbreakable careful",
    "revenge": "vengeful untouchable unbreakable careful",
    "unbreakable": "revenge vengeful untouchable careful",
    "untouchable": "revenge vengeful unbreakable careful",
    "passive": "quickdraw",
    "careful": "timid quickdraw revenge vengeful untouchable unbreakable",
    "combo_move": "slaughter relentless",
    "relentless": "slaughter combo_move",
    "slaughter": "relentless combo_move",
}

NOT_ON_DIRECT = (
    "power_attack accurate_attack reliable_accuracy overhit minion_slayer_acc captain_slayer_acc "
    "elite_slayer_acc boss_slayer_acc high_impact critical_effect powerful_critical explosive_critical "
    "double_tap ricochet splinter armor_piercing combo_move"
)
NOT_ON_AREAS = {"double_tap", "explosive_critical", "ricochet", "splinter"}

TYPES = {
    "melee_ac": {"modifiers": {"accuracy": {"tier": 1}}},
    "melee_dg": {"modifiers": {"damage": {"tier": 1}, "condition": {"tier": 1}}},
    "ranged": {"adjacent_modifiers": {"accuracy": {"tier": -1}}},
    "area": {
        "modifiers": {"accuracy": {"tier": -1}},
        "area": True,
        "shapes": ("burst", "cone", "line"),
        "cost_factor": 2,
    },
    "direct_damage": {"auto_hit": True, "flat_damage": {"flat": 12}, "effects": ("damage",)},
    "direct_area_damage": {
        "area": True,
        "shapes": ("burst", "cone", "line"),
        "auto_hit": True,
        "flat_damage": {"flat": 12, "tier": -1},
        "cost_factor": 2,
        "effects": ("damage",),
    },
}

# Tier: focused, dual natured, versatile master.
BUDGETS = {3: (6, 4, 2), 4: (8, 6, 4), 5: (10, 8, 6)}


def _amount(text):
    return Amount(tier=int(text[:-1])) if text.endswith("t") else Amount(flat=int(text))


def _table():
    kind = section = ""
    for line in ENHANCEMENTS.split("\n"):
        words = line.split()
        if not words:
            continue
        if words[0] in ("upgrades", "limits"):
            kind, _, section = line.partition(" ")
            continue
        name, cost, accuracy, damage, condition, *only = words
        modifiers = Modifiers(
            accuracy=_amount(accuracy), damage=_amount(damage), condition=_amount(condition)
        )
        effects = {"": ("damage", "condition"), "D": ("damage",), "C": ("condition",)}["".join(only)]
        yield name, kind, section, int(cost), modifiers, effects


def _shown(model):
    """What an entry says beyond the defaults, without the words for people."""
    return model.model_dump(exclude_defaults=True, exclude={"name", "section", "reach"})


@pytest.mark.parametrize("row", list(_table()), ids=lambda row: row[0])
def test_each_enhancement_has_the_numbers_of_the_text(row, v2_rules):
    name, kind, section, cost, modifiers, effects = row
    entry = getattr(v2_rules, kind)[name]
    assert (entry.section, entry.cost, entry.modifiers) == (section, cost, modifiers)
    assert set(entry.effects) == set(effects)
    assert _shown(entry.mechanics) == MECHANICS.get(name, {})
    assert _shown(entry.conditions) == CONDITIONS.get(name, {})
    short = {"acc": "Accuracy", "dmg": "Damage", "cond": "Conditions"}
    words = name.split("_")
    title = f"{' '.join(words[:-1])} ({short[words[-1]]})" if words[-1] in short else " ".join(words)
    assert entry.name.lower() == title.lower()


def test_there_is_no_enhancement_that_the_text_lacks(v2_rules):
    assert list(v2_rules.enhancements) == [row[0] for row in _table()]


def _slayers(v2_rules):
    return [name for name in v2_rules.enhancements if "_slayer_" in name]


def test_every_exclusion_of_the_text_holds_both_ways_and_no_other_exists(v2_rules):
    stated = {frozenset((one, other)) for one, others in CANNOT_BE_PAIRED.items() for other in others.split()}
    slayers = _slayers(v2_rules)
    assert len(slayers) == 12
    stated |= {frozenset((one, other)) for one in slayers for other in slayers if one != other}
    assert set(Catalogue(v2_rules).exclusion_sections) == stated


def test_every_restriction_of_the_text_holds_and_no_other_exists(v2_rules):
    # `extra_attack` stands not in the list but among its own restrictions.
    direct = {*NOT_ON_DIRECT.split(), "extra_attack"}
    bans = {("direct_damage", name) for name in direct}
    bans |= {("direct_area_damage", name) for name in direct | NOT_ON_AREAS}
    bans |= {("area", name) for name in NOT_ON_AREAS}
    assert set(Catalogue(v2_rules).ban_sections) == bans


def test_attack_types(v2_rules):
    assert {name: _shown(entry) for name, entry in v2_rules.attack_types.items()} == TYPES
    assert list(v2_rules.attack_types) == list(TYPES)


def test_budgets_and_attacks(v2_rules):
    assert v2_rules.tiers == (3, 4, 5)
    archetypes = v2_rules.archetypes
    assert list(archetypes) == ["focused", "dual_natured", "versatile_master"]
    assert [archetype.attacks for archetype in archetypes.values()] == [1, 2, 3]
    for tier, budgets in BUDGETS.items():
        assert tuple(archetype.budgets[tier] for archetype in archetypes.values()) == budgets


def test_characters_dice_and_criticals(v2_rules):
    character, rolls = v2_rules.character, v2_rules.rolls
    assert character.hp == 100
    assert set(character.stats.model_dump().values()) == {2}
    assert character.avoidance == character.resistance == Amount(flat=10, tier=1)
    assert character.durability == Amount(flat=5, tier=1)
    assert rolls.accuracy == rolls.condition
    assert (rolls.accuracy.sides, rolls.accuracy.bonus) == (20, Amount(tier=1))
    damage = rolls.damage
    assert (damage.count, damage.sides, damage.explode_on, damage.bonus) == (3, 6, 6, Amount(tier=1))
    assert rolls.activation.sides == 20
    assert v2_rules.critical.range == 20
    assert v2_rules.critical.bonus == Modifiers(damage=Amount(tier=1))
    assert v2_rules.retaliation.type == "ranged"
    assert v2_rules.max_turns == 100


def test_the_rulings_are_the_readings_of_the_specification(v2_rules):
    assert v2_rules.rulings.model_dump() == {
        "target": "first",
        "retaliation_cap": 2,
        "attacker_defeat": "ignore",
        "unmet_limit": "basic",
        "limit_scope": "action",
        "failed_activation": "none",
        "channel_cap": "net",
        "natural_max_hits": False,
        "natural_min_misses": False,
        "flat_damage": "dice",
        "brutal": "margin",
        "bleed_tick": "end",
        "bleed_overlap": "ignore",
        "bleed_ticks": 1,
        "area_strikes": "repeat",
        "barrage_triggers": "every",
        "area_extra_attack": "area",
        "triggered_defeats": "splinter",
    }


def test_splinter_rounds_half_the_tier_up(v2_rules):
    splinter = v2_rules.upgrades["splinter"].mechanics.splinter
    assert [splinter.limit_at(tier) for tier in v2_rules.tiers] == [2, 2, 3]
