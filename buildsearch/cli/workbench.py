"""`buildsearch workbench`: a run as a page on which prices and bans can be moved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buildsearch.model.text import count
from buildsearch.options.fields import Flag, as_path
from buildsearch.options.output import (
    IgnoreChecksums,
    Open,
    Output,
    RunName,
    ThresholdsFile,
    WorkbenchRows,
)

if TYPE_CHECKING:
    from buildsearch.report.html.workbench.packing import KeptBuilds

EXAMPLE = (
    "Examples: buildsearch workbench --open;  buildsearch workbench results/v2 --out v2.html;  "
    "buildsearch workbench results/tier-4 --rows 500000"
)


def command(
    *,
    run: RunName = None,
    out: Annotated[Path | None, Flag("Default: workbench.html in the run's folder.", "--out", "-o")] = None,
    rows: WorkbenchRows = 1_000_000,
    thresholds: ThresholdsFile = None,
    is_open: Open = False,
    ignore_checksums: IgnoreChecksums = False,
    output: Output,
) -> None:
    """Write an HTML page for trying costs and bans.

    The picture, the leaderboard, viable options, must-haves and overpowered builds follow while you drag. It
    is one file and needs no network.
    """
    from buildsearch.cli.progress import stages_on_terminal
    from buildsearch.files.atomic import check_writable
    from buildsearch.library.report import make_workbench
    from buildsearch.library.runs import load_run
    from buildsearch.model.errors import UsageError
    from buildsearch.report.latest import find_run
    from buildsearch.report.loadout_files import has_loadouts

    folder = find_run(run)
    if out is not None:
        check_writable(out)
    if has_loadouts(folder):
        raise UsageError(
            f"{folder} has loadouts, and a workbench is of builds: `buildsearch report` shows it."
        )
    with stages_on_terminal(quiet=output.is_silent) as watch:
        loaded = load_run(run, ignore_checksums=ignore_checksums, watch=watch)
        watch.stage("packing builds")
        written, kept = make_workbench(loaded, out, rows=rows, thresholds=as_path(thresholds))
    if output.json:
        told = {"file": str(written), "run": str(folder), "builds": len(kept.rows), "left_out": kept.left_out}
        typer.echo(json.dumps(told))
    elif not output.quiet:
        typer.echo(
            f"Wrote {written} ({count(len(kept.rows), 'build')}). Open it in a browser and drag a cost. "
            f"{_missing(kept)}".rstrip()
        )
    if is_open:
        typer.launch(written.resolve().as_uri())


def _missing(kept: KeptBuilds) -> str:
    """What is not in the page, and what that means."""
    if not kept.left_out:
        return ""
    if kept.sure is None:
        return f"{kept.left_out:,} are left out; none can be the best with any option at higher costs."
    return (
        f"{kept.left_out:,} are left out: scores worse than {kept.sure:.4g} may be missing. Raise "
        "--rows to have more."
    )
