"""`buildsearch check`: assertions about balance, for CI."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.failures import BAD_INPUT, FINDINGS, FINE, INCONCLUSIVE
from buildsearch.options.balance import CheckFields
from buildsearch.options.fields import Flag, Hiding
from buildsearch.options.game import DEFAULT_RULES, NO_FILTERS, GameOptions, ParameterValues
from buildsearch.options.output import Cluster, Execution, PageOutput
from buildsearch.options.search import SearchOptions

if TYPE_CHECKING:
    from buildsearch.gate.results import Outcome
    from buildsearch.views.check import Checked


EXAMPLE = (
    "Examples: buildsearch check --preset lenient;  buildsearch check --against main;  "
    "buildsearch check --junit check.xml --sarif check.sarif;  buildsearch check --update-baseline"
)


@dataclass(frozen=True, kw_only=True)
class Reports:
    """Where the result goes."""

    junit: Annotated[Path | None, Flag("Write JUnit XML here.")] = None
    sarif: Annotated[Path | None, Flag("Write SARIF 2.1.0 here.")] = None
    html: Annotated[Path | None, Flag("Write the report of the run here; of several, numbered.")] = None


def command(
    *,
    given: CheckFields,
    rules: Annotated[str | None, Flag("Ruleset, by name or path.", "--rules", "-r")] = None,
    parameters: ParameterValues,
    game: Annotated[GameOptions, NO_FILTERS, Hiding("rules", "parameters", "only", "fight_options")],
    update_baseline: Annotated[bool, Flag("Accept everything that is found now.")] = False,
    inconclusive: Annotated[
        str | None, Flag("Count inconclusive checks as pass or fail (else exit 4).")
    ] = None,
    reports: Reports,
    how: Execution,
    cluster: Cluster = None,
    verbose: Annotated[bool, Flag("List warnings and all checks.")] = False,
    output: PageOutput,
) -> None:
    """Fail if a build is too strong or an option is useless.

    Holds what `analyze` finds against the checks of buildsearch.toml, on the run that `analyze` reads; where
    there is none, it is made. With --against, only findings that are new since then count.

    Exit codes: 0 pass (warnings included), 1 fail, 2 bad usage or input, 3 internal error, 4 inconclusive.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import scoring_on_terminal
    from buildsearch.document.markdown import to_markdown
    from buildsearch.files.atomic import check_writable
    from buildsearch.library.check import accept_findings, check_game, settings_of
    from buildsearch.model.errors import BuildsearchError, UsageError
    from buildsearch.views.check import check_document, comment_document

    begun = time.perf_counter()
    for asked in (reports.junit, reports.sarif, reports.html):
        if asked is not None:
            check_writable(asked)
    if given.baseline is not None and not update_baseline and not Path(given.baseline).exists():
        raise UsageError(f"there is no baseline {given.baseline}. Write one with --update-baseline.")
    if given.against is not None and update_baseline:
        raise UsageError(
            "--against reports what is new, --update-baseline accepts everything. Choose one of them."
        )
    if inconclusive not in (None, "pass", "fail"):
        raise UsageError(f"--inconclusive is pass or fail, not `{inconclusive}`.")
    try:
        settings = settings_of(given)
    except BuildsearchError as error:
        if not output.json:
            raise
        typer.echo(json.dumps(error_data(error)))
        raise typer.Exit(BAD_INPUT) from error
    request = SearchOptions(
        rules=rules or settings.rules or DEFAULT_RULES,
        overrides=game.overrides,
        rulings=game.rulings,
        scenarios=game.scenarios or settings.scenarios,
        seed=given.seed,
    )
    with scoring_on_terminal(how, output, cluster) as scoring:
        asked_of: tuple[Any, ...] = (settings, request, dict(parameters), scoring, given)
        if update_baseline:
            typer.echo(accepted(*accept_findings(*asked_of, html=reports.html)))
            return
        check = check_game(*asked_of, keep=True, html=reports.html)
    found = replace(check.found, seconds=time.perf_counter() - begun, is_verbose=verbose)
    write_reports(found, check.setup.loaded.model.id, reports.junit, reports.sarif)
    if output.markdown:
        typer.echo(to_markdown(comment_document(found), level=3), nl=False)
    else:
        print_document(check_document(found), output, tables=False)
    raise typer.Exit(exit_code(found.outcome, inconclusive or settings.inconclusive))


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
    from buildsearch.cli.terminal import problem_to_dict
    from buildsearch.model.errors import InputError

    if isinstance(error, InputError):
        problems = [problem_to_dict(problem) for problem in error.problems]
    else:
        problems = [{"message": str(error), "severity": "error"}]
    return {"status": "error", "problems": problems}


def exit_code(outcome: Outcome, inconclusive: str | None) -> int:
    from buildsearch.gate.results import CheckStatus

    if outcome.verdict is CheckStatus.FAIL:
        return FINDINGS
    if outcome.verdict is CheckStatus.PASS or inconclusive == "pass":
        return FINE
    return FINDINGS if inconclusive == "fail" else INCONCLUSIVE
