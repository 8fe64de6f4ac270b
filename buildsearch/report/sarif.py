"""A check as SARIF 2.1.0, pointing at the lines of the rules file that findings are about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from buildsearch.gate.results import Level, Outcome, Violation

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
