"""A check for CI systems: JUnit XML, SARIF 2.1.0, and annotations of GitHub."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Tree

from buildsearch.gate.results import Level, Outcome, Violation

_MOST_LISTED = 20


def junit_xml(outcome: Outcome, suite: str) -> str:
    """The document. Findings that are known count as passed, with a note; warnings never fail a case."""
    fresh = {finding.fingerprint for finding in outcome.fresh}
    root = Tree.Element("testsuites")
    cases = Tree.SubElement(root, "testsuite", name=suite)
    failures = errors = skipped = 0
    for result in outcome.results:
        case = Tree.SubElement(
            cases,
            "testcase",
            classname=f"{suite}.{result.kind}",
            name=f"{result.assertion} ({result.where})",
            time=f"{result.seconds:.3f}",
        )
        new = [finding for finding in result.findings if finding.fingerprint in fresh]
        proven = [finding for finding in new if not finding.is_open]
        if new and result.level is Level.ERROR:
            # JUnit knows no third verdict: what could not be decided is an error, what is wrong a failure.
            tag = "failure" if proven else "error"
            failures, errors = failures + bool(proven), errors + (not proven)
            text = f"{len(new)} findings" if len(new) > 1 else new[0].message
            body = Tree.SubElement(case, tag, message=_clean(text), type=result.kind)
            body.text = _clean(_listed(proven or new))
        elif result.is_skipped and result.remark is not None:
            Tree.SubElement(case, "skipped", message=_clean(result.remark.text))
            skipped += 1
        elif result.findings:
            Tree.SubElement(case, "system-out").text = _clean(_listed(result.findings))
    counts = {"tests": str(len(outcome.results)), "failures": str(failures), "errors": str(errors)}
    cases.set("skipped", str(skipped))
    for element in (root, cases):
        for name, count in counts.items():
            element.set(name, count)
    Tree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Tree.tostring(root, encoding="unicode") + "\n"


def _listed(findings: Sequence[Violation]) -> str:
    lines = [finding.message for finding in findings[:_MOST_LISTED]]
    hidden = len(findings) - len(lines)
    return "\n".join([*lines, f"and {hidden} more"] if hidden else lines)


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold at all."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text)


FileLine = tuple[str, int]
# What code hosts take in one file; the rest is counted.
MOST_RESULTS = 5_000
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Level.ERROR: "error", Level.WARN: "warning", Level.OFF: "none"}


def sarif_json(
    outcome: Outcome, version: str, rules_file: str, places: Mapping[str, FileLine], about: Mapping[str, str]
) -> str:
    """The document. `places` says in which file and line each option stands, `about` what a kind means."""
    findings = sorted(
        [
            *((finding, "new") for finding in outcome.fresh),
            *((finding, "unchanged") for finding in outcome.known),
        ],
        key=lambda pair: (pair[1], pair[0].level is not Level.ERROR, -pair[0].excess),
    )
    kinds = list(dict.fromkeys(finding.kind for finding, _ in findings))
    run = {
        "tool": {
            "driver": {
                "name": "buildsearch",
                "semanticVersion": version,
                "rules": [
                    {"id": kind, "shortDescription": {"text": about.get(kind, kind.replace("_", " "))}}
                    for kind in kinds
                ],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, state, kinds, rules_file, places) for finding, state in findings[:MOST_RESULTS]
        ],
    }
    hidden = len(findings) - MOST_RESULTS
    if hidden > 0:
        run["properties"] = {"hiddenResults": hidden}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(
    finding: Violation, state: str, kinds: list[str], rules_file: str, places: Mapping[str, FileLine]
) -> dict[str, Any]:
    found = [places[name] for name in finding.subjects if name in places] or [(rules_file, 1)]
    return {
        "ruleId": finding.kind,
        "ruleIndex": kinds.index(finding.kind),
        "level": _LEVELS[finding.level],
        "kind": "open" if finding.is_open and finding.level is Level.OFF else "fail",
        "message": {"text": finding.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(file)},
                    "region": {"startLine": line},
                }
            }
            for file, line in found
        ],
        "partialFingerprints": {"buildsearch/v1": finding.fingerprint},
        "baselineState": state,
        "properties": {
            "assertion": finding.assertion,
            "where": finding.where,
            "value": finding.value,
            "limit": finding.limit,
            "example": finding.example,
            "inconclusive": finding.is_open,
        },
    }


# GitHub shows ten of each kind and drops the rest silently; we say how many are not shown.
MOST_ANNOTATIONS = 10


def annotation_lines(outcome: Outcome, rules_file: str, places: Mapping[str, tuple[str, int]]) -> list[str]:
    """Workflow commands for what is new, the worst first; a finding that lists options is one."""
    each = {
        (found.assertion, found.where, found.group or found.fingerprint): found
        for found in outcome.fresh[::-1]
    }
    fresh = list(each.values())[::-1]
    shown = fresh[:MOST_ANNOTATIONS]
    hidden = len(fresh) - len(shown)
    found = [_annotation(finding, rules_file, places) for finding in shown]
    if hidden:
        found.append(f"::notice::{hidden} more findings are not shown; see the check's output.")
    return found


def _annotation(finding: Violation, rules_file: str, places: Mapping[str, tuple[str, int]]) -> str:
    word = "error" if finding.level is Level.ERROR else "warning"
    file, line = next((places[name] for name in finding.subjects if name in places), (rules_file, 1))
    place = f"file={_property(file)},line={line},title={_property(finding.code or finding.assertion)}"
    return f"::{word} {place}::{_data(finding.group or finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
