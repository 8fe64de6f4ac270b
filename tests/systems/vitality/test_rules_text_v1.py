"""Every number and relation of rules/vitality-v1.yaml against its text, typed a second time.

`+2t` is twice the tier, `-3` is flat; the three columns are accuracy, damage and condition. D and C mark what
is for damage builds or for condition builds only.
"""

from __future__ import annotations

import pytest

from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.builds.legality import Catalogue
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.rules.settings import read_settings
from tests import v1, v2
from tests.systems.vitality.test_rules_text import _amount, _shown

ENHANCEMENTS = """
power_attack 1 -1t +1t 0
high_impact 2 0 0 0
critical_effect 1 0 -2 0
armor_piercing 3 0 0 0
brutal 2 0 0 0
accurate_attack 1 +1t -1t 0
quick_strikes 2 -1t -1t 0
extra_attack 3 0 0 0
barrage 2 -1t -1t 0
bleed 3 0 0 0
critical_accuracy 1 0 0 0
powerful_critical 2 0 0 0
double_tap 3 0 0 0
explosive_critical 3 0 0 0
reliable_accuracy 1 -3 0 0
overhit 2 0 0 0
culling_strike 1 0 0 0
splinter 4 0 0 0
finishing_blow_1 1 0 0 0
finishing_blow_2 2 0 0 0
finishing_blow_3 4 0 0 0
minion_slayer_acc 1 0 0 0
minion_slayer_dmg 1 0 0 0 D
minion_slayer_cond 1 0 0 0 C
captain_slayer_acc 1 0 0 0
captain_slayer_dmg 1 0 0 0 D
captain_slayer_cond 1 0 0 0 C
elite_slayer_acc 1 0 0 0
elite_slayer_dmg 1 0 0 0 D
elite_slayer_cond 1 0 0 0 C
boss_slayer_acc 1 0 0 0
boss_slayer_dmg 1 0 0 0 D
boss_slayer_cond 1 0 0 0 C
ricochet 1 0 0 0
channeled 2 -2t -2t -2t
leech 3 -1t -1t -1t
unreliable_1 2 +1t +1t 0
unreliable_2 3 +3t +3t 0
unreliable_3 2 +6t +6t 0
quickdraw 2 +3t +3t 0
patient 4 +1t +1t 0
finale 4 +2t +2t 0
charge_up 4 +3t +3t 0
charge_up_2 4 +5t +5t 0
cooldown 1 +3t +3t 0
charges_1 1 +5t +5t +5t
charges_2 2 +2t +2t +2t
near_death 3 +2t +2t +2t
bloodied 3 +1t +1t +1t
timid 1 +2t +2t +2t
attrition 2 +2t +2t +2t
slaughter 2 +5t +5t +5t
relentless 4 +2t +2t +2t
combo_move 4 +1t +1t +1t
revenge 3 +1t +1t +1t
vengeful 4 +1t +1t +1t
untouchable 2 +2t +2t +2t
unbreakable 1 +4t +4t +4t
passive 2 +2t +2t +2t
careful 3 +2t +2t +2t
"""
ROWS = {line.split()[0]: line.split()[1:] for line in ENHANCEMENTS.strip().splitlines()}

