"""Attacks that hurt several enemies at once, solved exactly."""

import numpy as np
import pytest
from vitality_exact_naive import solve_naively
from vitality_exact_support import (
    build_of,
    scene,
    tiny_attacker,
    tiny_builds,
    tiny_encounter,
    tiny_rules,
    v2_rules,
)

from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, BY_WALK, batch_means
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.several.solving import solve_several
from buildsearch.systems.vitality.exact.several.support import KNOWN_RULINGS, unknown_ruling
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.exact.support import why_not_exact
from buildsearch.systems.vitality.rulings import Rulings

TWO, MIXED, WAVES = ((4, 3),), ((3, 4, 3),), ((3, 4), (5, 3))
MIXED_FIGHT, SWARM, GUARD = "50,25,25", "25,25,10,10,10,10,10", "50,10,10,10,10,10"
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
]


def same_as_brute_force(rules, build, encounter):
    attacker = tiny_attacker(rules)
    ground = exact_ground(rules, build, attacker, encounter)
    if why_not_exact(ground) is not None:
        return False
    ends, survival = solve_naively(rules, build, attacker, encounter)
    solution = solve(ground)
    np.testing.assert_allclose(solution.ends, np.array(ends, float), rtol=0, atol=1e-13)
    assert solution.survival == pytest.approx(float(survival), abs=1e-13)
    return True


@pytest.mark.parametrize("waves", [TWO, MIXED, WAVES], ids=["two", "three", "waves"])
@pytest.mark.parametrize("text", EXPLOSIONS)
def test_explosions_against_brute_force(text, waves):
    rules = tiny_rules()
    assert same_as_brute_force(rules, build_of(rules, text), tiny_encounter(rules, *waves))


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
        assert same_as_brute_force(rules, build_of(rules, text), encounter)


def test_random_builds_that_explode():
    rules = tiny_rules()
    encounter = tiny_encounter(rules, (4, 3), (3,))
    builds = [
        b for b in tiny_builds(rules, 1500, seed=3) if "explosive_critical" in b.attacks[0].enhancements
    ]
    assert sum(same_as_brute_force(rules, build, encounter) for build in builds[:25]) >= 15


@pytest.mark.parametrize(
    "text",
    [
        "melee_dg+barrage+extra_attack+slaughter",
        "ranged+channeled+unreliable_1",
        "melee_ac+timid+charges_2+finishing_blow",
        "melee_dg+bloodied+combo_move",
    ],
)
def test_one_enemy_is_as_the_single_target_engine_says(text):
    rules = v2_rules()
    attacker, encounter = scene(3, "100")
    ground = exact_ground(rules, build_of(rules, text), attacker, encounter)
    assert solve_several(ground).mean == pytest.approx(solve(ground).mean, abs=1e-9)
    np.testing.assert_allclose(solve_several(ground).ends, solve(ground).ends, rtol=0, atol=1e-11)
    assert solve_several(ground).survival == pytest.approx(solve(ground).survival, abs=1e-11)


@pytest.mark.parametrize(
    ("enemies", "mean"), [(MIXED_FIGHT, 3.702524882), (SWARM, 5.324035403), (GUARD, 3.051347171)]
)
def test_known_means(enemies, mean):
    text = "melee_dg+reliable_accuracy+barrage+explosive_critical+timid+charges_2"
    rules = v2_rules()
    ground = exact_ground(rules, build_of(rules, text), *scene(3, enemies))
    assert solve(ground).mean == pytest.approx(mean, abs=6e-10)
    assert means_of(rules, [text], enemies)[0][0] == pytest.approx(mean, abs=1e-9)


def means_of(rules, texts, enemies, **options):
    ids = list(rules.enhancements)
    masks = np.zeros((len(texts), -(-len(ids) // 64)), np.uint64)
    for row, text in enumerate(texts):
        for name in text.split("+")[1:]:
            at = ids.index(name)
            masks[row, at // 64] |= np.uint64(1) << np.uint64(at % 64)
    found = batch_means(rules, *scene(3, enemies, **options), texts[0].split("+")[0], masks)
    return found.means, found.ways


# Near the turn limit and far from it, struck alike and not, with limits of all kinds.
MANY = [
    "melee_dg+explosive_critical",
    "melee_dg+explosive_critical+power_attack+elite_slayer_dmg",
    "melee_dg+explosive_critical+barrage+captain_slayer_acc+combo_move",
    "melee_dg+explosive_critical+barrage+unreliable_3+power_attack",
    "melee_dg+explosive_critical+power_attack+charge_up_2",
    "melee_dg+explosive_critical+power_attack+passive+captain_slayer_dmg",
    "melee_dg+explosive_critical+barrage+relentless+vengeful",
    "melee_dg+explosive_critical+near_death+slaughter",
    "melee_dg+explosive_critical+bloodied+unreliable_3+power_attack",
    "melee_dg+explosive_critical+channeled+extra_attack",
    "melee_dg+explosive_critical+finishing_blow+charges_1",
    "melee_dg+explosive_critical+cooldown+timid+brutal",
]


@pytest.mark.parametrize(("enemies", "max_turns"), [(MIXED_FIGHT, 100), (SWARM, 100), (SWARM, 12)])
def test_batches_are_as_one_build_at_a_time(enemies, max_turns):
    rules = v2_rules()
    means, ways = means_of(rules, MANY, enemies, max_turns=max_turns)
    for text, mean, way in zip(MANY, means, ways, strict=True):
        if way in (BY_VALUE, BY_WALK):
            ground = exact_ground(rules, build_of(rules, text), *scene(3, enemies, max_turns=max_turns))
            assert mean == pytest.approx(solve(ground).mean, abs=1e-9), text
    assert (ways == BY_WALK).any()
    assert np.isin(ways, (BY_VALUE, BY_WALK)).sum() >= len(MANY) - 3


def test_company_changes_no_bit():
    rules = v2_rules()
    together, _ = means_of(rules, MANY, GUARD)
    alone = np.array([means_of(rules, [text], GUARD)[0][0] for text in MANY])
    np.testing.assert_array_equal(together, alone)


def test_every_ruling_of_today_is_known_to_the_gate():
    assert set(Rulings.model_fields) >= KNOWN_RULINGS
    assert unknown_ruling(v2_rules().rulings) is None


@pytest.mark.parametrize(
    ("text", "rulings", "word"),
    [
        ("melee_dg+explosive_critical", {"target": "lowest_hp"}, "target"),
        ("melee_dg+explosive_critical", {"attacker_defeat": "loss"}, "attacker_defeat"),
        ("melee_dg+explosive_critical+bleed", {}, "bleed"),
        ("melee_dg+explosive_critical+splinter", {}, "splinter"),
        ("melee_dg:condition+explosive_critical", {}, "condition"),
        ("melee_dg+ricochet", {}, "ricochet"),
    ],
)
def test_what_it_does_not_take_it_says(text, rulings, word):
    rules = tiny_rules(**rulings)
    encounter = tiny_encounter(rules, (4, 3, 5))
    reason = why_not_exact(exact_ground(rules, build_of(rules, text), tiny_attacker(rules), encounter))
    assert reason is not None
    assert word in reason
