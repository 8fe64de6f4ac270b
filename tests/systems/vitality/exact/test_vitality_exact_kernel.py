"""Exact means against sampled ones, with the exact variance."""

import math

import numpy as np
import pytest
from vitality_exact_support import build_of, scene, v2_rules

from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.evaluators import ExactEvaluator, KernelEvaluator
from buildsearch.systems.vitality.rules.settings import read_settings
from tests import v1

FIGHTS = 4_000
BUILDS = 75
# Of 300 comparisons one in 500 runs would fail by chance, and the seed is fixed.
ERRORS = 4.5


@pytest.mark.parametrize(
    ("enemies", "budget", "effect"),
    [
        ("100", 6, "damage"),
        ("50,25,25", 8, "damage"),
        ("25,25,10,10,10,10,10", 10, "damage"),
        ("50,10,10,10,10,10", 6, "condition"),
    ],
)
def test_random_builds(enemies, budget, effect):
    rules = v2_rules()
    bout = Bout(*scene(4, enemies))
    settings = read_settings(rules, {"tier": "4", "budget": str(budget), "effect": effect})
    exact, kernel = ExactEvaluator(rules), KernelEvaluator(rules)
    z = []
    space = VitalitySpace(rules, settings)
    # Areas that roll and Ricochets have engines and tests of their own, and take a hundred times as long.
    types = tuple(name for name in space.count(Wanted()) if name != "area")
    wanted = Wanted(groups=types, without_features=("ricochet",))
    for build in space.sample(wanted, BUILDS, np.random.default_rng(budget)):
        if exact.why_not(build, bout) is not None:
            continue
        solved = exact.evaluate(build, bout, Sampling(1))
        sampled = kernel.evaluate(build, bout, Sampling(FIGHTS, seed=1))
        gap = sampled.estimates["mean_turns"].value - solved.estimates["mean_turns"].value
        error = solved.stdev / math.sqrt(FIGHTS)
        if error * FIGHTS < 0.5:  # as good as certain
            assert abs(gap) < 1e-3
        else:
            z.append(gap / error)
    assert len(z) > BUILDS / 3
    assert np.abs(z).max() < ERRORS
    assert 0.6 < np.std(z) < 1.4


@pytest.mark.parametrize(
    ("text", "enemies"),
    [
        ("melee_dg+quick_strikes+barrage+charges_1", "50,25,25"),
        ("melee_ac+barrage+double_tap+splinter", "25,25,10,10,10,10,10"),
        ("melee_dg+attrition+unreliable_1", "100"),
        ("melee_dg+attrition+bloodied+powerful_critical", "50,25,25"),
        ("melee_dg+bleed+cooldown", "50,25,25"),
        ("direct_damage+bleed+extra_attack+combo_move", "25,25"),
        ("direct_area_damage+bleed+splinter+relentless", "50,10,10,10,10,10"),
        ("ranged+passive+finishing_blow_3+culling_strike", "25,25,10"),
    ],
)
def test_v1(text, enemies):
    rules = v1.rules()
    bout, build = Bout(*scene(4, enemies)), build_of(rules, text)
    solved = ExactEvaluator(rules).evaluate(build, bout, Sampling(1))
    assert ExactEvaluator(rules).why_not(build, bout) is None
    sampled = KernelEvaluator(rules).evaluate(build, bout, Sampling(20_000, seed=1))
    gap = sampled.estimates["mean_turns"].value - solved.estimates["mean_turns"].value
    assert abs(gap) <= ERRORS * solved.stdev / math.sqrt(20_000) + 1e-9
    survival = solved.estimates["survival"].value
    gap = sampled.estimates["survival"].value - survival
    assert abs(gap) <= ERRORS * math.sqrt(survival * (1 - survival) / 20_000) + 1e-3
