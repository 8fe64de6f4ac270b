"""`buildsearch check`: assertions about balance, for CI."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from buildsearch.cli.exit_codes import BAD_INPUT
from buildsearch.options.balance import CheckFields
from buildsearch.options.fields import Flag, Hiding
from buildsearch.options.game import DEFAULT_RULES, NO_FILTERS, GameOptions, ParameterValues
from buildsearch.options.output import Cluster, Execution, PageOutput
from buildsearch.options.search import SearchOptions

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
    from buildsearch.cli.check_reports import accepted, error_data, exit_code, write_reports
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import on_cluster, watch_on_terminal
    from buildsearch.document.markdown import to_markdown
    from buildsearch.files.atomic import check_writable
    from buildsearch.library.check import accept_findings, check_game, settings_of
    from buildsearch.library.stored_runs import Making
    from buildsearch.library.watch import cache_folder
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
    watch = watch_on_terminal(quiet=output.is_silent)
    with on_cluster(cluster, jobs=how.jobs, quiet=output.quiet) as jobs:
        making = Making(cache_folder(how.cache, watch), jobs, watch)
        asked_of: tuple[Any, ...] = (settings, request, dict(parameters), making, given)
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
