"""Batches against the general engine on tiny rules: quick enough to run without compiled code."""

import pytest
from test_vitality_exact_batch import check
from vitality_exact_support import tiny_attacker, tiny_encounter, tiny_rules

from buildsearch.systems.vitality.exact.batch.solving import BY_COUNTS, BY_VALUE, BY_WALK


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
    assert ways[BY_VALUE] + ways[BY_WALK] + ways[BY_COUNTS] >= 1
