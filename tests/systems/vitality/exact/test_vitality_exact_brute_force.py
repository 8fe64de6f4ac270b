"""Engine against brute force in exact fractions, on tiny rules."""

import pytest
from vitality_exact_naive import agrees
from vitality_exact_support import build_of, tiny_attacker, tiny_builds, tiny_encounter, tiny_rules

from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import why_not_exact

ONE, SEVERAL, WAVES = ((7,),), ((4, 3, 5),), ((3, 4), (5, 3))


@pytest.mark.parametrize("waves", [ONE, SEVERAL, WAVES], ids=["one", "several", "waves"])
@pytest.mark.parametrize("name", [*tiny_rules().upgrades, *tiny_rules().limits])
def test_every_option(name, waves):
    rules = tiny_rules()
    effect = ":condition" if name.endswith("_cond") else ""
    checked = agrees(rules, build_of(rules, f"melee_dg{effect}+{name}"), tiny_encounter(rules, *waves))
    assert checked or (name == "ricochet" and waves != ONE)


# What v1 says in words that v2 does not have, or lets go together.
OLDER = [
    "melee_dg+barrage",
    "melee_dg+quick_strikes",
    "melee_dg+quick_strikes+barrage",
    "melee_ac+barrage+double_tap",
    "melee_dg+barrage+extra_attack",
    "melee_dg+quick_strikes+barrage+splinter+combo_move",
    "melee_dg+bleed",
    "melee_dg+bleed+barrage+relentless",
    "melee_dg+bleed+splinter+slaughter",
    "melee_dg+bleed+combo_move+finishing_blow_2",
    "melee_dg+bleed+charge_up+channeled",
    "melee_dg+bleed+cooldown+passive",
    "melee_dg+attrition",
    "melee_dg+attrition+unreliable_1+unreliable_2",
    "melee_dg+attrition+charge_up+charge_up_2",
    "melee_dg+attrition+bloodied",
    "melee_dg+attrition+timid",
    "melee_dg+attrition+near_death+revenge",
    "melee_dg:condition+attrition+barrage+quick_strikes",
    "melee_dg+passive",
    "melee_dg+passive+charges_1+charges_2",
    "melee_dg+minion_slayer_dmg+captain_slayer_dmg+boss_slayer_acc",
    "direct_damage+high_impact+barrage+double_tap",
    "direct_damage+extra_attack+armor_piercing+combo_move+critical_effect",
    "direct_area_damage+bleed+combo_move",
    "direct_area_damage+extra_attack+splinter",
    "direct_area_damage[cone]+bleed+splinter+slaughter+charge_up",
    "direct_area_damage+bleed+attrition+channeled",
]


OLDER_RULINGS = [
    {},
    {"bleed_overlap": "ignore", "retaliation_cap": 3, "target": "lowest_hp"},
    {"bleed_tick": "end", "attacker_defeat": "loss", "triggered_defeats": "none"},
    {"bleed_ticks": 1, "retaliation_cap": 0, "unmet_limit": "wait", "area_extra_attack": "single"},
]


@pytest.mark.parametrize("text", OLDER)
def test_v1(text):
    """As the text is read, and under one of the other sets of rulings."""
    for rulings in (OLDER_RULINGS[0], OLDER_RULINGS[1 + OLDER.index(text) % 3]):
        rules = tiny_rules("vitality-v1", **rulings)
        for waves in (((4, 3, 5),), ((3, 2), (4,))):
            encounter = tiny_encounter(rules, *waves, max_turns=4, strong=True)
            assert agrees(rules, build_of(rules, text), encounter)


@pytest.mark.parametrize("effect", ["damage", "condition"])
def test_random_builds_of_v1(effect):
    rules = tiny_rules("vitality-v1")
    encounter = tiny_encounter(rules, (3, 4), (5,))
    assert (
        sum(agrees(rules, build, encounter) for build in tiny_builds(rules, 20, seed=5, effect=effect)) >= 8
    )


@pytest.mark.parametrize("waves", [ONE, SEVERAL, WAVES], ids=["one", "several", "waves"])
@pytest.mark.parametrize("effect", ["damage", "condition"])
def test_random_builds(effect, waves):
    rules = tiny_rules()
    encounter = tiny_encounter(rules, *waves)
    builds = tiny_builds(rules, 40, seed=len(waves) + len(waves[0]), effect=effect)
    assert sum(agrees(rules, build, encounter) for build in builds) >= 15


@pytest.mark.parametrize(
    "text",
    [
        "melee_dg+bleed+barrage+finishing_blow",
        "melee_dg+bleed+splinter+slaughter",
        "melee_dg+splinter+double_tap+extra_attack+combo_move",
        "melee_dg+barrage+double_tap+extra_attack+bleed+relentless",
        "melee_dg+near_death+revenge+charge_up",
        "melee_dg+bloodied+vengeful+cooldown+unreliable_2",
        "melee_dg+timid+untouchable+charges_2",
        "melee_dg+channeled+culling_strike+careful",
        "melee_dg+channeled+unreliable_1+bleed",
        "melee_dg+channeled+charges_2+accurate_attack",
        "melee_dg+passive+charge_up_2+charges_2",
        "melee_dg+charge_up+combo_move+unbreakable",
        "direct_area_damage+bleed+cooldown",
        "direct_area_damage[cone]+barrage+finishing_blow+slaughter",
        "direct_area_damage+channeled+unreliable_2+minion_slayer_dmg+bloodied",
    ],
)
@pytest.mark.parametrize(
    "rulings",
    [
        {},
        {"retaliation_cap": 1, "attacker_defeat": "loss"},
        {"retaliation_cap": 0, "unmet_limit": "wait"},
        {"retaliation_cap": 3, "target": "lowest_hp"},
        {"bleed_overlap": "replace", "bleed_ticks": 2, "triggered_defeats": "none"},
        {"bleed_ticks": 3, "channel_cap": "bonus", "natural_max_hits": True, "natural_min_misses": True},
    ],
    ids=lambda rulings: "-".join(rulings) or "usual",
)
def test_rulings(text, rulings):
    rules = tiny_rules(**rulings)
    for waves in (((4, 3, 5),), ((2, 3), (4,))):
        assert agrees(rules, build_of(rules, text), tiny_encounter(rules, *waves, max_turns=5, strong=True))


