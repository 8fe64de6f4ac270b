"""`buildsearch report`: a run as one HTML file to look at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from buildsearch.options.balance import ReportFields
from buildsearch.options.fields import Flag
from buildsearch.options.output import IgnoreChecksums, Open, Output, RunName, Threads

EXAMPLE = (
    "Examples: buildsearch report --open;  buildsearch report results/bleed --out bleed.html;  "
    "buildsearch report after --before before;  buildsearch report --compare-with melee_dg+channeled"
)


def command(
    *,
    run: RunName = None,
    out: Annotated[Path | None, Flag("Default: report.html in the run's folder.", "--out", "-o")] = None,
    given: ReportFields,
    is_open: Open = False,
    how: Threads,
    ignore_checksums: IgnoreChecksums = False,
    output: Output,
) -> None:
    """Write a run as one HTML page: leaderboard, charts and findings.

    It needs no network, and fits into a mail.
    """
    from buildsearch.cli.progress import stages_on_terminal
    from buildsearch.library.report import report_of
    from buildsearch.report.html.source import Extent
    from buildsearch.report.latest import find_run

    folder = find_run(run)
    with stages_on_terminal(quiet=output.is_silent) as watch:
        written = report_of(
            folder,
            out,
            before=given.before,
            compare_with=given.compare_with,
            extent=Extent(rows=given.rows, cards=given.cards, trigger_fights=given.trigger_fights),
            jobs=how.jobs,
            ignore_checksums=ignore_checksums,
            watch=watch,
        )
    if output.json:
        typer.echo(json.dumps({"file": str(written), "run": str(folder)}))
    elif not output.quiet:
        typer.echo(f"Wrote {written}.")
    if is_open:
        typer.launch(written.resolve().as_uri())
