"""One strike, resolved from given dice. Tier 4: avoidance 16, durability 11, resistance 16."""

from itertools import product

import pytest
from vitality_reference_support import foe, profile, ruled, v2

from buildsearch.systems.vitality.builds.build import Attack
from buildsearch.systems.vitality.reference.profile import make_profile
from buildsearch.systems.vitality.reference.strike import (
    AUTO_HIT,
    StrikeMemory,
    resolve_accuracy,
    resolve_condition,
    resolve_damage,
)
from buildsearch.systems.vitality.rules.model import VitalityRules

BOSS = foe(100)
UNREACHABLE = foe(100, "2,2,90,2")


def added(text: str, kind: str, *, channel_turns: int = 0, rules=None, target=BOSS, adjacent=False) -> int:
    """What is added to a roll of this kind, dice apart."""
    who = profile(text, rules=rules, adjacent=adjacent)
    accuracy = resolve_accuracy(who, target, 10, channel_turns)
    if kind == "accuracy":
        return accuracy.total - 10
    resolve = resolve_damage if kind == "damage" else resolve_condition
    effect = resolve(who, target, 10, accuracy, channel_turns)
    return effect.total - effect.roll


def test_an_accuracy_roll_names_who_adds_what_and_hits_on_equal():
    result = resolve_accuracy(profile("melee_ac"), BOSS, 6)
    assert result.modifiers == (("tier", 4), ("focus", 2), ("melee_ac", 4))
    assert (result.total, result.margin, result.hit, result.critical) == (16, 0, True, False)
    assert not resolve_accuracy(profile("melee_ac"), BOSS, 5).hit


def test_damage_is_dice_and_modifiers_less_durability_and_never_negative():
    who = profile("melee_dg")
    hit = resolve_accuracy(who, BOSS, 10)
    result = resolve_damage(who, BOSS, 12, hit)
    assert result.modifiers == (("tier", 4), ("power", 2), ("melee_dg", 4))
    assert (result.roll, result.total, result.defence, result.damage, result.landed) == (12, 22, 11, 11, True)
    low = resolve_damage(profile("ranged"), BOSS, 3, hit)
    assert (low.total, low.damage, low.landed) == (9, 0, False)


@pytest.mark.parametrize(
    ("text", "accuracy", "damage", "condition"),
    [
        ("melee_ac", 10, 6, 6),
        ("melee_dg", 6, 10, 10),
        ("ranged", 6, 6, 6),
        ("area", 2, 6, 6),
        ("ranged+accurate_attack", 10, 2, 2),
        ("ranged+power_attack", 2, 10, 6),
        ("ranged+reliable_accuracy", 3, 6, 6),
        ("ranged+critical_effect", 6, 3, 6),
        ("ranged+armor_piercing", 5, 6, 6),
        ("ranged+barrage", -2, -2, -2),
        ("ranged+extra_attack", 2, 2, 2),
        ("ranged+explosive_critical", 2, 6, 6),
        ("ranged+bleed", 6, 2, 6),
        ("ranged+splinter", 2, 2, 6),
        ("ranged+boss_slayer_acc", 10, 6, 6),
        ("ranged+boss_slayer_dmg", 6, 10, 6),
        ("ranged+boss_slayer_cond", 6, 6, 10),
        ("ranged+elite_slayer_dmg", 6, 6, 6),
        ("ranged+charges_1", 30, 30, 30),
        ("ranged+unreliable_3+charge_up_2", 42, 42, 42),
    ],
)
def test_modifiers_of_types_upgrades_and_limits(text, accuracy, damage, condition):
    assert added(text, "accuracy") == accuracy
    assert added(text, "damage") == damage
    assert added(text, "condition") == condition


def test_adjacent_enemies_hamper_ranged_attacks_only():
    assert added("ranged", "accuracy", adjacent=True) == 2
    assert added("melee_dg", "accuracy", adjacent=True) == 6


