"""`buildsearch analyze`: what is strong, what is dead, what dominates."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

from annotated_types import Interval

from buildsearch.options.balance import AnalyzeFields
from buildsearch.options.fields import Flag
from buildsearch.options.output import Cluster, IgnoreChecksums, PageOutput, RunName

EXAMPLE = (
    "Examples: buildsearch analyze;  buildsearch analyze --full;  "
    "buildsearch analyze --json | jq .findings;  buildsearch analyze results/bleed --markdown > bleed.md;  "
    "buildsearch analyze --readings"
)


def command(
    *,
    run: RunName = None,
    given: AnalyzeFields,
    full: Annotated[bool, Flag("Show every finding, and tables below the page.")] = False,
    rows: Annotated[int, Interval(ge=1), Flag("Rows of each table that --full shows.")] = 15,
    cluster: Cluster = None,
    ignore_checksums: IgnoreChecksums = False,
    output: PageOutput,
) -> None:
    """Say which rules to change, and why.

    Overpowered combinations, must-haves, instant wins, undercosted and overcosted options, and options
    that are dead or strictly worse than another. Reads the scores of a finished run and writes CSV tables
    into its folder `analysis`.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import on_cluster, stages_on_terminal, watch_on_terminal
    from buildsearch.library.analyze import analysis_page
    from buildsearch.model.errors import UsageError
    from buildsearch.report.latest import find_run
    from buildsearch.report.loadout_files import has_loadouts

    if cluster is not None and not given.readings:
        raise UsageError("--cluster is for --readings: everything else of an analysis is read from the run.")
    folder = find_run(run)
    # A stage and a bar cannot both be shown; only readings have a bar.
    quiet = output.is_silent
    watching = (
        nullcontext(watch_on_terminal(quiet=quiet)) if given.readings else stages_on_terminal(quiet=quiet)
    )
    with on_cluster(cluster, jobs=given.jobs, quiet=output.quiet) as jobs, watching as watch:
        page = analysis_page(
            folder,
            given,
            jobs=jobs,
            full=full,
            rows=rows,
            ignore_checksums=ignore_checksums,
            watch=watch,
        )
    print_document(page, output, tables=full or has_loadouts(folder))
