"""`buildsearch report`: a run as one HTML file to look at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from buildsearch.cli.options import (
    IgnoreChecksumsOption,
    JobsOption,
    JsonOption,
    OpenOption,
    QuietOption,
    RunArgument,
)

EXAMPLE = (
    "Examples: buildsearch report --open;  buildsearch report results/bleed --out bleed.html;  "
    "buildsearch report after --before before;  buildsearch report --compare-with melee_dg+channeled"
)


def command(
    run: RunArgument = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Default: report.html in the run's folder.")
    ] = None,
    before: Annotated[
        str | None, typer.Option("--before", help="An earlier run to compare with, by folder or name.")
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option("--compare-with", help="A build: every other shows how much better or worse it is."),
    ] = None,
    rows: Annotated[int, typer.Option("--rows", min=1, max=2_000, help="Best builds in the table.")] = 400,
    cards: Annotated[
        int, typer.Option("--cards", min=0, max=200, help="Best builds with distributions and a fight.")
    ] = 30,
    trigger_fights: Annotated[
        int | None,
        typer.Option(
            "--trigger-fights", min=0, max=10_000, help="Fights that trigger rates come from. Default: a few."
        ),
    ] = None,
    open_: OpenOption = False,
    jobs: JobsOption = -1,
    ignore_checksums: IgnoreChecksumsOption = False,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write a run as one HTML page: leaderboard, charts and findings.

    It needs no network, and fits into a mail.
    """
    from buildsearch.cli.progress import stages_on_terminal
    from buildsearch.files.atomic import check_writable
    from buildsearch.library.fight_setup import check_jobs
    from buildsearch.library.report import write_loadout_report, write_report
    from buildsearch.library.runs import load_run
    from buildsearch.model.errors import UsageError
    from buildsearch.report.html.source import Extent
    from buildsearch.report.latest import find_run
    from buildsearch.report.loadout_files import has_loadouts

    check_jobs(jobs)
    folder = find_run(run)
    if out is not None:
        check_writable(out)
    if has_loadouts(folder):
        if before is not None:
            raise UsageError("--before compares runs of builds, not of loadouts.")
        if reference is not None:
            raise UsageError("--compare-with is a build, and this run has loadouts. Choose one on the page.")
        with stages_on_terminal(quiet=quiet or json_) as watch:
            written = write_loadout_report(folder, out, rows, ignore_checksums=ignore_checksums, watch=watch)
    else:
        extent = Extent(rows=rows, cards=cards, trigger_fights=trigger_fights)
        with stages_on_terminal(quiet=quiet or json_) as watch:
            loaded = load_run(run, ignore_checksums=ignore_checksums, watch=watch)
            other = (
                load_run(before, ignore_checksums=ignore_checksums, watch=watch)
                if before is not None
                else None
            )
            written = write_report(
                loaded, out, before=other, reference=reference, extent=extent, jobs=jobs, watch=watch
            )
    if json_:
        typer.echo(json.dumps({"file": str(written), "run": str(folder)}))
    elif not quiet:
        typer.echo(f"Wrote {written}.")
    if open_:
        typer.launch(written.resolve().as_uri())
