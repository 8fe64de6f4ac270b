"""`buildsearch optimize`: rank every build, find the best."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from buildsearch.cli.clusters import ClusterOption, on_cluster, refuse_cluster
from buildsearch.cli.option_groups import Filters, Kept, Opponents, Overrides, Parameters
from buildsearch.cli.options import (
    DEFAULT_RULES,
    JobsOption,
    JsonOption,
    QuietOption,
    RulesOption,
    ScenarioOption,
    SeedOption,
)
from buildsearch.cli.search_options import Beyond, Chosen, Guided, Limits, Ranking

if TYPE_CHECKING:
    from pathlib import Path

    from buildsearch.library.optimize import Finished

EXAMPLE = (
    "Examples: buildsearch optimize;  buildsearch optimize --tier 4 --with bleed --objective worst;  "
    'buildsearch optimize --complete "melee_dg+bleed" --top 50 --out results/bleed;  '
    "buildsearch optimize --tier 4 --dry-run;  buildsearch optimize --tier 5 --cluster tcp://scheduler:8786"
)
_SHOWN = 20


def command(
    *,
    rules: RulesOption = DEFAULT_RULES,
    parameters: Parameters,
    filters: Filters,
    chosen: Chosen,
    scenario: ScenarioOption = None,
    opponents: Opponents,
    ranking: Ranking,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    cluster: ClusterOption = None,
    guided: Guided,
    beyond: Beyond,
    overrides: Overrides,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Folder of the run. Default: one under results/.")
    ] = None,
    kept: Kept,
    limits: Limits,
    html: Annotated[
        bool, typer.Option("--html", help="Write report.html too, as `buildsearch report` does.")
    ] = False,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Rank every build, and show what makes the best ones strong.

    Scores are exact where a fight can be solved. All other builds are sampled, and those near the top fight
    until their ranks are separated or --ranking-fights are spent. If there are too many builds to score, a
    guided search tries a few thousand. Writes leaderboard.csv, leaderboard.parquet, scores.parquet and
    run.json. Repeat the command to continue a stopped run (not with --no-cache).
    """
    from buildsearch.cli.interrupts import finishing
    from buildsearch.cli.optimize_answer import show_answer
    from buildsearch.cli.optimize_loadouts import say_loadout_size, show_loadouts
    from buildsearch.cli.optimize_size import say_size
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import make_request
    from buildsearch.library.fight_setup import check_jobs, setup_of
    from buildsearch.library.loadouts import picks_loadouts, search_loadouts
    from buildsearch.library.optimize import finish, open_search
    from buildsearch.model.request import SearchRequest
    from buildsearch.search.timing import Stages

    stages = Stages(time.perf_counter())
    check_jobs(jobs)
    request = make_request(
        SearchRequest,
        rules,
        overrides=overrides,
        parameters=parameters,
        filters=filters,
        opponents=opponents,
        scenario=scenario,
        complete=chosen.complete,
        from_run=chosen.from_run,
        candidates=chosen.candidates,
        starts=chosen.starts,
        distinct=chosen.distinct,
        objectives=tuple(ranking.objective or ()),
        top=ranking.top,
        initial_fights=ranking.initial_fights,
        ranking_fights=ranking.ranking_fights,
        alpha=ranking.alpha,
        seed=seed,
        search=guided.search_,
        sampler=guided.sampler,
        trials=guided.trials,
        stop_after=guided.stop_after,
        storage=guided.storage,
        over_budget=beyond.over_budget,
    )
    watch = watch_on_terminal(quiet=quiet or json_, on_interrupt=finishing)
    setup = setup_of(request)
    system = picks_loadouts(setup, request)
    if system is not None:
        refuse_cluster(cluster, "loadouts are searched")
        say_loadout_size(setup, system, request, limits.max_memory, only=limits.dry_run, json_=json_)
        if limits.dry_run:
            return
        found = search_loadouts(setup, system, request, out=out, jobs=jobs, watch=watch)
        if found is not None:
            show_loadouts(setup, found, json_=json_, quiet=quiet)
            if html:
                _write_loadout_report(found.folder, says=not (quiet or json_))
            return
    with on_cluster(cluster, jobs=jobs, quiet=quiet):
        search = open_search(setup, request, jobs=jobs, cache=kept.folder, watch=watch, stages=stages)
        say_size(search, limits, json_=json_, quiet=quiet)
        if limits.dry_run:
            return
        finished = finish(search, out)
        show_answer(finished, json_=json_, quiet=quiet, is_kept=kept.folder is not None)
        _look_further(finished, beyond, html=html, quiet=quiet or json_)


def _look_further(finished: Finished, beyond: Beyond, *, html: bool, quiet: bool) -> None:
    """What was asked for besides ranks: other rulings and stats, and a page."""
    if beyond.sweep_rulings or beyond.sweep_stats:
        from buildsearch.cli.sweep_view import print_sweep
        from buildsearch.library.sweep import sweep

        kinds = {"rulings": beyond.sweep_rulings, "stats": beyond.sweep_stats}
        found = sweep(finished.search, finished.answer, folder=finished.folder, **kinds)
        if not quiet:
            print_sweep(found, _SHOWN)
    if html:
        from buildsearch.cli.progress import watch_on_terminal
        from buildsearch.library.report import write_report
        from buildsearch.library.runs import load_run

        watch = watch_on_terminal(quiet=True)
        run = load_run(str(finished.folder), watch=watch)
        written = write_report(run, jobs=finished.search.question.jobs, watch=watch)
        if not quiet:
            typer.echo(f"Report: {written}")


def _write_loadout_report(folder: Path, *, says: bool) -> None:
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.library.report import write_loadout_report

    written = write_loadout_report(folder, watch=watch_on_terminal(quiet=True))
    if says:
        typer.echo(f"Report: {written}")
