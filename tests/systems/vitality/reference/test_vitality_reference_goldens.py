"""The golden fights: mean turns and survival of 50 builds that two independent programs agree on."""

import csv
import math

import pytest
from numba import config
from vitality_reference_support import ROOT, attacker, build, encounter, v2

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.systems.vitality.reference.fight import fight

FIGHTS = 2_000  # 50 s in all on a busy core; 20,000 agree within 3 errors too
GOLDEN_FIGHTS = 2_200_000
# Of 100 comparisons one in 1,500 runs would fail by chance, and the seed is fixed.
ERRORS = 4.5

with (ROOT / "tests" / "golden" / "vitality-v2.csv").open(encoding="utf-8") as file:
    CASES = list(csv.DictReader(file))


# Nothing here is compiled, so the run without the JIT would only say the same again, at length.
@pytest.mark.skipif(config.DISABLE_JIT, reason="the same with and without the JIT")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['case']}-{case['build']}")
def test_golden(case):
    loadout, hero = build(case["build"]), attacker(int(case["tier"]), case["attacker"])
    ground = encounter(case["enemies"], enemy=case["enemy"])
    dice = SeededDice(int(case["case"][1:]))
    results = [fight(v2(), loadout, hero, ground, dice) for _ in range(FIGHTS)]

    mean = sum(each.turns for each in results) / FIGHTS
    variance = sum((each.turns - mean) ** 2 for each in results) / FIGHTS
    error = math.hypot(math.sqrt(variance / FIGHTS), float(case["se"]))
    assert abs(mean - float(case["mean_turns"])) <= ERRORS * error

    expected = float(case["survival"])
    survival = sum(each.survived for each in results) / FIGHTS
    error = math.sqrt(expected * (1 - expected) * (1 / FIGHTS + 1 / GOLDEN_FIGHTS))
    assert abs(survival - expected) <= ERRORS * error
