"""What must hold for any loadout: best play beats greedy play, more attacks never hurt, fights agree."""

import numba
import numpy as np
import pytest
import v2
from vitality_exact_naive import solve_naively
from vitality_exact_support import build_of, scene, tiny_attacker, tiny_encounter, tiny_rules

from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.best_play.loadout_evaluators import (
    BestPlayEvaluator,
    GreedyLoadoutEvaluator,
    LookaheadEvaluator,
)
from buildsearch.systems.vitality.best_play.optimum import TooManyStatesError, solve_best_play
from buildsearch.systems.vitality.best_play.support import why_not_exact
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.evaluators import ExactEvaluator, ReferenceEvaluator
from buildsearch.systems.vitality.rules.model import VitalityRules

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow without compiled code")
BOSS, MIXED = "100", "50,25,25"


def mean(evaluation):
    return evaluation.estimates["mean_turns"].value


def pairs(number, seed, budget=6):
    rng = np.random.default_rng(seed)
    builds = v2.space(tier=4, budget=budget).sample(
        Wanted(groups=("melee_dg", "melee_ac", "ranged")), 2 * number, rng
    )
    return [Build(one.attacks + two.attacks) for one, two in zip(builds[::2], builds[1::2], strict=True)]


@pytest.mark.parametrize("enemies", [BOSS, MIXED])
def test_best_play_is_never_worse_than_greedy_play(enemies):
    rules, checked = v2.rules(), 0
    attacker, encounter = scene(4, enemies)
    for build in pairs(12, seed=5):
        best, greedy = Bout(attacker, encounter, "optimal"), Bout(attacker, encounter, "greedy")
        if any(name == "bleed" for attack in build.attacks for name in attack.enhancements):
            continue  # exact as well, and slow
        if BestPlayEvaluator(rules).why_not(build, best) is None:
            optimum = mean(BestPlayEvaluator(rules).evaluate(build, best, Sampling(1)))
            evaluation = GreedyLoadoutEvaluator(rules).evaluate(build, greedy, Sampling(1))
            if evaluation.estimates["timeout_share"].value < 1e-12:
                assert optimum <= mean(evaluation) + 1e-9
                checked += 1
    assert checked >= 3


@pytest.mark.parametrize("enemies", [BOSS, MIXED])
def test_another_attack_never_hurts(enemies):
    rules = v2.rules()
    attacker, encounter = scene(4, enemies)
    checked = 0
    for build in pairs(12, seed=8):
        try:
            if why_not_exact(rules, build, attacker, encounter) is not None or "bleed" in repr(build):
                continue
            both = solve_best_play(rules, build, attacker, encounter).mean
            for attack in build.attacks:
                assert both <= solve_best_play(rules, Build((attack,)), attacker, encounter).mean + 1e-9
            checked += 1
        except TooManyStatesError:
            continue
    assert checked >= 4


@pytest.mark.parametrize(
    "text",
    [
        "melee_dg+cooldown+power_attack | melee_ac+charge_up_2",
        "melee_dg+near_death+revenge | melee_ac+channeled",
        "melee_dg+bleed+charges_2 | melee_ac+passive+combo_move",
    ],
)
def test_fights_of_the_policy_agree(text):
    rules = v2.rules()
    build = v2.space(tier=4).parse(text)
    bout = Bout(*scene(4, "50,25"), "optimal")
    solved = BestPlayEvaluator(rules).evaluate(build, bout, Sampling(1))
    played = ReferenceEvaluator(rules).evaluate(build, bout, Sampling(1_500, seed=2))
    for name in ("mean_turns", "survival"):
        estimate = played.estimates[name]
        assert abs(estimate.value - solved.estimates[name].value) < 4 * max(estimate.se, 1e-3), name
    assert solved.estimates["mean_turns"].value == pytest.approx(
        float(solved.distribution @ np.arange(len(solved.distribution))), abs=1e-9
    )


