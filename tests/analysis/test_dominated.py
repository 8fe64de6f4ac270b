"""Options that another outclasses, and findings under other readings."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.analysis.choices import Naming
from buildsearch.analysis.dead import NOTHING, DeadRule, dead_findings
from buildsearch.analysis.findings import FindingCode, FindingSeverity
from buildsearch.analysis.robustness import rows_that_matter, with_readings
from buildsearch.model.rules_file import Variation
from buildsearch.search.readings import Reading, Readings
from tests.analysis.test_verdict import game

NAMING = Naming(["overhit"], {"overhit": "Overhit"})


@pytest.mark.parametrize(
    ("is_small", "code", "severity", "fix"),
    [
        (False, FindingCode.NEVER_TRIGGERS, FindingSeverity.ERROR, "Correct the rule"),
        (
            True,
            FindingCode.DEAD_OPTION,
            FindingSeverity.WARNING,
            "Look at a larger space first. Correct the rule",
        ),
    ],
)
def test_a_handful_of_builds_is_no_error_of_the_rules(is_small, code, severity, fix):
    rule = DeadRule(0, NOTHING, True, "1 build with it scores as without it", 1, 1, 0.0, 8)
    (found,) = dead_findings([rule], NAMING, {}, is_small=is_small)
    assert (found.code, found.severity) == (code, severity)
    assert found.fix.startswith(fix)
    assert found.text == "Overhit changes nothing: 1 build with it scores as without it."


def test_an_enemy_that_no_scenario_has_is_a_fault_of_the_scenarios():
    rule = DeadRule(0, NOTHING, True, "it never fired", 1, 1, 0.0, 8)
    (found,) = dead_findings([rule], NAMING, {"overhit": "an enemy of 250 HP"}, is_small=False)
    assert (found.code, found.severity) == (FindingCode.ABSENT_TARGET, FindingSeverity.WARNING)
    assert found.text == "Overhit needs an enemy of 250 HP, and no scenario has one."


def reading(label, scores, problem=None):
    change = None if label is None else Variation("ruling", label, (label,))
    return Reading(change, scores, np.zeros(len(scores)), scores, problem)


def test_a_must_have_that_a_reading_takes_away():
    judged = game(lambda logs, has: logs - 0.35 * has["careful_aim"])
    verdict = judged.verdict
    rows = rows_that_matter(verdict)
    population = verdict.contest.population
    usual = population.scores.score[rows]
    has = population.levels[population.names.index("careful_aim"), rows] > 0
    # Under the second reading it does nothing special; the third cannot be scored.
    weaker = np.where(has, usual * np.exp(0.35), usual)
    readings = Readings(
        tuple(map(str, rows)),
        reading(None, usual),
        (reading("same", usual), reading("weaker", weaker), reading("no", usual * np.nan, problem="no")),
    )
    (finding,) = with_readings(judged.findings, verdict, rows, readings)
    assert finding.holds == "It holds under 1 of 2 other readings, not under weaker."
    alone = Readings(readings.names, readings.usual, readings.others[:1])
    (finding,) = with_readings(judged.findings, verdict, rows, alone)
    assert finding.holds == "It holds under all 1 other readings that were looked at."
    nothing = Readings(readings.names, readings.usual, ())
    assert with_readings(judged.findings, verdict, rows, nothing)[0].holds == ""


def test_the_builds_that_matter_hold_the_best_with_and_without_each_choice():
    verdict = game().verdict
    rows = set(rows_that_matter(verdict))
    assert verdict.contest.winner in rows
    assert {reach.row for reach in verdict.reaches} <= rows
    assert len(rows) < 120
