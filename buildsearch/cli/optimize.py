"""`buildsearch optimize`: rank every build, find the best."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.exit_codes import INTERRUPTED
from buildsearch.cli.interrupts import finishing
from buildsearch.cli.option_groups import Filters, Kept, Opponents, Overrides, Parameters, words_of
from buildsearch.cli.options import (
    DEFAULT_RULES,
    JobsOption,
    JsonOption,
    QuietOption,
    RulesOption,
    ScenarioOption,
    SeedOption,
)

if TYPE_CHECKING:
    from pathlib import Path

    from buildsearch.cli.among import Among
    from buildsearch.cli.fight_setup import FightSetup
    from buildsearch.cli.searching import Search
    from buildsearch.model.space import Wanted
    from buildsearch.search.optimizing import Answer

EXAMPLE = (
    "Examples: buildsearch optimize;  buildsearch optimize --tier 4 --with bleed --objective worst;  "
    'buildsearch optimize --lock "melee_dg+bleed" --top 50 --out results/bleed;  '
    "buildsearch optimize --tier 4 --dry-run"
)
_SHOWN = 20


def command(
    *,
    rules: RulesOption = DEFAULT_RULES,
    parameters: Parameters,
    filters: Filters,
    lock: Annotated[
        str | None, typer.Option("--lock", help='The best completions of a partial build: "melee_dg+bleed".')
    ] = None,
    scenario: ScenarioOption = None,
    opponents: Opponents,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            "--objective",
            help="mean (default), worst, variance, or a metric such as survival. Several: the Pareto front.",
        ),
    ] = None,
    top: Annotated[int, typer.Option("--top", min=1, max=100_000, help="Rows of the leaderboard.")] = 100,
    floor: Annotated[
        int, typer.Option("--floor", min=2, max=8192, help="Fights for each build that must be sampled.")
    ] = 256,
    race_fights: Annotated[
        int, typer.Option("--race-fights", min=0, help="Fights to decide the ranks of sampled builds.")
    ] = 50_000_000,
    alpha: Annotated[
        float,
        typer.Option(
            "--alpha", min=1e-9, max=0.5, help="The chance that any bound of the whole race is wrong."
        ),
    ] = 0.05,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    candidates: Annotated[
        int | None,
        typer.Option(
            "--candidates",
            min=2,
            help="Loadouts: choose among so many builds, the best alone (default: all). "
            "With --among: so many of that run (default: 1000).",
        ),
    ] = None,
    among: Annotated[
        str | None,
        typer.Option("--among", help="Rank only the best builds of an earlier run: its folder, or `latest`."),
    ] = None,
    starts: Annotated[
        int, typer.Option("--starts", min=1, help="Loadouts: best responses from so many starts.")
    ] = 6,
    distinct: Annotated[
        int, typer.Option("--distinct", min=0, help="Loadouts that differ in at least so many options.")
    ] = 0,
    search_: Annotated[
        str,
        typer.Option(
            "--search",
            help="exhaustive: rank every build. optuna: a guided search among them. auto: guided where "
            "every build would be too many.",
        ),
    ] = "auto",
    trials: Annotated[
        int | None,
        typer.Option("--trials", min=1, help="Guided search: different builds to try. Default: 3000."),
    ] = None,
    sampler: Annotated[
        str | None,
        typer.Option("--sampler", help="Guided search: tpe, or nsga2 (default for several objectives)."),
    ] = None,
    storage: Annotated[
        str | None,
        typer.Option(
            "--storage",
            help="Guided search: a journal file, or a database such as sqlite:///study.db. Several "
            "processes may share it, and a later run goes on from it.",
        ),
    ] = None,
    sweep_rulings: Annotated[
        bool, typer.Option("--sweep-rulings", help="Which of the best stay best under other rulings?")
    ] = False,
    sweep_stats: Annotated[
        bool, typer.Option("--sweep-stats", help="Which of the best stay best with other stats?")
    ] = False,
    headroom: Annotated[
        int,
        typer.Option(
            "--headroom",
            min=0,
            help="Score builds that cost so many points more, so that `analyze` can say which lower price is "
            "fair.",
        ),
    ] = 0,
    overrides: Overrides,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Folder of the run. Default: one under results/.")
    ] = None,
    kept: Kept,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how big the search is.")] = False,
    max_memory: Annotated[
        float | None,
        typer.Option("--max-memory", min=0, help="Refuse a search that needs more GB than this."),
    ] = None,
    time_: Annotated[
        float | None,
        typer.Option(
            "--time",
            min=0,
            help="Minutes. Every build: refuse what would take longer. Guided: try builds for so long.",
        ),
    ] = None,
    html: Annotated[
        bool, typer.Option("--html", help="Write report.html too, as `buildsearch report` does.")
    ] = False,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Rank every build, and show what makes the best ones strong.

    Scores are exact where a fight can be solved; all other builds fight, and those near the top fight on
    until their ranks are decided or --race-fights are spent. Where builds are too many to rank every one, a
    guided search tries some thousands and says the best that it found. Writes leaderboard.csv,
    scores.parquet and run.json. A run that was killed goes on where it was: give the same command again.
    """
    from buildsearch.cli.fight_setup import make_sampling, setup_of
    from buildsearch.cli.guiding import make_guide
    from buildsearch.cli.headroom import check_headroom, score_headroom
    from buildsearch.cli.searching import Search, make_scorer, make_wanted, run_folder
    from buildsearch.report.run_files import RUN
    from buildsearch.search.objectives import read_objectives
    from buildsearch.search.optimizing import Question
    from buildsearch.search.race import RaceRules
    from buildsearch.search.stages import Stages
    from buildsearch.whole_files import check_writable

    begun = time.perf_counter()
    make_sampling(None, None, seed, jobs)  # checks them
    words: dict[str, Any] = {
        "rules": rules,
        **words_of(overrides, parameters, filters, opponents),
        "scenario": scenario,
        "lock": lock,
        "among": among,
        **({"candidates": candidates} if among is not None else {}),
        "objective": objective,
        "top": top,
        "floor": floor,
        "race-fights": race_fights,
        "alpha": alpha,
        "seed": seed,
    }
    setup = setup_of(words)
    wanted = make_wanted(setup, filters.type_ or (), filters.with_ or (), filters.without or (), lock)
    from buildsearch.cli.optimize_loadouts import LoadoutWords, optimize_loadouts

    asked = LoadoutWords(
        words,
        candidates,
        starts,
        distinct,
        top,
        out,
        fights=race_fights,
        alpha=alpha,
        seed=seed,
        jobs=jobs,
        minutes=time_,
        gigabytes=max_memory,
        dry_run=dry_run,
        quiet=quiet,
        json_=json_,
        html=html,
    )
    if search_ != "optuna" and among is None and optimize_loadouts(setup, wanted, asked):
        return
    _refuse_words_for_loadouts(distinct, candidates if among is None else None)
    objectives = read_objectives(objective or (), setup.loaded.system.metrics)
    guide = make_guide(
        search_ if among is None else "exhaustive",
        setup.space,
        wanted,
        len(objectives),
        trials,
        time_,
        sampler,
        storage,
    )
    if guide is not None:
        words |= guide.words
    search = Search(
        setup=setup,
        wanted=wanted,
        question=Question(objectives, RaceRules(top, floor, race_fights, seed, alpha), jobs, finishing),
        scorer=make_scorer(setup, kept.place),
        quiet=quiet or json_,
        words=words,
        guide=guide,
        among=None if among is None else _best_of_run(among, setup, wanted, candidates),
        stages=Stages(begun),
    )
    if headroom:
        check_headroom(setup)
    search.stages.mark("read")
    if _say_size(search, max_memory, time_, only=dry_run, json_=json_, quiet=quiet):
        return
    search.stages.mark("estimate")
    folder = run_folder(setup, words, out)
    check_writable(folder / RUN)
    answer = search.run()
    if answer.scored == 0:
        typer.echo("No build was scored yet, so nothing is written.", err=True)
        raise typer.Abort
    if headroom and not answer.is_partial:
        search = replace(search, headroom=score_headroom(search, headroom, folder))
        search.stages.mark("headroom")
    folder, about = _write(search, answer, folder)
    _show(search, answer, folder, about if json_ else None, quiet=quiet)
    kinds = {"rulings": sweep_rulings, "stats": sweep_stats}
    _look_further(search, answer, folder, kinds, html=html, quiet=quiet or json_)


