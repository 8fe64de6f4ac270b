"""A check as GitHub shows it: annotations on the rules file."""

from __future__ import annotations

from collections.abc import Mapping

from buildsearch.gate.results import Level, Outcome, Violation

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
