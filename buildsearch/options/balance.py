"""What is asked about a run or a game: its analysis, proposals, a check, an explanation, a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from annotated_types import Interval

from buildsearch.options.fields import Flag, OnlyPython, Texts
from buildsearch.options.output import Execution, Seed, Threads, ThresholdsFile, Watched

ConfigFile = Annotated[
    Path | str | None,
    Flag("Assertions and [balance]. Default: buildsearch.toml, or [tool.buildsearch] in pyproject.toml."),
]
AlsoCheck = Annotated[
    Texts, Flag("Check the proposal elsewhere too: a scenario set such as profiles, `rulings` or `stats`.")
]
_Count = Annotated[int, Interval(ge=1, le=10)] | None


@dataclass(frozen=True, kw_only=True)
class AnalyzeFields(Threads):
    """What is looked at."""

    thresholds: ThresholdsFile = None
    triggers: Annotated[bool, Flag("Play no fights for trigger rates: faster, but less proof.")] = True
    readings: Annotated[
        bool, Flag("Say under which other rulings and stats each finding holds: takes a minute.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class AnalyzeArguments(Watched, AnalyzeFields):
    """What `analyze` takes in Python."""


@dataclass(frozen=True, kw_only=True)
class BalanceOptions:
    """What shall hold and what may be moved, in words; empty and None mean the config, then the defaults."""

    goals: Annotated[
        Texts,
        Flag(
            "What to reach: an assertion of `check` by name, or e.g. `best >= 6`, `viable@80% >= 60%`, "
            "`viability bleed >= 80%`, `ahead <= 1.2`, `builds >= 90%`. Default: no overpowered "
            "combination, no must-have, no instant win.",
            "--goal",
        ),
    ] = ()
    levers: Annotated[
        Texts,
        Flag(
            "What may change: costs (cost-raises, cost-cuts), pair-bans, type-bans, cost-factors, "
            "budgets, caps, values. Default: costs and pair-bans.",
            "--lever",
        ),
    ] = ()
    lock: Annotated[Texts, Flag("An option or a lever to leave as it is.")] = ()
    only_options: Annotated[Texts, Flag("Only these options, e.g. barrage,charges_1.", "--only")] = ()
    max_change: Annotated[int | None, Flag("How far a cost or value may go. Default: 3.")] = None
    max_proposals: Annotated[_Count, Flag("How many to show. Default: 3.")] = None
    seconds: Annotated[
        Annotated[float, Interval(ge=1, le=86_400)] | None,
        Flag("Work to do, as seconds of a quiet machine (default 45), and when to stop."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class BalanceChecks:
    """Where a proposal is tried besides."""

    also_check: AlsoCheck = ()
    stress: Annotated[bool, Flag("Search for a fight that breaks the proposal, and print it as a file.")] = (
        False
    )

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to try."""
        return not self.also_check and not self.stress


@dataclass(frozen=True, kw_only=True)
class BalanceFiles:
    """Files that say what counts."""

    thresholds: ThresholdsFile = None
    config: ConfigFile = None


@dataclass(frozen=True, kw_only=True)
class BalanceArguments(Execution, BalanceFiles, BalanceChecks, BalanceOptions):
    """What `balance` takes in Python."""

    parameters: Annotated[
        Mapping[str, Texts | tuple[int, ...]] | None,
        OnlyPython(
            'Several values of parameters, such as `{"tier": [3, 4, 5]}`: one proposal that keeps the goal '
            "in every combination, as a `JointBalance`."
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class CheckFields:
    """What is checked, and against what."""

    config: ConfigFile = None
    preset: Annotated[str | None, Flag("Checks that are shipped: lenient or strict.")] = None
    baseline: Annotated[Path | str | None, Flag("Accepted findings. Default: the config's.")] = None
    against: Annotated[
        str | None,
        Flag(
            "Report only what is new since this revision of the rules, and the edit behind it.",
            metavar="REV_OR_FILE",
        ),
    ] = None
    fights: Annotated[
        Annotated[int, Interval(ge=0)] | None,
        Flag("Fights to rank builds, and as many for what is near a limit."),
    ] = None
    seed: Seed = 0


@dataclass(frozen=True, kw_only=True)
class CheckArguments(Execution, CheckFields):
    """What `check` takes in Python."""


@dataclass(frozen=True, kw_only=True)
class ExplainFields:
    """How a build of a run is explained."""

    fights: Annotated[
        int, Interval(ge=3, le=100_000), Flag("Fights to find the worst, median and best of.")
    ] = 100
    seed: Seed = 0


@dataclass(frozen=True, kw_only=True)
class ReportFields:
    """What is on the page of a run."""

    before: Annotated[str | None, Flag("An earlier run to compare with, by folder or name.")] = None
    compare_with: Annotated[
        str | None, Flag("A build: every other shows how much better or worse it is.")
    ] = None
    rows: Annotated[int, Interval(ge=1, le=2_000), Flag("Best builds in the table.")] = 400
    cards: Annotated[int, Interval(ge=0, le=200), Flag("Best builds with distributions and a fight.")] = 30
    trigger_fights: Annotated[
        Annotated[int, Interval(ge=0, le=10_000)] | None,
        Flag("Fights that trigger rates come from. Default: a few."),
    ] = None