def _show(search: Search, answer: Answer, folder: Path, about: dict[str, Any] | None, *, quiet: bool) -> None:
    """The ranks, or `about` as JSON; an interrupted run ends here, and says what it may lack."""
    from buildsearch.cli.optimize_view import print_answer, say_incomplete

    if about is not None:
        typer.echo(json.dumps(about | {"folder": str(folder)}))
    elif not quiet:
        print_answer(search, answer, folder, _SHOWN)
    if answer.is_partial:
        typer.echo(say_incomplete(answer, folder), err=True)
        raise typer.Exit(INTERRUPTED)


def _look_further(
    search: Search, answer: Answer, folder: Path, kinds: dict[str, bool], *, html: bool, quiet: bool
) -> None:
    """What was asked for besides ranks: other rulings and stats, and a page."""
    if any(kinds.values()):
        from buildsearch.cli.optimize_view import print_sweep
        from buildsearch.cli.sweeping import sweep

        found = sweep(search, answer, folder=folder, **kinds)
        if not quiet:
            print_sweep(found, _SHOWN)
    if html:
        _write_report(folder, search.question.jobs, says=not quiet)


def _write_report(folder: Path, jobs: int, *, says: bool) -> None:
    from buildsearch.cli.reporting import write_report
    from buildsearch.cli.runs import load_run

    written = write_report(load_run(str(folder)), jobs=jobs)
    if says:
        typer.echo(f"Report: {written}")


