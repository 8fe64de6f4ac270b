"""The kernel end to end: against the goldens of an independent program, and against the reference."""

from __future__ import annotations

import csv
import math
from dataclasses import replace

import numpy as np
import pytest
from numba import config
from scipy.stats import binomtest

from buildsearch.library.input_files import load_scenarios
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.grammar import parse_build
from buildsearch.systems.vitality.evaluators import KernelEvaluator, ReferenceEvaluator
from scripts.coverage_of_intervals import covered
from tests.conftest import REPOSITORY
from tests.v2 import catalogue, rules, space

GOLDEN_FILE = REPOSITORY / "tests" / "golden" / "vitality-v2.csv"
GOLDENS = list(csv.DictReader(GOLDEN_FILE.read_text(encoding="utf-8").splitlines()))
# About two million fights stand behind each golden; that error of a share is the binomial one.
GOLDEN_FIGHTS = 2_000_000
compiled_only = pytest.mark.skipif(config.DISABLE_JIT, reason="millions of fights need compiled code")


def stats(text):
    return ",".join(
        f"{n}={v}" for n, v in zip(("focus", "power", "mobility", "endurance"), text.split(","), strict=True)
    )


def z_of(difference, *errors):
    return 0.0 if difference == 0 else difference / max(math.hypot(*errors), 1e-9)


@compiled_only
@pytest.mark.parametrize("golden", GOLDENS, ids=[golden["case"] for golden in GOLDENS])
def test_golden(golden):
    options = {
        "enemies": golden["enemies"],
        "attacker": stats(golden["attacker"]),
        "enemy": stats(golden["enemy"]),
    }
    (bout,) = make_bouts(rules(), load_scenarios("default").model, int(golden["tier"]), options).values()
    build = parse_build(golden["build"], catalogue())
    found = KernelEvaluator(rules()).evaluate(build, bout, Sampling(200_000, seed=11, jobs=2))
    turns, survival = found.estimates["mean_turns"], found.estimates["survival"]
    assert abs(z_of(turns.value - float(golden["mean_turns"]), turns.se, float(golden["se"]))) <= 4
    known = float(golden["survival"])
    error = math.sqrt(known * (1 - known) / GOLDEN_FIGHTS)
    assert abs(z_of(survival.value - known, math.sqrt(known * (1 - known) / 200_000), error)) <= 4
    assert found.estimates["timeout_share"].value == pytest.approx(float(golden["timeouts"]), abs=1e-4)


def test_kernel_and_reference_agree_on_random_builds():
    """Every scenario of the default set and the long day, both effects; explosive conditions among them."""
    rng = np.random.default_rng(2)
    builds = [
        *space(tier=4, budget=6).sample(Wanted(), 16, rng),
        *space(tier=4, budget=6, effect="condition").sample(Wanted(), 5, rng),
        *space(tier=4, budget=8, effect="condition").sample(
            Wanted(with_features=("explosive_critical",)), 3, rng
        ),
        *space(tier=4, budget=6).sample(Wanted(groups=("area", "direct_area_damage")), 4, rng),
    ]
    bouts = [
        bout
        for name in ("default", "long-day")
        for bout in make_bouts(rules(), load_scenarios(name).model, 4, {}).values()
    ]
    kernel_fights = 60 if config.DISABLE_JIT else 40_000
    scores = []
    for i, build in enumerate(builds[::4] if config.DISABLE_JIT else builds):
        bout = bouts[i % len(bouts)]
        fast = KernelEvaluator(rules()).evaluate(build, bout, Sampling(kernel_fights, seed=5))
        slow = ReferenceEvaluator(rules()).evaluate(build, bout, Sampling(250, seed=5))
        for metric in ("mean_turns", "survival"):
            a, b = fast.estimates[metric], slow.estimates[metric]
            # A share of exactly 0 or 1 has no error of its own: take the other's, or one fight's worth.
            floor = 1 / 250
            scores.append(z_of(a.value - b.value, a.se, max(b.se, floor)))
    assert max(map(abs, scores)) < 4.5
    assert np.mean(np.square(scores)) < 2


@compiled_only
@pytest.mark.parametrize(
    ("build", "scenario"), [("melee_dg+brutal+unreliable_3", "boss"), ("melee_ac+ricochet", "swarm")]
)
def test_intervals_are_honest(build, scenario):
    """A small version of scripts/coverage_of_intervals.py, whose figures are in docs/measurements.md."""
    hits, _ = covered(build, scenario, 600, truth_blocks=100)
    assert binomtest(hits, 600, 0.95, alternative="less").pvalue > 0.001


def test_the_kernel_says_what_it_does_not_play():
    (boss, *_) = make_bouts(rules(), load_scenarios("default").model, 4, {}).values()
    kernel = KernelEvaluator(rules())
    optimal = replace(boss, play="optimal")
    assert "greedily" in kernel.why_not(parse_build("melee_dg | melee_ac", catalogue()), optimal)
    assert kernel.why_not(parse_build("melee_dg | melee_ac", catalogue()), boss) is None
    assert kernel.why_not(parse_build("area+splinter", catalogue()), boss) is None
    assert kernel.why_not(parse_build("area+bleed", catalogue()), boss) is None