def test_a_critical_needs_a_hit_and_adds_tier():
    who = profile("melee_dg")
    critical = resolve_accuracy(who, BOSS, 20)
    assert critical.critical
    assert not resolve_accuracy(who, BOSS, 19).critical
    assert not resolve_accuracy(who, UNREACHABLE, 20).critical
    assert resolve_damage(who, BOSS, 12, critical).damage == 15
    assert resolve_condition(who, BOSS, 1, critical).total == 11  # nothing on conditions


@pytest.mark.parametrize("upgrade", ["powerful_critical", "ricochet", "double_tap", "explosive_critical"])
def test_critical_upgrades_widen_the_range(upgrade):
    who = profile(f"melee_ac+{upgrade}")
    assert resolve_accuracy(who, BOSS, 15).critical
    assert not resolve_accuracy(who, BOSS, 14).critical


def test_powerful_critical_adds_tier_again_to_damage_and_to_conditions():
    who = profile("melee_dg+powerful_critical")
    critical = resolve_accuracy(who, BOSS, 15)
    assert resolve_damage(who, BOSS, 12, critical).damage == 11 + 8
    assert resolve_condition(who, BOSS, 1, critical).total == 11 + 4


def test_overhit_counts_the_whole_margin_from_fifteen():
    who = profile("melee_ac+overhit+cooldown")  # +18: margin is the die + 2
    below, at, above = (resolve_accuracy(who, BOSS, natural) for natural in (12, 13, 14))
    assert [each.margin for each in (below, at, above)] == [14, 15, 16]
    results = [resolve_damage(who, BOSS, 10, each) for each in (below, at, above)]
    assert [each.overhit for each in results] == [0, 7, 8]
    assert [each.damage for each in results] == [13, 20, 21]
    assert results[1].modifiers[-1] == ("overhit", 7)
    assert resolve_condition(who, BOSS, 1, above).total == 1 + 6 + 8 + 8


def test_brutal_by_margin_and_by_excess():
    def damages(who):
        return [resolve_damage(who, BOSS, dice, AUTO_HIT).damage for dice in (20, 21, 22, 26)]

    assert damages(profile("melee_dg+brutal")) == [19, 30, 31, 37]
    assert damages(profile("melee_dg+brutal", rules=ruled(brutal="excess"))) == [19, 20, 21, 27]


def test_armor_piercing_ignores_endurance():
    tough = foe(100, "2,2,2,9")
    assert resolve_damage(profile("melee_dg"), tough, 12, AUTO_HIT).defence == 18
    assert resolve_damage(profile("melee_dg+armor_piercing"), tough, 12, AUTO_HIT).defence == 9


def test_slayers_look_at_the_exact_maximum():
    assert added("ranged+captain_slayer_dmg", "damage", target=foe(25)) == 10
    assert added("ranged+captain_slayer_dmg", "damage", target=foe(24)) == 6
    assert added("ranged+captain_slayer_acc", "accuracy", target=foe(10)) == 6


@pytest.mark.parametrize(
    ("ruling", "totals"),
    [("net", [-8, -4, 0, 4, 8, 12, 16, 20, 20]), ("bonus", [-8, -4, 0, 4, 8, 12, 12, 12, 12])],
)
@pytest.mark.parametrize("kind", ["accuracy", "damage", "condition"])
def test_channel_grows_and_is_capped(ruling, totals, kind):
    rules = ruled(channel_cap=ruling)
    grown = [added("ranged+channeled", kind, channel_turns=n, rules=rules) - 6 for n in range(9)]
    assert grown == totals


def test_flat_damage_replaces_the_dice_or_the_whole_roll():
    critical = resolve_accuracy(profile("melee_dg"), BOSS, 20)
    high = profile("melee_dg+high_impact+boss_slayer_dmg")
    assert resolve_damage(high, BOSS, 99, critical).damage == 15 + 10 + 4 + 4 - 11
    assert resolve_damage(profile("direct_damage"), BOSS, 99, AUTO_HIT).damage == 12 + 6 - 11
    assert resolve_damage(profile("direct_area_damage"), BOSS, 99, AUTO_HIT).damage == 8 + 6 - 11
    whole = ruled(flat_damage="roll")
    high = profile("melee_dg+high_impact+boss_slayer_dmg", rules=whole)
    result = resolve_damage(high, BOSS, 99, critical)
    assert (result.damage, result.modifiers) == (4, ())
    assert resolve_damage(profile("direct_damage", rules=whole), BOSS, 99, AUTO_HIT).damage == 1
    # Dice are not flat: the ruling leaves them alone.
    assert resolve_damage(profile("melee_dg", rules=whole), BOSS, 12, AUTO_HIT).damage == 11