def _write(search: Search, answer: Answer, folder: Path) -> tuple[Path, dict[str, Any]]:
    """Write the run; an interrupted one takes no other's place, and is not the one that `latest` names."""
    from buildsearch.report.run_files import place_for_interrupted, remember_run

    if answer.is_partial:
        folder = place_for_interrupted(folder)
        return folder, search.write(answer, folder)
    about = search.write(answer, folder)
    remember_run(folder)
    return folder, about


def _best_of_run(name: str, setup: FightSetup, wanted: Wanted, most: int | None) -> Among:
    from buildsearch.cli.among import best_of_run

    return best_of_run(name, setup, wanted, most)


def _refuse_words_for_loadouts(distinct: int, candidates: int | None) -> None:
    from buildsearch.model.errors import UsageError

    for option, is_asked in (("--distinct", distinct > 0), ("--candidates", candidates is not None)):
        if is_asked:
            raise UsageError(
                f"{option} is for loadouts: choose parameters (-p) under which a build has several parts."
            )


def _say_size(
    search: Search, max_memory: float | None, minutes: float | None, *, only: bool, json_: bool, quiet: bool
) -> bool:
    """Print the estimate; whether that was all. Raises UsageError for what would be too much."""
    from buildsearch.cli.progress import say_scenarios, waiting
    from buildsearch.model.errors import UsageError

    with waiting("counting builds", quiet=quiet or json_):
        counts = search.counts()
    if search.among is not None:
        if only or not (quiet or json_):
            whole = sum(counts.values())
            told = f"{search.among.size:,} of {whole:,} builds: the best of {search.among.folder}."
            typer.echo(told, err=not only)
        return only
    if search.guide is not None:
        # A pilot would try as many builds as the search itself.
        if only or not (quiet or json_):
            typer.echo(search.guide.says(sum(counts.values()), json_=only and json_), err=not only)
        return only
    if not only and max_memory is None and minutes is None and (quiet or json_):
        return False
    with waiting("estimating (the first time, code is compiled: minutes)", quiet=quiet or json_):
        size = search.estimate(counts)
    gigabytes = size.bytes / (1 << 30)
    if only and json_:
        typer.echo(
            json.dumps(
                {
                    "builds": size.builds,
                    "exact_share": size.exact_share,
                    "seconds": size.seconds,
                    "stages": {stage: round(took, 3) for stage, took in size.stages.items()},
                    "bytes": size.bytes,
                }
            )
        )
    elif only or not quiet:
        typer.echo(
            f"{size.builds:,} builds in {say_scenarios(len(search.setup.fights))}; "
            f"{_exact(size.exact_share)}. "
            f"About {_duration(size.seconds)} and {gigabytes:.1f} GB.",
            err=not only,
        )
    named = ", ".join(f"-p {each.name}=..." for each in search.setup.loaded.system.parameters)
    hint = f"Ask for fewer builds ({named}, --group, --with, --without) or fewer scenarios (--scenario)."
    if max_memory is not None and gigabytes > max_memory:
        raise UsageError(f"this needs about {gigabytes:.1f} GB, above --max-memory {max_memory:g}. {hint}")
    if minutes is not None and size.seconds > 60 * minutes:
        sampling = " A smaller --floor or --race-fights helps too." if size.exact_share < 1 else ""
        raise UsageError(
            f"this takes about {_duration(size.seconds)}, above --time {minutes:g} minutes. {hint}{sampling}"
        )
    return only


def _duration(seconds: float) -> str:
    return f"{max(seconds, 1):.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def _exact(share: float) -> str:
    if share == 1:
        return "all scores are exact"
    # Rounded down: what is sampled must not be rounded away.
    return f"{int(100 * share)}% of the scores are exact, the rest is sampled"