@pytest.mark.parametrize(
    "text",
    [
        "melee_dg+cooldown | melee_ac+charge_up_2",
        "melee_dg+passive+charge_up | melee_ac+combo_move+revenge",
        "melee_dg+bleed+bloodied | melee_ac+unreliable_2+charges_2 | direct_damage+slaughter",
    ],
)
@pytest.mark.parametrize("rulings", [{}, {"unmet_limit": "wait"}], ids=["basic", "wait"])
def test_greedy_loadouts_equal_brute_force(text, rulings):
    rules = tiny_rules(**rulings)
    build = Build(tuple(build_of(rules, part.strip()).attacks[0] for part in text.split("|")))
    encounter = tiny_encounter(rules, (3, 2), max_turns=4, strong=True)
    ends, survival = solve_naively(rules, build, tiny_attacker(rules), encounter)
    found = GreedyLoadoutEvaluator(rules).evaluate(build, Bout(tiny_attacker(rules), encounter), Sampling(1))
    np.testing.assert_allclose(found.distribution, np.array(ends, float), rtol=0, atol=1e-13)
    assert found.estimates["survival"].value == pytest.approx(float(survival), abs=1e-13)


@pytest.mark.parametrize(
    ("text", "rulings"),
    [
        ("melee_dg+barrage+double_tap+cooldown | melee_ac+patient", {"limit_scope": "strike"}),
        ("melee_dg+barrage+charges_1+unreliable_1 | melee_ac+timid", {"limit_scope": "strike"}),
        ("melee_dg+patient | melee_ac+charges_1", {"unmet_limit": "archetype"}),
        ("melee_dg+barrage | melee_ac+double_tap", {"barrage_triggers": "first"}),
    ],
)
def test_greedy_loadouts_under_rulings_about_limits_and_strikes(text, rulings):
    rules = tiny_rules(**rulings)
    build = Build(tuple(build_of(rules, part.strip()).attacks[0] for part in text.split("|")))
    encounter = tiny_encounter(rules, (3, 2), max_turns=4, strong=True)
    ends, _ = solve_naively(rules, build, tiny_attacker(rules), encounter)
    bout = Bout(tiny_attacker(rules), encounter)
    assert GreedyLoadoutEvaluator(rules).why_not(build, bout) is None
    found = GreedyLoadoutEvaluator(rules).evaluate(build, bout, Sampling(1))
    np.testing.assert_allclose(found.distribution, np.array(ends, float), rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("melee_dg+barrage+charges_2", "limit_scope", "strike"),
        ("melee_dg+barrage+double_tap", "barrage_triggers", "first"),
        ("melee_dg+unreliable_1 | melee_ac+passive", "failed_activation", "attack"),
    ],
)
def test_rulings_that_best_play_refuses(text, name, value):
    rules = tiny_rules(**{name: value})
    build = Build(tuple(build_of(rules, part.strip()).attacks[0] for part in text.split("|")))
    encounter = tiny_encounter(rules, (3, 2))
    assert f"{name}={value}" in why_not_exact(rules, build, tiny_attacker(rules), encounter)


def test_areas_look_ahead():
    rules = v2.rules()
    build = v2.space(tier=4).parse("area+power_attack | melee_dg+cooldown")
    bout = Bout(*scene(4, "25,25,10,10"), "optimal")
    assert "one enemy" in BestPlayEvaluator(rules).why_not(build, bout)
    assert ExactEvaluator(rules).why_not(build, bout) is not None
    found = LookaheadEvaluator(rules).evaluate(build, bout, Sampling(200, seed=1))
    greedy = ReferenceEvaluator(rules).evaluate(
        build, Bout(bout.attacker, bout.encounter), Sampling(200, seed=1)
    )
    assert found.method == "lookahead"
    assert mean(found) < mean(greedy)


def test_unknown_words_are_refused():
    rules = v2.rules()

    class Newer(type(rules.rulings)):
        how_dice_float: str = "never"

    newer = Newer(**rules.rulings.model_dump(), how_dice_float="often")
    changed = VitalityRules.model_construct(**{**dict(rules), "rulings": newer})
    attacker, encounter = scene(4, BOSS)
    build = Build((Attack("melee_dg"),))
    assert why_not_exact(rules, build, attacker, encounter) is None
    assert "how_dice_float" in why_not_exact(changed, build, attacker, encounter)
