"""Batches against the general engine on tiny rules: quick enough to run without compiled code."""

import pytest
from test_vitality_exact_batch import check
from vitality_exact_support import tiny_attacker, tiny_encounter, tiny_rules

from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, BY_WALK, LEFT


@pytest.mark.parametrize("waves", [((5,),), ((4, 3),), ((3,), (4, 2))])
@pytest.mark.parametrize(
    ("attack_type", "effect", "with_"),
    [
        ("melee_dg", "damage", ()),
        ("melee_ac", "condition", ()),
        ("direct_damage", "damage", ()),
        ("melee_dg", "damage", ("bleed",)),
        ("melee_dg", "damage", ("channeled",)),
        ("melee_dg", "damage", ("timid",)),
        ("melee_ac", "damage", ("relentless", "double_tap")),
    ],
)
@pytest.mark.parametrize("max_turns", [4, 60])
def test_tiny_batches(waves, attack_type, effect, with_, max_turns):
    rules = tiny_rules()
    encounter = tiny_encounter(rules, *waves, max_turns=max_turns)
    ways = check(
        rules, tiny_attacker(rules), encounter, attack_type, 8, seed=3, effect=effect, budget=5, with_=with_
    )
    assert ways[BY_VALUE] + ways[BY_WALK] >= 1


@pytest.mark.parametrize("attack_type", ["melee_dg", "direct_damage", "direct_area_damage"])
def test_tiny_batches_of_v1(attack_type):
    """What v1 says in words of its own is left; what it lets go together is solved."""
    rules = tiny_rules("vitality-v1")
    encounter = tiny_encounter(rules, (4, 3), max_turns=60)
    ways = check(rules, tiny_attacker(rules), encounter, attack_type, 12, seed=3, budget=6)
    assert ways[LEFT] >= 1 or attack_type == "direct_area_damage"
    assert ways[BY_VALUE] + ways[BY_WALK] >= 1
