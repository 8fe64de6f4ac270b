"""Attacks that hurt several enemies at once, solved exactly."""

import numpy as np
import pytest
from vitality_exact_naive import agrees, solve_naively
from vitality_exact_support import (
    build_of,
    scene,
    splintering_rules,
    tiny_builds,
    tiny_encounter,
    tiny_rules,
    v2_rules,
)

from buildsearch.systems.vitality.encounter import Attacker
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.nodes.areas.solving import solve_area
from buildsearch.systems.vitality.exact.nodes.ricochet.solving import solve_ricochet
from buildsearch.systems.vitality.exact.nodes.solving import solve_several
from buildsearch.systems.vitality.exact.nodes.support import KNOWN_RULINGS, unknown_ruling
from buildsearch.systems.vitality.exact.solving import FORWARD, solve, solver_of, why_not_exact
from buildsearch.systems.vitality.rules.rulings import Rulings

TWO, MIXED, WAVES = ((4, 3),), ((3, 4, 3),), ((3, 4), (5, 3))
EXPLOSIONS = [
    "melee_dg+explosive_critical",
    "melee_dg+explosive_critical+barrage",
    "melee_dg+explosive_critical+barrage+combo_move",
    "melee_dg+explosive_critical+barrage+extra_attack+relentless",
    "melee_dg+explosive_critical+barrage+slaughter",
    "melee_dg+explosive_critical+near_death+combo_move",
    "melee_dg+explosive_critical+bloodied+slaughter",
    "melee_dg+explosive_critical+bloodied+passive+finale+unbreakable",
    "melee_dg+explosive_critical+minion_slayer_acc+combo_move+barrage",
    "melee_dg+explosive_critical+minion_slayer_dmg+finishing_blow",
    "melee_dg+explosive_critical+brutal+overhit+captain_slayer_dmg+charges_2",
    "melee_dg+explosive_critical+timid+vengeful",
    "melee_dg+explosive_critical+patient+cooldown+passive",
    "melee_dg+explosive_critical+unreliable_2+charge_up+revenge",
    "melee_ac+explosive_critical+channeled+careful",
    "ranged+explosive_critical+culling_strike+untouchable+quickdraw",
    "melee_dg+explosive_critical+bleed",
    "melee_dg+explosive_critical+bleed+slaughter+charge_up",
    "melee_dg+explosive_critical+bleed+relentless+minion_slayer_dmg",
    "melee_dg+explosive_critical+bleed+relentless+unreliable_2",
    "melee_dg+explosive_critical+bleed+bloodied+revenge",
    "ranged+explosive_critical+bleed+cooldown+timid",
    "melee_dg+explosive_critical+splinter",
    "melee_dg+explosive_critical+splinter+barrage+combo_move",
    "melee_dg+explosive_critical+splinter+barrage+slaughter+extra_attack",
    "melee_dg+explosive_critical+splinter+finishing_blow+near_death+combo_move",
    "melee_dg+explosive_critical+splinter+minion_slayer_dmg+relentless+charges_2",
]


@pytest.mark.parametrize("waves", [TWO, MIXED, WAVES], ids=["two", "three", "waves"])
@pytest.mark.parametrize("text", EXPLOSIONS)
def test_explosions_against_brute_force(text, waves):
    rules = tiny_rules()
    assert agrees(rules, build_of(rules, text), tiny_encounter(rules, *waves))


@pytest.mark.parametrize(
    "rulings",
    [
        {"retaliation_cap": 1, "unmet_limit": "wait"},
        {"retaliation_cap": 3, "natural_max_hits": True, "natural_min_misses": True},
        {"retaliation_cap": 0, "brutal": "excess", "channel_cap": "bonus", "flat_damage": "roll"},
    ],
    ids="-".join,
)
def test_explosions_under_other_rulings(rulings):
    rules = tiny_rules(**rulings)
    for text in EXPLOSIONS[1::3]:
        encounter = tiny_encounter(rules, (4, 3, 5), max_turns=4, strong=True)
        assert agrees(rules, build_of(rules, text), encounter)


