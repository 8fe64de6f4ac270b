"""The golden fights, exactly."""

import csv
import math

import pytest
from vitality_exact_support import ROOT, build_of, scene, v2_rules

from buildsearch.model.evaluation import Sampling
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.evaluators import ExactEvaluator

GOLDEN_FIGHTS = 2_200_000
ERRORS = 4.0
NOT_SOLVED = {"g50"}

with (ROOT / "tests" / "golden" / "vitality-v2.csv").open(encoding="utf-8") as file:
    CASES = list(csv.DictReader(file))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['case']}-{case['build']}")
def test_golden(case):
    rules = v2_rules()
    build = build_of(rules, case["build"])
    attacker, encounter = scene(int(case["tier"]), case["enemies"], case["attacker"], case["enemy"])
    bout, engine = Bout(attacker, encounter), ExactEvaluator(rules)
    if engine.why_not(build, bout) is not None:
        assert case["case"] in NOT_SOLVED
        return
    assert case["case"] not in NOT_SOLVED
    solved = engine.evaluate(build, bout, Sampling(1))
    mean = solved.estimates["mean_turns"].value
    assert abs(mean - float(case["mean_turns"])) <= ERRORS * float(case["se"]) + 1e-5
    survival = solved.estimates["survival"].value
    error = math.sqrt(survival * (1 - survival) / GOLDEN_FIGHTS)
    assert abs(survival - float(case["survival"])) <= ERRORS * error + 1e-5
    assert solved.distribution.sum() == pytest.approx(1, abs=1e-12)
