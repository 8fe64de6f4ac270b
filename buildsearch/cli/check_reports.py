"""Where the result of a check goes: JUnit, SARIF, annotations of GitHub, JSON, the exit code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from buildsearch.cli.exit_codes import FINDINGS, FINE, INCONCLUSIVE

if TYPE_CHECKING:
    from buildsearch.gate.results import Outcome
    from buildsearch.views.check import Checked


def accepted(count: int, baseline: Path) -> str:
    """What was written, and what to do with it."""
    if count == 0:
        return f"Nothing to accept: no findings. Wrote an empty {baseline}; commit it."
    are = "1 finding" if count == 1 else f"{count} findings"
    each = "a reason" if count == 1 else "a reason to each"
    return f"Accepted {are} in {baseline}. Add {each} and commit the file."


def write_reports(answer: Checked, rules: str, junit: Path | None, sarif: Path | None) -> None:
    """JUnit and SARIF where they are asked for, and what GitHub shows beside the lines of a change."""
    from buildsearch.document.markdown import to_markdown
    from buildsearch.files.atomic import write_whole
    from buildsearch.gate.checker import ABOUT
    from buildsearch.report.ci import annotation_lines, junit_xml, sarif_json
    from buildsearch.version import __version__
    from buildsearch.views.check import comment_document

    if junit is not None:
        write_whole(junit, junit_xml(answer.outcome, f"buildsearch.{rules}"))
    if sarif is not None:
        write_whole(sarif, sarif_json(answer.outcome, __version__, answer.rules_file, answer.places, ABOUT))
    if os.environ.get("GITHUB_ACTIONS"):
        for line in annotation_lines(answer.outcome, answer.rules_file, answer.places):
            typer.echo(line, err=True)
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(to_markdown(comment_document(answer), level=3))


def error_data(error: Any) -> dict[str, Any]:
    """What is wrong with the words or files of a check, for programs."""
    from buildsearch.cli.problems import problem_to_dict
    from buildsearch.model.errors import InputError

    if isinstance(error, InputError):
        problems = [problem_to_dict(problem) for problem in error.problems]
    else:
        problems = [{"message": str(error), "severity": "error"}]
    return {"status": "error", "problems": problems}


def exit_code(outcome: Outcome, inconclusive: str | None) -> int:
    """The exit code of a check."""
    from buildsearch.gate.results import CheckStatus

    if outcome.verdict is CheckStatus.FAIL:
        return FINDINGS
    if outcome.verdict is CheckStatus.PASS or inconclusive == "pass":
        return FINE
    return FINDINGS if inconclusive == "fail" else INCONCLUSIVE
