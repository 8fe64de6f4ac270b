"""`buildsearch check`: assertions about balance, for CI."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.clusters import ClusterOption, on_cluster
from buildsearch.cli.exit_codes import BAD_INPUT, FINDINGS, FINE, INCONCLUSIVE
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
    from buildsearch.gate.results import Outcome

EXAMPLE = (
    "Examples: buildsearch check --preset lenient;  "
    "buildsearch check --junit check.xml --sarif check.sarif;  buildsearch check --update-baseline"
)
_SHOWN = 30


def command(
    *,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Default: buildsearch.toml, or [tool.buildsearch] in pyproject.toml."),
    ] = None,
    preset: Annotated[
        str | None, typer.Option("--preset", help="Assertions that are shipped: lenient or strict.")
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", "-r", help="Ruleset, by name or path.")] = None,
    parameters: ParameterValues,
    scenarios: ScenariosOption = None,
    overrides: Overrides,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="Accepted findings. Default: the config's.")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Accept everything that is found now.")
    ] = False,
    inconclusive: Annotated[
        str | None,
        typer.Option("--inconclusive", help="Count what stays open as pass or fail (else exit 4)."),
    ] = None,
    fights: Annotated[
        int | None, typer.Option("--fights", min=0, help="Fights to decide what is near a limit.")
    ] = None,
    junit: Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML here.")] = None,
    sarif: Annotated[Path | None, typer.Option("--sarif", help="Write SARIF 2.1.0 here.")] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            help="Write the report of the run here, and the run beside it; of several, numbered.",
        ),
    ] = None,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    cluster: ClusterOption = None,
    kept: Kept,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Fail where a build is too strong, or an option is dead weight.

    What `analyze` accuses, as assertions for CI: buildsearch.toml says which hold for your game.

    Exit codes: 0 pass (warnings included), 1 fail, 2 bad usage or input, 3 internal error, 4 inconclusive.
    """
    from buildsearch.cli.check_reports import as_data, error_as_data, write_reports
    from buildsearch.cli.check_view import print_outcome
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import make_request
    from buildsearch.files.atomic import check_writable
    from buildsearch.gate.baseline import write_baseline
    from buildsearch.model.errors import BuildsearchError, UsageError
    from buildsearch.model.request import SearchRequest
    from buildsearch.workflow.check import check_runs, sifted
    from buildsearch.workflow.fight_setup import check_jobs
    from buildsearch.workflow.search import content_hash

    check_jobs(jobs)
    for asked in (junit, sarif, html):
        if asked is not None:
            check_writable(asked)
    if baseline is not None and not update_baseline and not baseline.exists():
        raise UsageError(f"there is no baseline {baseline}. Write one with --update-baseline.")
    try:
        settings = _settings(config, preset, rules, scenarios, fights, inconclusive)
    except BuildsearchError as error:
        if not json_:
            raise
        typer.echo(json.dumps(error_as_data(error)))
        raise typer.Exit(BAD_INPUT) from error
    request = make_request(
        SearchRequest,
        settings.rules or DEFAULT_RULES,
        overrides=overrides,
        scenarios=settings.scenarios,
        seed=seed,
    )
    begun = time.perf_counter()
    watch = watch_on_terminal(quiet=quiet or json_)
    with on_cluster(cluster, jobs=jobs, quiet=quiet):
        judged = check_runs(
            settings, request, parameters.values, cache=kept.folder, jobs=jobs, html=html, watch=watch
        )
    path = baseline or Path(settings.baseline)
    outcome, known = sifted(judged, path)
    if update_baseline:
        model = judged.loaded.model
        count = write_baseline(path, model.id, content_hash(model), judged.results, judged.labels, known)
        are = "1 finding is" if count == 1 else f"{count} findings are"
        typer.echo(f"{are} accepted in {path}. Write a reason for each, and commit it.")
        return
    write_reports(outcome, judged.loaded, junit, sarif)
    if json_:
        typer.echo(json.dumps(as_data(outcome, time.perf_counter() - begun)))
    elif not quiet:
        print_outcome(outcome, _SHOWN)
    raise typer.Exit(_exit_code(outcome, settings.inconclusive))


def _settings(
    config: Path | None,
    preset_name: str | None,
    rules: str | None,
    scenarios: str | None,
    fights: int | None,
    inconclusive: str | None,
) -> GateConfig:
    """The config, then a preset for what it leaves open, with the command line's words on top."""
    from buildsearch.gate.config import read_config, with_preset
    from buildsearch.model.errors import UsageError

    found = with_preset(read_config(config)[0], preset_name)
    if inconclusive not in (None, "pass", "fail"):
        raise UsageError(f"--inconclusive is pass or fail, not `{inconclusive}`.")
    changes: dict[str, Any] = {
        "rules": rules or found.rules or DEFAULT_RULES,
        "scenarios": scenarios or found.scenarios,
        "fights": found.fights if fights is None else fights,
        "inconclusive": inconclusive or found.inconclusive,
    }
    return found.model_copy(update=changes)


def _exit_code(outcome: Outcome, inconclusive: str | None) -> int:
    from buildsearch.gate.results import CheckStatus

    if outcome.verdict is CheckStatus.FAIL:
        return FINDINGS
    if outcome.verdict is CheckStatus.PASS or inconclusive == "pass":
        return FINE
    return FINDINGS if inconclusive == "fail" else INCONCLUSIVE
