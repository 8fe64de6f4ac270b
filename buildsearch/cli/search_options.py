"""The options of a search, in lists: ranking, a guided search, loadouts, limits of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer


@dataclass(frozen=True, slots=True)
class Ranking:
    """By what builds are ranked, and how long ranks are fought for."""

    objective: Annotated[
        list[str] | None,
        typer.Option(
            "--objective",
            help="mean (default), worst, variance, or a metric such as survival. Several: the Pareto front.",
        ),
    ] = None
    top: Annotated[int, typer.Option("--top", min=1, max=100_000, help="Rows of the leaderboard.")] = 100
    initial_fights: Annotated[
        int,
        typer.Option(
            "--initial-fights",
            min=2,
            max=8192,
            help="Fights of each sampled build before ranks are separated (default 256).",
        ),
    ] = 256
    ranking_fights: Annotated[
        int,
        typer.Option("--ranking-fights", min=0, help="Most fights to separate the ranks of sampled builds."),
    ] = 50_000_000
    alpha: Annotated[
        float,
        typer.Option(
            "--alpha", min=1e-9, max=0.5, help="The chance that any bound of the whole race is wrong."
        ),
    ] = 0.05


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which builds or loadouts are searched."""

    complete: Annotated[
        str | None,
        typer.Option("--complete", help='The best completions of a partial build: "melee_dg+bleed".'),
    ] = None
    candidates: Annotated[
        int | None,
        typer.Option(
            "--candidates",
            min=2,
            help="Loadouts: how many builds to choose from, the best alone (default: all). "
            "With --from-run: how many of that run (default: 1000).",
        ),
    ] = None
    from_run: Annotated[
        str | None,
        typer.Option(
            "--from-run",
            help="Rank only the best builds of an earlier run: its folder, its name, or `latest`.",
        ),
    ] = None
    starts: Annotated[
        int, typer.Option("--starts", min=1, help="Loadouts: from how many starts to search.")
    ] = 6
    distinct: Annotated[
        int,
        typer.Option(
            "--distinct", min=0, help="Loadouts: list those that differ in at least this many options."
        ),
    ] = 0


@dataclass(frozen=True, slots=True)
class Guided:
    """Whether every build is ranked, or some are tried."""

    search_: Annotated[
        str,
        typer.Option(
            "--search",
            help="exhaustive: rank every build. optuna: a guided search among them. auto: guided where "
            "every build would be too many.",
        ),
    ] = "auto"
    trials: Annotated[
        int | None,
        typer.Option("--trials", min=1, help="Guided search: different builds to try. Default: 3000."),
    ] = None
    sampler: Annotated[
        str | None,
        typer.Option("--sampler", help="Guided search: tpe, or nsga2 (default for several objectives)."),
    ] = None
    stop_after: Annotated[
        float | None,
        typer.Option(
            "--stop-after", min=0, help="Guided search, loadouts: end the search after these minutes."
        ),
    ] = None
    storage: Annotated[
        str | None,
        typer.Option(
            "--storage",
            help="Guided search: a journal file, or a database such as sqlite:///study.db. Several "
            "processes may share it, and a later run goes on from it.",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Beyond:
    """What is looked at besides ranks."""

    sweep_rulings: Annotated[
        bool, typer.Option("--sweep-rulings", help="Which of the best stay best under other rulings?")
    ] = False
    sweep_stats: Annotated[
        bool, typer.Option("--sweep-stats", help="Which of the best stay best with other stats?")
    ] = False
    over_budget: Annotated[
        int,
        typer.Option(
            "--over-budget",
            min=0,
            help="Also score builds up to this many points over the budget, so that `analyze` can say which "
            "lower cost is fair.",
        ),
    ] = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """How big a search may be."""

    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how big the search is.")] = False
    max_memory: Annotated[
        float | None,
        typer.Option("--max-memory", min=0, help="Refuse a search that needs more GB than this."),
    ] = None
    max_minutes: Annotated[
        float | None,
        typer.Option("--max-minutes", min=0, help="Refuse a run that is estimated to take longer."),
    ] = None
