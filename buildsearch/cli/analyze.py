"""`buildsearch analyze`: what is strong, what is dead, what dominates."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from buildsearch.cli.clusters import ClusterOption, on_cluster
from buildsearch.cli.options import (
    ONE_FORM,
    IgnoreChecksumsOption,
    JobsOption,
    JsonOption,
    QuietOption,
    RunArgument,
    ThresholdsOption,
)

EXAMPLE = (
    "Examples: buildsearch analyze;  buildsearch analyze results/bleed --markdown > bleed.md;  "
    "buildsearch analyze --json | jq .findings;  buildsearch analyze --readings"
)
_ROWS = 15


def command(
    run: RunArgument = None,
    thresholds: ThresholdsOption = None,
    no_triggers: Annotated[
        bool, typer.Option("--no-triggers", help="Play no fights for trigger rates: faster, but less proof.")
    ] = False,
    readings: Annotated[
        bool,
        typer.Option(
            "--readings", help="Say under which other rulings and stats each finding holds: takes a minute."
        ),
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Show every finding, and tables below the page.")
    ] = False,
    rows: Annotated[int, typer.Option("--rows", help="Rows of each table that --full shows.", min=1)] = _ROWS,
    jobs: JobsOption = -1,
    cluster: ClusterOption = None,
    ignore_checksums: IgnoreChecksumsOption = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the report as Markdown.")] = False,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Say which rules to change, and why.

    Overpowered combinations, must-haves, instant wins, undercosted and overcosted options, and options
    that are dead or strictly worse than another. Reads the scores of a finished run and writes CSV tables
    into its folder `analysis`.
    """
    from buildsearch.analysis.thresholds import read_thresholds
    from buildsearch.cli.analyze_view import analysis_as_data, analysis_as_markdown, print_analysis
    from buildsearch.cli.progress import stages_on_terminal, watch_on_terminal
    from buildsearch.model.errors import UsageError
    from buildsearch.report.loadout_files import has_loadouts
    from buildsearch.workflow.analyze import analyse_run, under_other_readings, write_sheets
    from buildsearch.workflow.fight_setup import check_jobs
    from buildsearch.workflow.runs import find_run, load_run

    check_jobs(jobs)
    if json_ and markdown:
        raise UsageError(ONE_FORM)
    if cluster is not None and not readings:
        raise UsageError("--cluster is for --readings: everything else of an analysis is read from the run.")
    limits = read_thresholds(thresholds)
    if has_loadouts(find_run(run)):
        from buildsearch.cli.analyze_loadouts import analyze_loadouts

        analyze_loadouts(
            find_run(run),
            limits,
            rows,
            json_=json_,
            markdown=markdown,
            quiet=quiet,
            ignore_checksums=ignore_checksums,
        )
        return
    is_silent = quiet or json_ or markdown
    with stages_on_terminal(quiet=is_silent) as watch:
        loaded = load_run(run, ignore_checksums=ignore_checksums, watch=watch)
        analysis = analyse_run(loaded, limits, jobs, triggers=not no_triggers, watch=watch)
    if readings:
        with on_cluster(cluster, jobs=jobs, quiet=quiet):
            analysis = under_other_readings(loaded, analysis, jobs, watch_on_terminal(quiet=is_silent))
    sheets, folder = write_sheets(loaded, analysis)
    if json_:
        typer.echo(json.dumps(analysis_as_data(loaded, analysis, sheets, folder)))
    elif markdown:
        typer.echo(analysis_as_markdown(loaded, analysis, sheets, rows))
    elif not quiet:
        print_analysis(loaded, analysis, sheets, rows, folder, full=full)
