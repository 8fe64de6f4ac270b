"""Exact means against sampled ones, with the exact variance."""

import math

import numpy as np
import pytest
from vitality_exact_support import scene, v2_rules

from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.engines import ExactEvaluator, KernelEvaluator
from buildsearch.systems.vitality.settings import read_settings
from buildsearch.systems.vitality.space import VitalitySpace

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
    for build in VitalitySpace(rules, settings).sample(Wanted(), BUILDS, np.random.default_rng(budget)):
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
