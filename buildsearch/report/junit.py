"""A check as JUnit XML: a case for each assertion and place, for CI systems that show tests."""

from __future__ import annotations

from collections.abc import Sequence
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
