"""What is said about options that do nothing hangs on how much of them was seen."""

from __future__ import annotations

import pytest

from buildsearch.analysis.choices import Naming
from buildsearch.analysis.dead import NOTHING, DeadRule, dead_findings
from buildsearch.analysis.findings import DEAD, ERROR, Severity

NAMING = Naming(["overhit"], {"overhit": "Overhit"})


@pytest.mark.parametrize(
    ("is_small", "kind", "severity", "cure"),
    [
        (False, ERROR, Severity.ERROR, "Correct the rule"),
        (True, DEAD, Severity.WARNING, "Look at a larger space first. Correct the rule"),
    ],
)
def test_a_handful_of_builds_is_no_error_of_the_rules(is_small, kind, severity, cure):
    rule = DeadRule(0, NOTHING, True, "1 build with it scores as without it", 1, 1, 0.0, 8)
    (found,) = dead_findings([rule], NAMING, is_small=is_small)
    assert (found.kind, found.severity) == (kind, severity)
    assert found.cures[0].startswith(cure)
    assert found.text == "Overhit changes nothing: 1 build with it scores as without it."
