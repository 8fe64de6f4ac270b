"""`buildsearch explain`: one build among all of a run."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

from buildsearch.options.balance import ExplainFields
from buildsearch.options.fields import Flag, Positional
from buildsearch.options.output import IgnoreChecksums, Json, Output

EXAMPLE = (
    "Examples: buildsearch explain 7;  buildsearch explain melee_dg+bleed;  "
    "buildsearch explain melee_dg+bleed --run results/bleed --fights 1000"
)


def command(
    *,
    build: Annotated[str, Positional("A build of the run, or its rank.", metavar="BUILD")],
    run: Annotated[str | None, Flag("A run's folder or name. Default: the last run.")] = None,
    how: ExplainFields,
    ignore_checksums: IgnoreChecksums = False,
    as_json: Json = False,
) -> None:
    """Say where one build of a run stands, and why.

    Its rank, what each part adds, its worst scenario and why, and what lies near.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.library.explain import explain_build
    from buildsearch.library.runs import build_of_rank, is_rank, load_run
    from buildsearch.report.latest import find_run

    folder = find_run(run)
    loaded = load_run(str(folder), ignore_checksums=ignore_checksums, watch=watch_on_terminal(quiet=True))
    age = _age(folder) if run is None and is_rank(build) else ""
    explained = explain_build(loaded, build_of_rank(folder, build), how, age=age)
    print_document(explained.document(), Output(json=as_json), tables=False)


def _age(folder: Path) -> str:
    """Which run a rank is about, where that run is older than a day."""
    hours = (time.time() - (folder / "run.json").stat().st_mtime) / 3600
    return f"The latest run, {folder}, is {hours / 24:.0f} days old." if hours > 24 else ""
