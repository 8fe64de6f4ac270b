"""`buildsearch optimize`: rank every build, find the best."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from buildsearch.cli.failures import INTERRUPTED
from buildsearch.cli.optimize_size import SizeLimits
from buildsearch.options.fields import Flag
from buildsearch.options.output import Cluster, Execution, Output
from buildsearch.options.search import Out, SearchOptions

if TYPE_CHECKING:
    from pathlib import Path

    from buildsearch.library.optimize import Finished
    from buildsearch.search.executor import Jobs
    from buildsearch.views.optimize import RunHealth

EXAMPLE = (
    "Examples: buildsearch optimize;  buildsearch optimize --tier 4 --with bleed --objective worst;  "
    'buildsearch optimize --complete "melee_dg+bleed" --top 50 --out results/bleed;  '
    "buildsearch optimize --tier 4 --dry-run;  buildsearch optimize --tier 5 --cluster tcp://scheduler:8786"
)
_SHOWN = 20
# So many builds are judged in a few seconds, under a tenth of what it takes to score them.
_MOST_JUDGED = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Further:
    """What is looked at besides ranks."""

    sweep_rulings: Annotated[bool, Flag("Which of the best stay best under other rulings?")] = False
    sweep_stats: Annotated[bool, Flag("Which of the best stay best with other stats?")] = False
    html: Annotated[bool, Flag("Write report.html too, as `buildsearch report` does.")] = False


def command(
    *,
    options: SearchOptions,
    how: Execution,
    cluster: Cluster = None,
    beyond: Further,
    out: Out = None,
    limits: SizeLimits,
    output: Output,
) -> None:
    """Rank every build, and show what makes the best ones strong.

    Scores are exact where a fight can be solved. All other builds are sampled, and those near the top fight
    until their ranks are separated or --ranking-fights are spent. If there are too many builds to score, a
    guided search tries a few thousand. Writes leaderboard.csv, leaderboard.parquet, scores.parquet and
    run.json. Repeat the command to continue a stopped run (not with --no-cache).
    """
    from buildsearch.cli.interrupts import finishing
    from buildsearch.cli.optimize_size import say_loadout_size, say_size
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import refuse_cluster, scoring_on_terminal, watch_on_terminal
    from buildsearch.library.fight_setup import setup_of
    from buildsearch.library.loadouts import picks_loadouts, search_loadouts
    from buildsearch.library.optimize import finish, open_search
    from buildsearch.library.watch import Scoring
    from buildsearch.search.timing import Stages
    from buildsearch.views.loadouts import ranked_loadouts

    stages = Stages(time.perf_counter())
    setup = setup_of(options)
    system = picks_loadouts(setup, options)
    if system is not None:
        refuse_cluster(cluster, "loadouts are searched")
        say_loadout_size(setup, system, options, limits, output)
        if limits.dry_run:
            return
        here = Scoring(None, how.jobs, watch_on_terminal(quiet=output.is_silent, on_interrupt=finishing))
        found = search_loadouts(setup, system, options, here, out=out)
        if found is not None:
            metric, folder = setup.loaded.system.metrics[0], str(found.folder)
            page = ranked_loadouts(found.rows, list(setup.fights), metric, found.record.said(), folder)
            print_document(page, output, tables=False)
            if beyond.html:
                _write_report(found.folder, how.jobs, output)
            return
    with scoring_on_terminal(how, output, cluster, finishing) as scoring:
        search = open_search(setup, options, scoring, stages=stages)
        say_size(search, limits, output)
        if limits.dry_run:
            return
        finished = finish(search, out)
        _show(finished, output)
        _look_further(finished, beyond, output)


def _show(finished: Finished, output: Output) -> None:
    """The best builds; an interrupted run ends here, and says how to continue."""
    from buildsearch.cli.output import as_typed, print_document
    from buildsearch.document.blocks import Step
    from buildsearch.library.run import board_of
    from buildsearch.model.text import count
    from buildsearch.views.optimize import Written, optimize_document

    record, is_partial = finished.record, finished.answer.is_partial
    if output.json:
        typer.echo(json.dumps(record.said() | {"folder": str(finished.folder)}))
    elif not output.quiet:
        board = board_of(finished.folder, record, finished.search.setup, health=_health(finished))
        written = Written(str(finished.folder), record.seconds["total"], is_latest=not is_partial)
        is_cached = finished.search.scoring.cache is not None
        goes_on = "continues where it stopped"
        how = goes_on if is_cached else "starts again: no scores were cached (--no-cache)"
        again = Step(as_typed(), how) if is_partial else None
        print_document(optimize_document(board, written, again), output)
    if is_partial:
        if output.is_silent:
            some = f"{record.scored:,} of {count(record.builds, 'build')} are scored"
            typer.echo(f"buildsearch: incomplete: {some} in {finished.folder}.", err=True)
        raise typer.Exit(INTERRUPTED)


def _health(finished: Finished) -> RunHealth | None:
    """The state of the game, kept for `analyze`; None where that would take much of the time of the run."""
    from buildsearch.cli.interrupts import finishing
    from buildsearch.cli.progress import waiting
    from buildsearch.library.run import health_of
    from buildsearch.library.runs import load_run
    from buildsearch.model.errors import UsageError

    record, executor = finished.record, finished.search.scorer.executor
    if record.incomplete or record.legal_builds is not None or record.scored > _MOST_JUDGED:
        return None
    try:
        with waiting("looking for problems", quiet=False):
            return health_of(load_run(str(finished.folder)), executor)
    except UsageError:
        return None
    except KeyboardInterrupt:
        finishing("Stopped looking for problems; the run is complete.\n")
        return None


def _look_further(finished: Finished, beyond: Further, output: Output) -> None:
    """What was asked for besides ranks: other rulings and stats, and a page."""
    if beyond.sweep_rulings or beyond.sweep_stats:
        from buildsearch.cli.output import print_document
        from buildsearch.library.optimize import sweep
        from buildsearch.views.optimize import sweep_document

        kinds = {"rulings": beyond.sweep_rulings, "stats": beyond.sweep_stats}
        found = sweep(finished.search, finished.answer, folder=finished.folder, **kinds)
        if not output.is_silent:
            print_document(sweep_document(found, _SHOWN), output)
    if beyond.html:
        _write_report(finished.folder, finished.search.scorer.executor, output)


def _write_report(folder: Path, jobs: Jobs, output: Output) -> None:
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.library.report import report_of

    written = report_of(folder, jobs=jobs, watch=watch_on_terminal(quiet=True))
    if not output.is_silent:
        typer.echo(f"Report: {written}")