MECHANICS = {
    "high_impact": {"flat_damage": {"flat": 15}},
    "critical_effect": {"explode_on": 5},
    "armor_piercing": {"ignore_endurance": True},
    "brutal": {"brutal": {"threshold": 10, "per": 2}},
    "quick_strikes": {"strikes": 2},
    "extra_attack": {"extra_attack": {"per_turn": 1}},
    "barrage": {"chain": {"strikes": 3}},
    "bleed": {"bleed": True},
    "critical_accuracy": {"critical_range": 15},
    "powerful_critical": {
        "critical_range": 15,
        "critical_bonus": {"damage": {"tier": 1}, "condition": {"tier": 1}},
    },
    "double_tap": {"critical_range": 15, "double_tap": True},
    "explosive_critical": {"critical_range": 15, "explosive_critical": True},
    "reliable_accuracy": {"accuracy_dice": 2},
    "overhit": {"overhit": {"margin": 5, "per": 2}},
    "culling_strike": {"culling_strike": {"one_in": 5, "inclusive": True}},
    "splinter": {"splinter": {"tier_divisor": 2}},
    "finishing_blow_1": {"finishing_blow": {"hp_at_most": 5}},
    "finishing_blow_2": {"finishing_blow": {"hp_at_most": 10}},
    "finishing_blow_3": {"finishing_blow": {"hp_at_most": 15}},
    "ricochet": {"critical_range": 15, "ricochet": {"targets": 1}},
    "channeled": {"channel": {"step": 1, "cap": 5}},
    "leech": {"leech": {"per": 2}},
    **{
        f"{kind}_slayer_{short}": {"slayer": {"max_hp": hp, "match": "at_most", roll: {"tier": 1}}}
        for kind, hp in (("minion", 10), ("captain", 25), ("elite", 50), ("boss", 100))
        for short, roll in (("acc", "accuracy"), ("dmg", "damage"), ("cond", "condition"))
    },
}

CONDITIONS = {
    "unreliable_1": {"activation_roll": 5},
    "unreliable_2": {"activation_roll": 10},
    "unreliable_3": {"activation_roll": 15},
    "quickdraw": {"turn": {"last": 1}},
    "patient": {"turn": {"first": 5}},
    "finale": {"turn": {"first": 8}},
    "charge_up": {"charge": 1},
    "charge_up_2": {"charge": 2},
    "cooldown": {"cooldown": 3},
    "charges_1": {"uses": 1},
    "charges_2": {"uses": 2},
    "near_death": {"hp_at_most": 25},
    "bloodied": {"hp_at_most": 50},
    "timid": {"hp_full": True},
    "attrition": {"hp_cost": 20},
    "slaughter": {"last_turn": "defeated_enemy"},
    "relentless": {"last_turn": "dealt_damage"},
    "combo_move": {"last_turn": "hit_target"},
    "revenge": {"since_last_turn": "damaged"},
    "vengeful": {"since_last_turn": "hit"},
    "untouchable": {"since_last_turn": "all_missed"},
    "unbreakable": {"since_last_turn": "hit_unharmed"},
    "passive": {"since_last_turn": "not_attacked"},
    "careful": {"since_last_turn": "not_damaged"},
}

ONE_OF = [
    "finishing_blow_1 finishing_blow_2 finishing_blow_3",
    "near_death bloodied timid",
    "slaughter relentless combo_move",
    "revenge vengeful untouchable unbreakable passive careful",
    "ricochet double_tap",
    "ricochet powerful_critical",
    "ricochet explosive_critical",
]
NOT_ON_AREAS = ["quick_strikes", "barrage", "finishing_blow_1", "finishing_blow_2", "finishing_blow_3"]

AREA = {"area": True, "shapes": ("burst", "cone", "line"), "cost_factor": 2}
DIRECT = {"auto_hit": True, "effects": ("damage",)}
TYPES = {
    "melee_ac": {"modifiers": {"accuracy": {"tier": 1}}},
    "melee_dg": {"modifiers": {"damage": {"tier": 1}}},
    "ranged": {"adjacent_modifiers": {"accuracy": {"tier": -1}}},
    "area": {"modifiers": {"accuracy": {"tier": -1}, "damage": {"tier": -1}}, **AREA},
    "direct_damage": {"flat_damage": {"flat": 15, "tier": -1}, **DIRECT},
    "direct_area_damage": {"flat_damage": {"flat": 15, "tier": -2}, **AREA, **DIRECT},
}


