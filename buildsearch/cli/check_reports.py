"""A check for programs: JSON, JUnit, SARIF, annotations."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from buildsearch.cli.problems import problem_to_dict
from buildsearch.files.atomic import write_whole
from buildsearch.gate.checker import ABOUT
from buildsearch.gate.results import Outcome
from buildsearch.model.errors import BuildsearchError, InputError
from buildsearch.report.annotations import annotation_lines, step_summary
from buildsearch.report.junit import junit_xml
from buildsearch.report.sarif import sarif_json
from buildsearch.ruleset.extends import from_here, option_lines
from buildsearch.version import __version__


def write_reports(outcome: Outcome, loaded: Any, junit: Path | None, sarif: Path | None) -> None:
    """JUnit and SARIF where they are asked for, and what GitHub shows beside the lines of a change."""
    ids = {option.id for option in loaded.system.options(loaded.model)}
    places = option_lines(loaded.path, ids)
    rules_file = from_here(str(loaded.path))
    if junit is not None:
        write_whole(junit, junit_xml(outcome, f"buildsearch.{loaded.model.id}"))
    if sarif is not None:
        write_whole(sarif, sarif_json(outcome, __version__, rules_file, places, ABOUT))
    if os.environ.get("GITHUB_ACTIONS"):
        for line in annotation_lines(outcome, rules_file, places):
            typer.echo(line, err=True)
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(step_summary(outcome, f"buildsearch check of {loaded.model.id}"))


def as_data(outcome: Outcome, seconds: float) -> dict[str, Any]:
    """The whole check, for `--json`."""
    return {
        "verdict": outcome.verdict.value,
        "new": [asdict(finding) | {"fingerprint": finding.fingerprint} for finding in outcome.fresh],
        "known": [finding.fingerprint for finding in outcome.known],
        "fixed": list(outcome.fixed),
        "assertions": [
            {
                "assertion": result.assertion,
                "kind": result.kind,
                "level": result.level.value,
                "where": result.where,
                "verdict": "accepted" if outcome.accepts(result) else result.verdict.value,
                "findings": len(result.findings),
                "can_fail": result.can_fail,
                "remark": None if result.remark is None else result.remark.text,
            }
            for result in outcome.results
        ],
        "seconds": round(seconds, 3),
    }


def error_as_data(error: BuildsearchError) -> dict[str, Any]:
    """What is wrong with the words or files of a check, for who reads JSON."""
    if isinstance(error, InputError):
        problems = [problem_to_dict(problem) for problem in error.problems]
    else:
        problems = [{"message": str(error), "severity": "error"}]
    return {"verdict": "error", "problems": problems}
