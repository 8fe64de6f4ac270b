"""Attacker-HP limits and splinter on the real rules against the general engine."""

import pytest
from test_vitality_exact_batch import check
from vitality_exact_support import scene, v2_rules

from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, BY_WALK

SCENES = ("100", "50,25,25", "25,25,10,10,10,10,10", "50,10,10,10,10,10")


@pytest.mark.parametrize("enemies", SCENES)
@pytest.mark.parametrize("limit", ["near_death", "bloodied"])
@pytest.mark.parametrize("attack_type", ["melee_dg", "direct_damage"])
def test_hp_limits(enemies, limit, attack_type):
    ways = check(v2_rules(), *scene(4, enemies), attack_type, 12, seed=len(enemies), with_=(limit,))
    assert ways[BY_VALUE] >= 5


@pytest.mark.parametrize("enemies", SCENES[1:])
@pytest.mark.parametrize("others", [(), ("double_tap",), ("barrage",), ("combo_move",), ("bloodied",)])
def test_splinter(enemies, others):
    ways = check(v2_rules(), *scene(5, enemies), "ranged", 8, seed=2, budget=10, with_=("splinter", *others))
    assert ways[BY_VALUE] + ways[BY_WALK] >= 3


def test_hp_limits_with_bleed_and_waves():
    attacker, encounter = scene(4, "", waves=[[25, 10], [30]])
    ways = check(v2_rules(), attacker, encounter, "melee_ac", 12, 3, budget=9, with_=("bleed", "bloodied"))
    assert ways[BY_VALUE] >= 5


@pytest.mark.parametrize("with_", [("bloodied",), ("splinter",), ("bleed",), ("bleed", "bloodied")])
def test_the_turn_limit_is_kept(with_):
    attacker, encounter = scene(4, "30,10,10", max_turns=12)
    ways = check(v2_rules(), attacker, encounter, "melee_dg", 12, seed=7, with_=with_)
    assert ways[BY_WALK] >= 5


def test_conditions():
    ways = check(v2_rules(), *scene(3, SCENES[3]), "melee_dg", 12, 5, effect="condition", with_=("bloodied",))
    assert ways[BY_VALUE] >= 3