def test_random_builds_that_explode():
    rules = tiny_rules()
    encounter = tiny_encounter(rules, (4, 3), (3,))
    builds = [
        b for b in tiny_builds(rules, 1500, seed=3) if "explosive_critical" in b.attacks[0].enhancements
    ]
    assert sum(agrees(rules, build, encounter) for build in builds[:25]) >= 15


def test_every_ruling_of_today_is_known_to_the_gate():
    assert set(Rulings.model_fields) >= KNOWN_RULINGS
    assert unknown_ruling(v2_rules().rulings) is None


SPLINTERING = [
    "melee_dg+explosive_critical+splinter",
    "melee_dg+explosive_critical+splinter+barrage+combo_move",
    "melee_dg+explosive_critical+splinter+extra_attack+slaughter",
    "melee_dg+ricochet+splinter",
    "melee_dg+ricochet+splinter+barrage+combo_move",
    "melee_dg+ricochet+splinter+extra_attack+slaughter",
]


@pytest.mark.parametrize("text", SPLINTERING)
@pytest.mark.parametrize("feeding", ["splinter", "none"])
def test_several_splinters_a_turn(text, feeding):
    """At tier 2: one Splinter a turn or two, fed by its own defeats and by those of other strikes or not."""
    found = []
    for divisor in (1, 2):
        rules = splintering_rules(divisor, triggered_defeats=feeding)
        attacker = Attacker(tier=2, stats=rules.character.stats, hp=rules.character.hp)
        build, encounter = build_of(rules, text), tiny_encounter(rules, (5, 3, 3, 6), max_turns=3)
        ground = exact_ground(rules, build, attacker, encounter)
        assert why_not_exact(ground) is None
        assert ground.setup["splinter_limit"] == 2 // divisor
        ends, survival = solve_naively(rules, build, attacker, encounter)
        found.append(solve(ground))
        np.testing.assert_allclose(found[-1].ends, np.array(ends, float), rtol=0, atol=1e-13)
        assert found[-1].survival == pytest.approx(float(survival), abs=1e-13)
    assert feeding == "none" or found[0].survival != pytest.approx(found[1].survival, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "enemies", "solver"),
    [
        ("melee_dg+explosive_critical+bleed", [[25]], solve_several),
        ("ranged+explosive_critical+bleed+relentless+charge_up", [[25]], solve_several),
        ("melee_dg+explosive_critical+splinter+barrage", [[25]], solve_several),
        ("melee_dg+barrage+extra_attack+slaughter", [[100]], solve_several),
        ("ranged+channeled+unreliable_1", [[100]], solve_several),
        ("melee_ac+timid+charges_2+finishing_blow", [[100]], solve_several),
        ("melee_dg+bloodied+combo_move", [[100]], solve_several),
        ("melee_dg+ricochet+barrage+combo_move", [[25]], solve_ricochet),
        ("ranged+ricochet+timid+extra_attack", [[25]], solve_ricochet),
        ("area+barrage+timid", [[50]], solve_area),
        ("area+extra_attack+relentless", [[25], [10]], solve_area),
        ("area+combo_move+unreliable_2", [[50]], solve_area),
        ("area+channeled", [[25], [10]], solve_area),
        ("area+near_death+charges_2", [[25], [10]], solve_area),
        ("area+overhit+careful+charge_up", [[50]], solve_area),
        ("area+barrage+finishing_blow+cooldown", [[25], [10]], solve_area),
    ],
)
def test_one_enemy_is_a_single_target(text, enemies, solver):
    """Against one enemy nobody else can be hurt, so solvers for several say what tables of one target do."""
    rules = v2_rules()
    attacker, encounter = scene(3, None, waves=enemies, max_turns=60)
    ground = exact_ground(rules, build_of(rules, text), attacker, encounter)
    assert solver_of(ground) is FORWARD
    expected, found = solve(ground), solver(ground)
    np.testing.assert_allclose(found.ends, expected.ends, rtol=0, atol=1e-11)
    assert found.mean == pytest.approx(expected.mean, abs=1e-9)
    assert found.survival == pytest.approx(expected.survival, abs=1e-11)
