"""`buildsearch check`: assertions about balance, for CI."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.check_reports import accepted, error_data, exit_code, write_reports
from buildsearch.cli.clusters import ClusterOption, on_cluster
from buildsearch.cli.exit_codes import BAD_INPUT
from buildsearch.cli.option_groups import Kept, Overrides, ParameterValues
from buildsearch.cli.options import (
    DEFAULT_RULES,
    JobsOption,
    JsonOption,
    QuietOption,
    ScenariosOption,
    SeedOption,
)

if TYPE_CHECKING:
    from buildsearch.gate.config import GateConfig
    from buildsearch.library.fight_setup import FightSetup
    from buildsearch.views.check import Checked

EXAMPLE = (
    "Examples: buildsearch check --preset lenient;  buildsearch check --against main;  "
    "buildsearch check --junit check.xml --sarif check.sarif;  buildsearch check --update-baseline"
)


def command(
    *,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Default: buildsearch.toml, or [tool.buildsearch] in pyproject.toml."),
    ] = None,
    preset: Annotated[
        str | None, typer.Option("--preset", help="Checks that are shipped: lenient or strict.")
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", "-r", help="Ruleset, by name or path.")] = None,
    parameters: ParameterValues,
    scenarios: ScenariosOption = None,
    overrides: Overrides,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="REV_OR_FILE",
            help="Report only what is new since this revision of the rules, and the edit behind it.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="Accepted findings. Default: the config's.")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Accept everything that is found now.")
    ] = False,
    inconclusive: Annotated[
        str | None,
        typer.Option("--inconclusive", help="Count inconclusive checks as pass or fail (else exit 4)."),
    ] = None,
    fights: Annotated[
        int | None,
        typer.Option("--fights", min=0, help="Fights to rank builds, and as many for what is near a limit."),
    ] = None,
    junit: Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML here.")] = None,
    sarif: Annotated[Path | None, typer.Option("--sarif", help="Write SARIF 2.1.0 here.")] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write the report of the run here; of several, numbered."),
    ] = None,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    cluster: ClusterOption = None,
    kept: Kept,
    json_: JsonOption = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown: the comment on a pull request.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="List warnings and all checks.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Fail if a build is too strong or an option is useless.

    Holds what `analyze` finds against the checks of buildsearch.toml, on the run that `analyze` reads; where
    there is none, it is made. With --against, only findings that are new since then count.

    Exit codes: 0 pass (warnings included), 1 fail, 2 bad usage or input, 3 internal error, 4 inconclusive.
    """
    from buildsearch.cli.output import check_form, print_document
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import make_request
    from buildsearch.document.markdown import to_markdown
    from buildsearch.files.atomic import check_writable
    from buildsearch.gate.baseline import read_baseline
    from buildsearch.library.against import check_against
    from buildsearch.library.check import settings_of
    from buildsearch.library.fight_setup import check_jobs
    from buildsearch.library.stored_runs import Making
    from buildsearch.model.errors import BuildsearchError, UsageError
    from buildsearch.model.request import SearchRequest
    from buildsearch.views.check import check_document, comment_document

    begun = time.perf_counter()
    check_form(json_=json_, markdown=markdown)
    check_jobs(jobs)
    for asked in (junit, sarif, html):
        if asked is not None:
            check_writable(asked)
    if baseline is not None and not update_baseline and not baseline.exists():
        raise UsageError(f"there is no baseline {baseline}. Write one with --update-baseline.")
    if against is not None and update_baseline:
        raise UsageError(
            "--against reports what is new, --update-baseline accepts everything. Choose one of them."
        )
    try:
        settings = settings_of(config, preset, rules, scenarios, fights, inconclusive)
    except BuildsearchError as error:
        if not json_:
            raise
        typer.echo(json.dumps(error_data(error)))
        raise typer.Exit(BAD_INPUT) from error
    request = make_request(
        SearchRequest,
        settings.rules or DEFAULT_RULES,
        overrides=overrides,
        scenarios=settings.scenarios,
        seed=seed,
    )
    making = Making(kept.folder, jobs, watch_on_terminal(quiet=quiet or json_ or markdown))
    path = baseline or Path(settings.baseline)
    with on_cluster(cluster, jobs=jobs, quiet=quiet):
        if against is None:
            answer, setup = _check(
                settings, request, parameters.values, making, path, html, update=update_baseline
            )
        else:
            found = check_against(
                settings,
                request,
                parameters.values,
                against,
                making,
                read_known=lambda model: read_baseline(path, model),
                html=html,
            )
            answer, setup = found.page, found.setup
    if answer is None:
        return
    from dataclasses import replace

    answer = replace(answer, seconds=time.perf_counter() - begun, is_verbose=verbose)
    write_reports(answer, setup.loaded.model.id, junit, sarif)
    if markdown:
        typer.echo(to_markdown(comment_document(answer), level=3), nl=False)
    else:
        print_document(check_document(answer), json_=json_, tables=False, quiet=quiet)
    raise typer.Exit(exit_code(answer.outcome, settings.inconclusive))


def _check(
    settings: GateConfig,
    request: Any,
    values: Any,
    making: Any,
    baseline: Path,
    html: Path | None,
    *,
    update: bool,
) -> tuple[Checked | None, FightSetup]:
    """The check, or None where everything that it found was accepted."""
    from dataclasses import replace

    from buildsearch.gate.baseline import write_baseline
    from buildsearch.library.check import check_runs, page_of, sifted
    from buildsearch.library.search import content_hash

    checked = check_runs(settings, request, values, making, keep=True, html=html)
    outcome, known = sifted(checked, baseline)
    if update:
        model = checked.setup.loaded.model
        written = write_baseline(
            baseline, model.id, content_hash(model), checked.results, checked.labels, known
        )
        typer.echo(accepted(written, baseline))
        return None, checked.setup
    answer = page_of(outcome, checked.setup, builds=checked.builds, several=len(checked.runs) > 1)
    return replace(answer, fix=checked.fix, fights=checked.fights), checked.setup
