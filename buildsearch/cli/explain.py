"""`buildsearch explain`: one build among all of a run."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from buildsearch.cli.options import IgnoreChecksumsOption, JsonOption, SeedOption

EXAMPLE = (
    "Examples: buildsearch explain 7;  buildsearch explain melee_dg+bleed;  "
    "buildsearch explain melee_dg+bleed --run results/bleed --fights 1000"
)


def command(
    build: Annotated[str, typer.Argument(metavar="BUILD", help="A build of the run, or its rank.")],
    run: Annotated[
        str | None, typer.Option("--run", help="A run's folder or name. Default: the last run.")
    ] = None,
    fights: Annotated[
        int,
        typer.Option("--fights", help="Fights to find the worst, median and best of."),
    ] = 100,
    seed: SeedOption = 0,
    ignore_checksums: IgnoreChecksumsOption = False,
    json_: JsonOption = False,
) -> None:
    """Say where one build of a run stands, and why.

    Its rank, what each part adds, its worst scenario and why, and what lies near.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.library.explain import explain_build
    from buildsearch.library.ranked_builds import build_of_rank, is_rank
    from buildsearch.library.runs import load_run
    from buildsearch.model.evaluation import ScoreWords
    from buildsearch.report.latest import find_run
    from buildsearch.report.leaderboard import score_words
    from buildsearch.search.objectives import read_objectives
    from buildsearch.views.explain import explain_document

    folder = find_run(run)
    loaded = load_run(str(folder), ignore_checksums=ignore_checksums, watch=watch_on_terminal(quiet=True))
    data = explain_build(loaded, build_of_rank(folder, build), fights, seed)
    metrics = loaded.setup.loaded.system.metrics
    words = score_words(read_objectives(loaded.record.request.objectives, metrics)[0])
    age = _age(folder) if run is None and is_rank(build) else ""
    document = explain_document(data, words, ScoreWords(metrics[0]), age)
    print_document(document, json_=json_, tables=False)


def _age(folder: Path) -> str:
    """Which run a rank is about, where that run is older than a day."""
    hours = (time.time() - (folder / "run.json").stat().st_mtime) / 3600
    return f"The latest run, {folder}, is {hours / 24:.0f} days old." if hours > 24 else ""