@pytest.mark.parametrize(
    ("text", "rulings"),
    [
        ("melee_dg+passive+unreliable_2", {"failed_activation": "attack"}),
        ("melee_dg+passive+charge_up+unreliable_1+charges_2", {"failed_activation": "attack"}),
        ("melee_dg+channeled+unreliable_1+bleed", {"failed_activation": "attack"}),
        ("melee_dg+barrage+double_tap", {"barrage_triggers": "first"}),
        ("melee_dg+barrage+double_tap+extra_attack+bleed+combo_move", {"barrage_triggers": "first"}),
        ("direct_area_damage+barrage", {"area_strikes": "single"}),
        ("direct_area_damage[cone]+barrage+bleed+slaughter", {"area_strikes": "single"}),
        ("direct_area_damage+barrage+bleed", {"area_strikes": "single", "target": "lowest_hp"}),
        ("direct_area_damage+barrage+combo_move", {"area_strikes": "single", "target": "highest_hp"}),
        ("melee_dg+barrage+double_tap+charges_1+unreliable_1", {"limit_scope": "strike"}),
        ("melee_dg+barrage+extra_attack+cooldown+unreliable_2", {"limit_scope": "strike"}),
        ("melee_dg+barrage+splinter+cooldown", {"limit_scope": "strike", "barrage_triggers": "first"}),
        ("melee_dg+barrage+double_tap+timid+charge_up", {"limit_scope": "strike"}),
        ("direct_area_damage+barrage+charges_1", {"limit_scope": "strike"}),
        ("melee_dg+patient+bloodied", {"unmet_limit": "archetype"}),
    ],
)
def test_rulings_about_limits_and_strikes(text, rulings):
    rules = tiny_rules(**rulings)
    for waves in (((4, 3, 5),), ((2, 3), (4,))):
        assert agrees(rules, build_of(rules, text), tiny_encounter(rules, *waves, max_turns=5, strong=True))


@pytest.mark.parametrize(
    ("text", "rulings", "why"),
    [
        ("melee_dg+barrage+charges_2", {"limit_scope": "strike"}, "limit_scope=strike"),
        ("melee_dg+barrage+unreliable_1", {"limit_scope": "strike"}, "limit_scope=strike"),
        ("direct_area_damage+barrage+unreliable_1", {"limit_scope": "strike"}, "limit_scope=strike"),
        ("melee_dg+barrage+splinter", {"barrage_triggers": "first"}, "barrage_triggers=first"),
        ("melee_dg+explosive_critical", {"target": "lowest_hp"}, "target"),
        ("melee_dg+explosive_critical", {"attacker_defeat": "loss"}, "attacker_defeat"),
        ("melee_dg+explosive_critical+bleed", {"bleed_tick": "start"}, "bleed"),
        ("melee_dg+explosive_critical+bleed", {"bleed_ticks": 2}, "bleed"),
        ("melee_dg+explosive_critical+bleed+barrage", {}, "one strike"),
        ("melee_dg+explosive_critical+bleed+finishing_blow", {}, "defeated at 0 HP and not above"),
        ("melee_dg+explosive_critical+bleed+combo_move", {}, "combo_move"),
        ("melee_dg:condition+explosive_critical", {}, "condition"),
        ("melee_dg+ricochet", {"target": "lowest_hp"}, "target"),
        ("melee_dg+ricochet", {"attacker_defeat": "loss"}, "attacker_defeat"),
        ("melee_dg+ricochet+bleed", {}, "bleed"),
        ("melee_dg:condition+ricochet", {}, "condition"),
        ("area[cone]", {}, "area_targets"),
        ("area+bleed", {}, "bleed"),
        ("area+extra_attack", {"area_extra_attack": "single"}, "area_extra_attack"),
        ("area+barrage", {"area_strikes": "single"}, "area_strikes=single"),
        ("area", {"attacker_defeat": "loss"}, "attacker_defeat"),
        ("area+barrage+combo_move", {}, "was hit by which strike"),
    ],
)
def test_what_is_refused_and_why(text, rulings, why):
    rules = tiny_rules(**rulings)
    ground = exact_ground(
        rules, build_of(rules, text), tiny_attacker(rules), tiny_encounter(rules, (4, 3, 5))
    )
    assert why in why_not_exact(ground)


@pytest.mark.parametrize("text", ["area", "area+near_death"])
def test_areas_with_too_many_states(text):
    rules = tiny_rules()
    enemies = (60, 50, 40, 30, 20) if text == "area" else (20, 20, 15)
    ground = exact_ground(rules, build_of(rules, text), tiny_attacker(rules), tiny_encounter(rules, enemies))
    assert "too many states" in why_not_exact(ground)
