"""JUnit, SARIF and annotations: valid, whatever a rules file calls its options."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import xmlschema
from sarif_pydantic import Sarif

from buildsearch.gate.results import AssertionResult, Level, Outcome, Violation
from buildsearch.report import ci
from buildsearch.report.ci import annotation_lines, junit_xml, sarif_json

SCHEMA = xmlschema.XMLSchema(str(Path(__file__).parents[1] / "gate" / "junit.xsd"))
EVIL = '<script>alert(1)</script> & "quoted" % , :: \x07\n|pipe|'
BAD = Violation(
    "fast", "build-beats-limit", Level.ERROR, ("brutal",), "boss", EVIL, 1.0, 2.0, 1.0, example="x"
)
WARNED = replace(BAD, level=Level.WARN, subjects=("bleed",))
OPEN = replace(BAD, is_open=True, subjects=("overhit",))


def outcome(*fresh, known=()):
    results = [
        AssertionResult(finding.assertion, finding.kind, finding.level, finding.where, (finding,))
        for finding in (*fresh, *known)
    ]
    return Outcome(
        (*results, AssertionResult("other", "ubiquitous-option", Level.ERROR, "tier 3", ())), fresh, known
    )


def test_junit_is_valid_and_counts():
    text = junit_xml(outcome(BAD, WARNED, OPEN, known=(replace(BAD, where="swarm"),)), "suite")
    SCHEMA.validate(text)
    tree = SCHEMA.to_dict(text)
    assert (tree["@tests"], tree["@failures"], tree["@errors"]) == (5, 1, 1)
    assert "alert(1)" in text
    assert "<script>" not in text


def test_sarif_is_valid_and_points_at_lines():
    places = {"brutal": ("rules/a b.yaml", 42)}
    data = json.loads(sarif_json(outcome(BAD, OPEN, known=(WARNED,)), "1.0", "rules/a b.yaml", places, {}))
    Sarif.model_validate(data)
    assert data["version"] == "2.1.0"
    (run,) = data["runs"]
    assert [result["baselineState"] for result in run["results"]] == ["new", "new", "unchanged"]
    (place,) = run["results"][0]["locations"]
    assert place["physicalLocation"]["region"]["startLine"] == 42
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "rules/a%20b.yaml"
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["partialFingerprints"]["buildsearch/v1"]
        assert result["level"] in ("error", "warning", "note", "none")
        assert result["kind"] in ("pass", "open", "informational", "notApplicable", "review", "fail")


def test_sarif_hides_what_is_too_much_and_says_so(monkeypatch):
    monkeypatch.setattr(ci, "MOST_RESULTS", 50)
    many = tuple(replace(BAD, where=f"place {i}") for i in range(57))
    data = json.loads(sarif_json(Outcome((), many), "1.0", "rules.yaml", {}, {}))
    assert len(data["runs"][0]["results"]) == 50
    assert data["runs"][0]["properties"]["hiddenResults"] == 7


def test_annotations_are_few_and_cannot_be_forged():
    lines = annotation_lines(outcome(BAD, WARNED), "rules/x.yaml", {"brutal": ("rules/x.yaml", 42)})
    assert lines[0].startswith("::error file=rules/x.yaml,line=42,title=fast::")
    assert lines[1].startswith("::warning file=rules/x.yaml,line=1,")
    assert all("\n" not in line for line in lines)
    many = tuple(replace(BAD, where=f"place {i}") for i in range(25))
    lines = annotation_lines(Outcome((), many), "rules/x.yaml", {})
    assert len(lines) == 11
    assert "15 more" in lines[-1]


def test_findings_of_a_list_are_one_annotation():
    listed = [replace(BAD, subjects=(name,), group="2 options are overcosted: a, b.") for name in "ab"]
    (line,) = annotation_lines(outcome(*listed), "rules/x.yaml", {})
    assert line.endswith("::2 options are overcosted: a, b.")
