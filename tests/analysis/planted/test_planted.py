"""Planted faults are named first or second, and what is healthy has no error.

A part of the suite is a file here, which says how it was written. What is missed is kept as it was planted:
the test fails as soon as a definition names it.
"""

from __future__ import annotations

import json

import numba
import pytest

from tests.analysis.planted.plants import BASES, CODES, Plant, is_named, planted, said_about
from tests.analysis.tables import PLANTED

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="scores thousands of builds")

PARTS = {part: planted(part) for part in ("open", "sealed", "third")}


@pytest.mark.parametrize("part", ["open", "sealed"])
def test_all_kinds_are_planted_in_three_games(part):
    faults, healthy = PARTS[part]
    assert {fault.kind for fault in faults} == set(CODES)
    assert len({fault.base for fault in faults}) >= 3
    assert len(healthy) >= 8


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.name)
def test_a_base_has_nothing_worse_than_notes(base, run, elsewhere):
    """Or the place of a plant among the findings would say nothing."""
    said = said_about(Plant(base, "as it is"), run, elsewhere)
    assert [each for each in said if each.severity != "note"] == []


@pytest.mark.parametrize("fault", [each for faults, _ in PARTS.values() for each in faults], ids=str)
def test_a_fault_is_named_first_or_second_unless_it_was_missed(fault, run, elsewhere):
    said = said_about(fault, run, elsewhere)
    assert is_named(fault, said) != bool(fault.missed), [(each.code, each.subjects) for each in said]


@pytest.mark.parametrize("variant", [each for _, healthy in PARTS.values() for each in healthy], ids=str)
def test_a_healthy_variant_has_no_error(variant, run, elsewhere):
    said = said_about(variant, run, elsewhere)
    assert [each for each in said if each.is_error] == []


def test_several_faults_at_once_are_each_found(run, elsewhere):
    """The pair and the blessing hide one another: without either the best build is hardly worse."""
    scored = run("optimize", "--rules", PLANTED, "--set", "focused.budgets.3=5", "-q", "--top", 1)
    assert scored.code == 0, scored.err
    ended = run("analyze", "--json")
    assert ended.code == 0, ended.err
    said = [(each["code"], set(each["subjects"])) for each in json.loads(ended.out)["findings"]]
    assert said[0] == ("must-have", {"wide_eye", "cruel_luck", "blessing"})
    assert ("absent-target", {"dragon_bane"}) in said
    assert any(code == "strictly-worse" and "feeble" in options for code, options in said)
    assert any(code in CODES["overcosted"] and "opening" in options for code, options in said)
