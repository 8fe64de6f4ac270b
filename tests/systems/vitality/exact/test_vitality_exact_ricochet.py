"""Ricochet among several enemies, solved exactly."""

import pytest
from vitality_exact_naive import agrees
from vitality_exact_support import build_of, scene, tiny_encounter, tiny_rules, v2_rules

from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.nodes.ricochet.maps import count_fields
from buildsearch.systems.vitality.exact.solving import why_not_exact

TWO, THREE, WAVES, FOUR = ((4, 3),), ((3, 4, 3),), ((3, 4), (5, 3)), ((3, 2, 3, 2),)
BOUNCING = [
    "melee_dg+ricochet",
    "melee_dg+ricochet+barrage+combo_move",
    "melee_dg+ricochet+barrage+extra_attack+relentless",
    "melee_dg+ricochet+barrage+slaughter",
    "melee_dg+ricochet+near_death+combo_move",
    "melee_dg+ricochet+bloodied+slaughter",
    "melee_dg+ricochet+finishing_blow+minion_slayer_dmg+timid",
    "melee_dg+ricochet+powerful_critical+barrage+charges_2",
    "melee_dg+ricochet+unreliable_2+charge_up+revenge",
    "melee_ac+ricochet+channeled+careful",
    "ranged+ricochet+culling_strike+untouchable+quickdraw",
    "melee_dg+ricochet+splinter",
    "melee_dg+ricochet+splinter+barrage+combo_move",
    "melee_dg+ricochet+splinter+barrage+extra_attack+slaughter",
]


@pytest.mark.parametrize("waves", [TWO, THREE, WAVES, FOUR], ids=["two", "three", "waves", "four"])
@pytest.mark.parametrize("text", BOUNCING)
def test_ricochet_against_brute_force(text, waves):
    rules = tiny_rules()
    assert agrees(rules, build_of(rules, text), tiny_encounter(rules, *waves, max_turns=4))


@pytest.mark.parametrize(
    "rulings",
    [
        {"retaliation_cap": 1, "unmet_limit": "wait"},
        {"retaliation_cap": 3, "natural_max_hits": True, "natural_min_misses": True},
        {"retaliation_cap": 0, "brutal": "excess", "channel_cap": "bonus", "flat_damage": "roll"},
    ],
    ids="-".join,
)
def test_ricochet_under_other_rulings(rulings):
    rules = tiny_rules(**rulings)
    for text in BOUNCING[1::3]:
        assert agrees(
            rules, build_of(rules, text), tiny_encounter(rules, (4, 3, 5), max_turns=3, strong=True)
        )


@pytest.mark.parametrize(
    ("enemies", "fields"),
    [("50,25,25", 33_200), ("25,25,10,10,10,10,10", 45_260), ("50,10,10,10,10,10", 23_660)],
)
def test_as_many_fields_as_there_can_be(enemies, fields):
    """And two: the end of the fight, and its beginning."""
    ground = exact_ground(v2_rules(), build_of(v2_rules(), "melee_dg+ricochet"), *scene(3, enemies))
    assert count_fields(ground) == fields + 2


def test_what_takes_too_long_is_said_at_once():
    rules = v2_rules()
    build = build_of(rules, "melee_dg+ricochet+barrage+extra_attack")
    assert "too long" in why_not_exact(exact_ground(rules, build, *scene(3, "50,25,25")))