def test_direct_attacks_hit_by_themselves_and_are_never_critical():
    assert resolve_accuracy(profile("direct_damage"), UNREACHABLE, 20) is AUTO_HIT


def test_natural_maximum_and_one_may_decide_by_themselves():
    sure = profile("melee_ac+charges_1")
    assert resolve_accuracy(sure, BOSS, 1).hit
    assert not resolve_accuracy(profile("melee_ac"), UNREACHABLE, 20).hit
    decided = ruled(natural_max_hits=True, natural_min_misses=True)
    assert not resolve_accuracy(profile("melee_ac+charges_1", rules=decided), BOSS, 1).hit
    lucky = resolve_accuracy(profile("melee_ac", rules=decided), UNREACHABLE, 20)
    assert lucky.hit
    assert lucky.critical
    assert lucky.margin < 0
    assert not resolve_accuracy(profile("melee_ac", rules=decided), UNREACHABLE, 19).hit


def test_a_condition_lands_on_equal():
    who = profile("melee_dg:condition")
    hit = resolve_accuracy(who, BOSS, 10)
    assert resolve_condition(who, BOSS, 6, hit).landed
    result = resolve_condition(who, BOSS, 5, hit)
    assert (result.total, result.defence, result.landed, result.damage) == (15, 16, False, 0)


def test_several_enhancements_of_one_kind_combine():
    raw = v2().model_dump(by_alias=True)

    def option(**mechanics):
        return {"name": "X", "section": "X", "cost": 0, "mechanics": mechanics}

    raw["upgrades"] = {
        "a": option(accuracy_dice=2, explode_on=5, critical_range=15, finishing_blow={"hp_at_most": 20}),
        "b": option(accuracy_dice=3, explode_on=4, critical_range=18, finishing_blow={"hp_at_most": 10}),
        "c": option(critical_bonus={"damage": {"tier": 1}}, slayer={"max_hp": 100, "damage": {"flat": 3}}),
        "d": option(
            critical_bonus={"damage": {"flat": 2}},
            slayer={"max_hp": 100, "match": "at_most", "damage": {"flat": 5}},
        ),
    }
    raw["exclusions"], raw["restrictions"] = [], []
    rules = VitalityRules.model_validate(raw)
    who = make_profile(rules, Attack("melee_dg", ("a", "b", "c", "d")), 4, v2().character.stats)
    assert (who.accuracy_dice, who.explode_on, who.critical_range) == (3, 4, 15)
    assert who.finishing == (20, "a")
    critical = resolve_accuracy(who, BOSS, 15)
    assert resolve_damage(who, BOSS, 10, critical).total == 10 + 10 + 3 + 5 + 4 + 4 + 2
    assert resolve_damage(who, foe(99), 10, AUTO_HIT).total == 10 + 10 + 5


@pytest.mark.parametrize(
    "text", ["melee_ac+overhit+powerful_critical+channeled+cooldown", "melee_dg+boss_slayer_acc"]
)
def test_remembered_strikes_are_the_resolved_ones(text):
    who = profile(text)
    known = StrikeMemory(who)
    targets = [BOSS, foe(10), foe(100, "2,2,5,2"), foe(100, "2,2,2,5")]
    for _ in range(2):
        for target, natural, turns in product(targets, range(1, 21), (0, 1, 9)):
            accuracy = resolve_accuracy(who, target, natural, turns)
            assert known.accuracy(target, natural, turns) == accuracy
            for dice in (3, 12, 30):
                expected = resolve_damage(who, target, dice, accuracy, turns)
                assert known.damage(target, dice, accuracy, turns) == expected
