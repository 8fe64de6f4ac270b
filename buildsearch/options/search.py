"""What a search, a game of matchups, a diff and a score of single builds are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Interval

from buildsearch.model.errors import UsageError
from buildsearch.options.fields import Flag, OnlyPython, Texts
from buildsearch.options.game import Filters, GameOptions
from buildsearch.options.output import Cancelling, Execution, Seed, Threads

InitialFights = Annotated[
    int,
    Interval(ge=2, le=8192),
    Flag("Fights of each sampled build before ranks are separated."),
]
RankingFights = Annotated[int, Interval(ge=0), Flag("Most fights to separate the ranks of sampled builds.")]
Alpha = Annotated[
    float, Interval(ge=1e-9, le=0.5), Flag("The chance that any bound of the whole race is wrong.")
]
Out = Annotated[str | None, Flag("Folder of the run. Default: one under results/.", "--out", "-o")]
Count = Annotated[int, Interval(ge=1)] | None


@dataclass(frozen=True, kw_only=True)
class SearchFields:
    """What is ranked by what, and how long."""

    complete: Annotated[str | None, Flag('Only the completions of a partial build: "melee_dg+bleed".')] = None
    from_run: Annotated[
        str | None,
        Flag("Rank only the best builds of an earlier run: its folder, its name, or `latest`."),
    ] = None
    candidates: Annotated[
        Annotated[int, Interval(ge=2)] | None,
        Flag(
            "Loadouts: how many builds to choose from, the best alone (default: all). "
            "With ‹from_run›: how many of that run (default: 1000)."
        ),
    ] = None
    starts: Annotated[int, Interval(ge=1), Flag("Loadouts: from how many starts to search.")] = 6
    distinct: Annotated[
        int, Interval(ge=0), Flag("Loadouts: list those that differ in at least this many options.")
    ] = 0
    objectives: Annotated[
        Texts,
        Flag(
            "mean (default), worst, variance, or a metric such as survival. Several: the Pareto front.",
            "--objective",
        ),
    ] = ()
    top: Annotated[int, Interval(ge=1, le=100_000), Flag("Rows of the leaderboard.")] = 100
    initial_fights: InitialFights = 256
    ranking_fights: RankingFights = 50_000_000
    alpha: Alpha = 0.05
    seed: Seed = 0
    search: Annotated[
        str,
        Flag(
            "exhaustive: rank every build. optuna: a guided search among them. auto: guided where "
            "every build would be too many."
        ),
    ] = "auto"
    sampler: Annotated[str | None, Flag("Guided search: tpe, or nsga2 (default for several objectives).")] = (
        None
    )
    trials: Annotated[Count, Flag("Guided search: different builds to try. Default: 3000.")] = None
    stop_after: Annotated[
        Annotated[float, Interval(ge=0)] | None,
        Flag("Guided search, loadouts: end the search after these minutes."),
    ] = None
    storage: Annotated[
        str | None,
        Flag(
            "Guided search: a journal file, or a database such as sqlite:///study.db. Several "
            "processes may share it, and a later run goes on from it."
        ),
    ] = None
    over_budget: Annotated[
        int,
        Interval(ge=0),
        Flag(
            "Also score builds up to this many points over the budget, so that `analyze` can say which "
            "lower cost is fair."
        ),
    ] = 0


@dataclass(frozen=True, kw_only=True)
class SearchOptions(SearchFields, GameOptions):
    """A search in a game: run.json keeps it."""


@dataclass(frozen=True, kw_only=True)
class MetaFields:
    """From which builds on matchups are played, how sure, how long."""

    epsilon: Annotated[
        float, Interval(ge=1e-4, le=0.4), Flag("Stop when the best counter wins at most half and this.")
    ] = 0.02
    fights: Annotated[int, Interval(ge=0), Flag("Fights at most.")] = 50_000_000
    start: Annotated[int, Interval(ge=1, le=100), Flag("Builds of the leaderboard to start from.")] = 8
    from_run: Annotated[
        str | None, Flag("Start from the best of this run of optimize: its folder, or `latest`.")
    ] = None
    pool: Annotated[int, Interval(ge=2, le=600), Flag("Builds in the matrix at most.")] = 100
    trials: Annotated[Count, Flag("Builds tried against each mixture where there are too many.")] = None
    alpha: Alpha = 0.05
    seed: Annotated[Seed, Interval(ge=0)] = 0


@dataclass(frozen=True, kw_only=True)
class MetaOptions(MetaFields, GameOptions):
    """Matchups in a game."""


@dataclass(frozen=True, kw_only=True)
class DiffFields:
    """How two rulesets are compared."""

    objective: Annotated[str, Flag("mean, worst, or a metric such as survival.")] = "mean"
    top: Annotated[int, Interval(ge=1, le=1000), Flag("Builds of either side that are looked at.")] = 20
    initial_fights: InitialFights = 256
    ranking_fights: RankingFights = 50_000_000
    seed: Seed = 0
    edit_effects: Annotated[bool, Flag("Leave out the effect of each of several edits.")] = True
    check: Annotated[bool, Flag("New and fixed findings of `check`, with its config, too.")] = False


@dataclass(frozen=True, kw_only=True)
class ScoreFields(Threads):
    """By which engine, and how much is sampled."""

    engine: Annotated[
        str,
        Flag(
            "auto, or one by name: exact, sampled, lookahead, reference (plain Python: a second reading of "
            "the rules, or the fights of sampled where a game is one statement)."
        ),
    ] = "auto"
    fights: Annotated[
        int | None, Flag("Fights to sample in each scenario. Default: what takes a moment.")
    ] = None
    target_error: Annotated[str | None, Flag("Sample until the 95% interval is this narrow, e.g. 0.5%.")] = (
        None
    )
    seed: Seed = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.fights is not None and not 2 <= self.fights <= 1_000_000_000:
            raise UsageError(f"‹fights› must be from 2 to 1,000,000,000, not {self.fights}.")
        if self.fights is not None and self.target_error is not None:
            raise UsageError("‹fights› and ‹target_error› both say how much to sample. Choose one of them.")


@dataclass(frozen=True, kw_only=True)
class ScoreArguments(Cancelling, ScoreFields):
    """What `score` and `compare` take in Python."""


@dataclass(frozen=True, kw_only=True)
class TraceFields:
    """Which fight is shown."""

    scenario: Annotated[str | None, Flag("Which scenario of the set. Default: its first.")] = None
    pick: Annotated[
        Literal["worst", "median", "best"] | None,
        Flag("Show the worst, median or best of the fights from this seed on."),
    ] = None
    of: Annotated[int, Interval(ge=1, le=1_000_000), Flag("How many fights to pick from.")] = 1_000
    seed: Seed = 0


@dataclass(frozen=True, kw_only=True)
class TraceArguments(Cancelling, TraceFields):
    """What `trace` takes in Python."""


@dataclass(frozen=True, kw_only=True)
class OptimizeArguments(Execution, SearchFields, Filters):
    """What `optimize` takes in Python."""

    out: Annotated[
        str | Path | None,
        OnlyPython("Folder of the run. Default: a temporary one, which goes when the run is forgotten."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class MetaArguments(Execution, MetaFields, Filters):
    """What `matchups` takes in Python."""

    out: Annotated[str | Path, OnlyPython("Folder to write the matchup table to.")]


@dataclass(frozen=True, kw_only=True)
class DiffArguments(Execution, DiffFields):
    """What `diff` takes in Python."""
