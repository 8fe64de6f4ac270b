from __future__ import annotations

import pytest

from buildsearch.systems.vitality.rules.describe import describe_options, say_amount, say_modifiers
from buildsearch.systems.vitality.rules.model import Enhancement, VitalityRules
from buildsearch.systems.vitality.rules.vocabulary import (
    Amount,
    Conditions,
    LastTurn,
    Mechanics,
    Modifiers,
    SinceLastTurn,
)


@pytest.fixture
def described(v2_rules):
    return {option.id: option for option in describe_options(v2_rules)}


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (Amount(), "+0"),
        (Amount(flat=-3), "-3"),
        (Amount(tier=1), "+tier"),
        (Amount(tier=-2), "-2 x tier"),
        (Amount(flat=12, tier=-1), "+12 - tier"),
        (Amount(flat=-1, tier=3), "-1 + 3 x tier"),
    ],
)
def test_amounts(amount, said):
    assert say_amount(amount) == said


def test_equal_modifiers_are_said_together():
    modifiers = Modifiers(accuracy=Amount(tier=2), damage=Amount(tier=2), condition=Amount(tier=2))
    assert say_modifiers(modifiers) == "+2 x tier accuracy, damage and condition"
    assert say_modifiers(Modifiers()) == ""


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("bleed", "-tier damage; the damage is dealt again, once"),
        ("power_attack", "-tier accuracy, +tier damage"),
        ("brutal", "damage 20 or more above durability adds 1 per 2 points of all that exceeds it"),
        ("quickdraw", "+4 x tier accuracy, damage and condition; usable up to turn 1"),
        ("charge_up_2", "+4 x tier accuracy, damage and condition; usable after 2 turns spent charging"),
        ("direct_area_damage", "flat 12 - tier instead of 3d6"),
        ("splinter", "(a turn: 2 at tier 3, 2 at tier 4, 3 at tier 5)"),
    ],
)
def test_summaries(name, summary, described):
    assert summary in described[name].summary


def test_facts_of_an_option(described):
    facts = dict(described["near_death"].facts)
    assert facts["In numbers"].startswith("tier 3: +6 accuracy, +6 damage, +6 condition; tier 4: +8")
    assert facts["Usable"] == "at 25 HP or less"
    assert facts["Not with"] == "timid, bloodied"
    assert "Effects" not in facts
    assert dict(described["bleed"].facts)["Effects"] == "damage only"
    assert dict(described["ricochet"].facts)["Not on"] == "direct_damage, direct_area_damage, area"
    assert dict(described["area"].facts)["Shapes"] == "burst, cone, line"
    assert described["bleed"].cost == 3
    assert described["area"].cost is None


def test_exclusions_are_told_on_both_sides(described):
    not_with = {
        name: set(dict(option.facts).get("Not with", "").split(", ")) for name, option in described.items()
    }
    for name, others in not_with.items():
        for other in others - {""}:
            assert name in not_with[other]


def with_upgrade(rules, **parts):
    entry = Enhancement(name="New", section="Mine", cost=1, **parts)
    changed = rules.model_copy(update={"upgrades": {"new": entry}, "limits": {}, "exclusions": ()})
    changed = changed.model_copy(update={"restrictions": ()})
    assert isinstance(changed, VitalityRules)
    return next(option for option in describe_options(changed) if option.id == "new").summary


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ({"turn": {"from": 2, "to": 4}}, "from turn 2 to turn 4"),
        ({"uses": 3}, "3 times a fight"),
        ({"charge": 1}, "after 1 turn spent charging"),
        ({"hp_at_most": 0}, "at 0 HP or less"),
        ({"activation_roll": 0}, "only if a d20 shows 0 or more"),
        *(({"since_last_turn": word}, "since their last turn") for word in SinceLastTurn),
        *(({"last_turn": word}, "last turn") for word in LastTurn),
    ],
)
def test_conditions(conditions, said, v2_rules):
    assert said in with_upgrade(v2_rules, conditions=Conditions.model_validate(conditions))


@pytest.mark.parametrize(
    ("mechanics", "said"),
    [
        ({"culling_strike": {"one_in": 4, "inclusive": True}}, "at or below 1/4"),
        ({"slayer": {"max_hp": 9, "match": "at_most", "damage": {"flat": 2}}}, "at most 9 maximum HP"),
        ({"extra_attack": {"per_turn": 2}}, "twice a turn"),
    ],
)
def test_mechanics_that_the_shipped_rules_do_not_use(mechanics, said, v2_rules):
    assert said in with_upgrade(v2_rules, mechanics=Mechanics.model_validate(mechanics))


def test_an_option_that_does_nothing_says_so(v2_rules):
    assert with_upgrade(v2_rules) == "does nothing"


def test_a_type_that_changes_nothing_says_so(v2_rules):
    plain = v2_rules.attack_types["melee_ac"].model_copy(update={"modifiers": Modifiers()})
    changed = v2_rules.model_copy(update={"attack_types": {"plain": plain}})
    assert describe_options(changed)[0].summary == "no bonus and no penalty"


def test_a_ruling_changes_the_words(v2_rules):
    rulings = v2_rules.rulings.model_copy(update={"brutal": "excess", "bleed_ticks": 3})
    options = {o.id: o for o in describe_options(v2_rules.model_copy(update={"rulings": rulings}))}
    assert "what exceeds that" in options["brutal"].summary
    assert "dealt again, 3 times" in options["bleed"].summary


def test_every_mechanic_and_condition_has_words(v2_rules):
    """A word added to the vocabulary must be added to `show` too."""
    samples = {
        "accuracy_dice": 2,
        "overhit": {"margin": 1, "per": 1},
        "flat_damage": {"flat": 1},
        "explode_on": 5,
        "brutal": {"threshold": 1, "per": 1},
        "strikes": 2,
        "chain": {"strikes": 2},
        "extra_attack": {"per_turn": 1},
        "critical_range": 15,
        "critical_bonus": {"damage": {"flat": 1}},
        "ricochet": {"targets": 1},
        "leech": {"per": 2},
        "vulnerable": 2,
        "finishing_blow": {"hp_at_most": 1},
        "culling_strike": {"one_in": 2},
        "splinter": {"tier_divisor": 2},
        "slayer": {"max_hp": 1, "damage": {"flat": 1}},
        "channel": {"step": 1, "cap": 1},
    }
    for name in Mechanics.model_fields:
        mechanics = Mechanics.model_validate({name: samples.get(name, True)})
        assert with_upgrade(v2_rules, mechanics=mechanics) != "does nothing", name
    conditions = {
        "turn": {"from": 2},
        "since_last_turn": "hit",
        "last_turn": "hit_target",
        "hp_full": True,
        "no_attack_last_turn": True,
    }
    for name in Conditions.model_fields:
        condition = Conditions.model_validate({name: conditions.get(name, 2)})
        assert with_upgrade(v2_rules, conditions=condition) != "does nothing", name
