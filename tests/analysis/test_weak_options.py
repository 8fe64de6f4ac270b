"""What is said about options that do nothing hangs on how much of them was seen."""

from __future__ import annotations

import pytest

from buildsearch.analysis.choices import Naming
from buildsearch.analysis.dead import NOTHING, DeadRule, dead_findings
from buildsearch.analysis.findings import FindingCode, FindingSeverity

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