@pytest.mark.parametrize("name", ROWS)
def test_each_enhancement_has_the_numbers_of_the_text(name):
    entry = v1.rules().enhancements[name]
    cost, accuracy, damage, condition, *only = ROWS[name]
    assert entry.cost == int(cost)
    assert (entry.modifiers.accuracy, entry.modifiers.damage) == (_amount(accuracy), _amount(damage))
    assert entry.modifiers.condition == _amount(condition)
    assert set(entry.effects) == {"D": {"damage"}, "C": {"condition"}}.get(
        "".join(only), {"damage", "condition"}
    )
    assert _shown(entry.mechanics) == MECHANICS.get(name, {})
    assert _shown(entry.conditions) == CONDITIONS.get(name, {})


def test_relations_and_types():
    rules, known = v1.rules(), Catalogue(v1.rules())
    assert list(rules.enhancements) == list(ROWS)
    stated = {
        frozenset((one, other))
        for group in ONE_OF
        for one in group.split()
        for other in group.split()
        if one != other
    }
    assert set(known.exclusion_sections) == stated
    assert set(known.ban_sections) == {
        (kind, name) for kind in ("area", "direct_area_damage") for name in NOT_ON_AREAS
    }
    assert {name: _shown(entry) for name, entry in rules.attack_types.items()} == TYPES


def test_frame():
    older, newer = v1.rules(), v2.rules()
    for part in ("tiers", "max_turns", "character", "rolls", "critical", "retaliation", "default_scenarios"):
        assert getattr(older, part) == getattr(newer, part)
    assert [each.attacks for each in older.archetypes.values()] == [1, 2, 5]
    assert [each.budgets for each in older.archetypes.values()] == [
        {3: 6, 4: 8, 5: 10},
        {3: 4, 4: 6, 5: 8},
        {3: 2, 4: 4, 5: 6},
    ]
    differ = {
        name: value
        for name, value in older.rulings.model_dump().items()
        if value != getattr(newer.rulings, name)
    }
    assert differ == {
        "brutal": "excess",
        "bleed_tick": "start",
        "bleed_overlap": "replace",
        "bleed_ticks": 2,
    }


def _counts(effect, area, budget):
    """How many subsets cost so much: a product of polynomials, one for each group of options."""
    ricochet = ("ricochet", "double_tap", "powerful_critical", "explosive_critical")
    other = {"damage": "C", "condition": "D"}[effect]
    costs = {
        name: int(row[0])
        for name, row in ROWS.items()
        if row[-1] != other and not (area and name in NOT_ON_AREAS)
    }
    at_most_one = [[name for name in group.split() if name in costs] for group in ONE_OF[:4]]
    grouped = {*ricochet, *(name for group in at_most_one for name in group)}
    alone = [name for name in costs if name not in grouped]

    def polynomial(terms):
        return [sum(term == power for term in terms) for power in range(budget + 1)]

    def times(one, other):
        return [sum(one[i] * other[n - i] for i in range(n + 1)) for n in range(budget + 1)]

    total = polynomial([0])
    for names in [*at_most_one, *([name] for name in alone)]:
        total = times(total, polynomial([0, *(costs[name] for name in names)]))
    pair_off = polynomial([0])
    for name in ricochet[1:]:
        pair_off = times(pair_off, polynomial([0, costs[name]]))
    with_ricochet = polynomial([costs["ricochet"]])
    return sum(times(total, [a + b for a, b in zip(pair_off, with_ricochet, strict=True)]))


@pytest.mark.parametrize("effect", ["damage", "condition"])
@pytest.mark.parametrize("budget", [0, 1, 2, 3, 4, 6])
def test_counts_of_legal_builds(budget, effect):
    space = VitalitySpace(v1.rules(), read_settings(v1.rules(), {"budget": str(budget), "effect": effect}))
    single, area = _counts(effect, False, budget), _counts(effect, True, budget // 2)
    types = 4, 2
    if effect == "condition":
        types = 3, 1
    assert sum(space.count(Wanted()).values()) == types[0] * single + types[1] * area
    if (budget, effect) == (2, "damage"):
        assert types[0] * single + types[1] * area == 948
