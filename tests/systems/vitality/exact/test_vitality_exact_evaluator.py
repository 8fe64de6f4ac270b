"""What the evaluator says and refuses."""

import numpy as np
import pytest
from vitality_exact_support import build_of, scene, tiny_attacker, tiny_encounter, tiny_rules, v2_rules

from buildsearch.model.evaluation import Sampling
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.evaluators import ExactEvaluator
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.system import VitalitySystem


def test_it_comes_first():
    methods = [each.method for each in VitalitySystem().evaluators(v2_rules())]
    assert list(dict.fromkeys(methods)) == ["exact", "sampled", "lookahead", "reference"]


def test_an_exact_evaluation_has_no_error_and_no_seed():
    rules = v2_rules()
    found = ExactEvaluator(rules).evaluate(build_of(rules, "melee_dg"), Bout(*scene(5, "100")), Sampling(7))
    assert (found.method, found.fights, found.seed) == ("exact", None, None)
    for estimate in found.estimates.values():
        assert (estimate.se, estimate.low, estimate.high) == (0, estimate.value, estimate.value)
    assert found.quantiles["p10"] <= found.quantiles["p50"] <= found.quantiles["p90"]
    assert found.estimates["damage_per_turn"].value == pytest.approx(
        100 / found.estimates["mean_turns"].value
    )


@pytest.mark.parametrize(
    ("text", "enemies", "word"),
    [
        ("melee_ac+ricochet+bleed", "25,25", "bleed"),
        ("melee_ac+barrage+explosive_critical+bleed", "25,25", "bleed"),
        ("area+bleed", "25,25", "bleed"),
        ("area+barrage+combo_move", "25,25", "was hit"),
    ],
)
def test_what_it_does_not_solve(text, enemies, word):
    rules = v2_rules()
    engine, build = ExactEvaluator(rules), build_of(rules, text)
    assert word in engine.why_not(build, Bout(*scene(4, enemies)))
    # Against one enemy there is nothing to share.
    assert engine.why_not(build, Bout(*scene(4, "25"))) is None


def test_loadouts_are_not_solved():
    rules = v2_rules()
    build = build_of(rules, "melee_ac")
    loadout = Build(build.attacks * 2)
    assert "one attack" in ExactEvaluator(rules).why_not(loadout, Bout(*scene(4, "25")))


def test_a_ruling_that_is_not_solved():
    rules = tiny_rules(target="highest_hp")
    bout = Bout(tiny_attacker(rules), tiny_encounter(rules, (3, 4)))
    assert "highest_hp" in ExactEvaluator(rules).why_not(build_of(rules, "melee_dg"), bout)


def test_too_many_states_are_refused():
    rules = v2_rules()
    build = build_of(rules, "melee_dg+bleed+near_death")
    assert "too many" in ExactEvaluator(rules).why_not(build, Bout(*scene(4, "1000")))


def test_the_turn_limit_is_kept():
    rules = v2_rules()
    attacker, encounter = scene(3, "100", enemy="2,2,9,9")
    solution = solve(exact_ground(rules, build_of(rules, "melee_dg"), attacker, encounter))
    assert solution.timeouts > 0.5
    assert solution.ends.sum() == pytest.approx(1, abs=1e-12)
    assert solution.ends[100] == pytest.approx(solution.timeouts, abs=0.02)
    assert np.all(solution.ends >= 0)
