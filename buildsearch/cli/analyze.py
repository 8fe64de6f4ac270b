"""`buildsearch analyze`: what is strong, what is dead, what dominates."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from buildsearch.cli.clusters import ClusterOption, on_cluster
from buildsearch.cli.options import (
    IgnoreChecksumsOption,
    JobsOption,
    JsonOption,
    QuietOption,
    RunArgument,
    ThresholdsOption,
)

EXAMPLE = (
    "Examples: buildsearch analyze;  buildsearch analyze --full;  "
    "buildsearch analyze --json | jq .findings;  buildsearch analyze results/bleed --markdown > bleed.md;  "
    "buildsearch analyze --readings"
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
    from buildsearch.cli.output import check_form, print_document
    from buildsearch.cli.progress import stages_on_terminal, watch_on_terminal
    from buildsearch.library.analyze import Look, look_at_run
    from buildsearch.library.fight_setup import check_jobs
    from buildsearch.model.errors import UsageError
    from buildsearch.report.latest import find_run
    from buildsearch.report.loadout_files import has_loadouts
    from buildsearch.views.analysis import document_of

    check_jobs(jobs)
    check_form(json_=json_, markdown=markdown)
    if cluster is not None and not readings:
        raise UsageError("--cluster is for --readings: everything else of an analysis is read from the run.")
    limits = read_thresholds(thresholds)
    folder = find_run(run)
    if has_loadouts(folder):
        from buildsearch.library.loadout_verdict import loadout_page

        page = loadout_page(folder, limits, rows, ignore_checksums=ignore_checksums)
        print_document(page, json_=json_, markdown=markdown, quiet=quiet)
        return
    is_silent = quiet or json_ or markdown
    # A stage and a bar cannot both be shown; only readings have a bar.
    watching = (
        nullcontext(watch_on_terminal(quiet=is_silent)) if readings else stages_on_terminal(quiet=is_silent)
    )
    with on_cluster(cluster, jobs=jobs, quiet=quiet), watching as watch:
        look = Look(full=full, triggers=not no_triggers, readings=readings)
        found = look_at_run(folder, limits, look, jobs, ignore_checksums=ignore_checksums, watch=watch)
    page = document_of(found.answer, found.proposal, can_balance=found.can_balance, full=full, rows=rows)
    print_document(page, json_=json_, markdown=markdown, tables=full, quiet=quiet)
