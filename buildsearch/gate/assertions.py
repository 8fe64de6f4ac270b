"""What can be asserted about the balance of a game, as tables of buildsearch.toml.

The kind of an assertion is the code of the finding that it forbids.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from buildsearch.analysis.findings import FindingCode
from buildsearch.gate.results import Level
from buildsearch.model.rules_file import Frozen

# Values of a game's parameters, by name. One value may stand without brackets.
Values = Annotated[
    tuple[int | str, ...], BeforeValidator(lambda given: (given,) if isinstance(given, int | str) else given)
]
Parameters = dict[str, Values]


class _Assertion(Frozen):
    level: Level = Level.ERROR
    parameters: Parameters = Field(
        default={}, description="only in runs whose parameters have one of these values"
    )


class _ByMargin(_Assertion):
    margin: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        default=None, description="how much better or worse is far; default: as `analyze` has it"
    )


class Overpowered(_ByMargin):
    """No build is far ahead of the benchmark, what a good build around a typical option reaches."""

    kind: Literal["overpowered-combination"]


class MustHave(_ByMargin):
    """No option, and no two that replace each other, without which the best build is far worse."""

    kind: Literal["must-have"]


class InstantWin(_Assertion):
    """No build wins half of the scenarios in the fewest possible turns, nearly always."""

    kind: Literal["instant-win"]


class DominantType(_Assertion):
    """No group of builds (an attack type, say) has nearly all of the best builds, and few of all."""

    kind: Literal["dominant-type"]
    share: Annotated[float, Field(gt=0, le=1, description="of the best 100 builds")] = 0.9


class FewViableOptions(_Assertion):
    """At least a share of the options is in a build that is nearly as good as the best."""

    kind: Literal["few-viable-options"]
    min_share: Annotated[float, Field(gt=0, le=1, description="share of the options that must be viable")]
    viability: Annotated[float, Field(gt=0, le=1, description="how near the best a viable option comes")] = (
        0.8
    )


class Undercosted(_ByMargin):
    """No option for which a good build could pay more."""

    kind: Literal["undercosted"]


class Overcosted(_ByMargin):
    """No option far below the benchmark, whether a lower cost would help it or not."""

    kind: Literal["overcosted"]


class StrictlyWorse(_Assertion):
    """No option is worse than another of the same or lower cost wherever both are legal."""

    kind: Literal["strictly-worse"]


class DeadOption(_Assertion):
    """Every option can trigger, and changes something when it does."""

    kind: Literal["dead-option"]


class FlatScenario(_Assertion):
    """Every scenario separates builds."""

    kind: Literal["flat-scenario"]


class BuildBeatsLimit(_Assertion):
    """No build does better than a limit, in the direction of the game's first metric."""

    kind: Literal["build-beats-limit"]
    limit: float
    scenario: tuple[str, ...] = Field(default=(), description="default: every scenario of the set")


class UbiquitousOption(_Assertion):
    """No option is many times more common among the best builds than overall."""

    kind: Literal["ubiquitous-option"]
    lift: Annotated[float, Field(gt=1)]
    top: Annotated[float, Field(gt=0, lt=1)] = 0.01


class NoCounter(_Assertion):
    """Where builds meet: each of those that `meta` finds is beaten by another."""

    kind: Literal["no-counter"]


class FewBuildsWorthPlaying(_Assertion):
    """Where builds meet: at least so many builds are worth playing."""

    kind: Literal["few-builds-worth-playing"]
    min_builds: Annotated[float, Field(ge=1)]


class LargeShare(_Assertion):
    """Where builds meet: no build has more than a share of the metagame."""

    kind: Literal["large-share"]
    max_share: Annotated[float, Field(gt=0, lt=1)]


Assertion = (
    Overpowered
    | MustHave
    | InstantWin
    | DominantType
    | FewViableOptions
    | Undercosted
    | Overcosted
    | StrictlyWorse
    | DeadOption
    | FlatScenario
    | BuildBeatsLimit
    | UbiquitousOption
    | NoCounter
    | FewBuildsWorthPlaying
    | LargeShare
)
KINDS: dict[str, type[Frozen]] = {
    get_args(shape.model_fields["kind"].annotation)[0]: shape for shape in get_args(Assertion)
}
# The codes of `analyze` that each kind forbids; other kinds look at a run themselves.
FORBIDDEN: dict[str, tuple[FindingCode, ...]] = {
    "overpowered-combination": (FindingCode.OVERPOWERED,),
    "must-have": (FindingCode.MUST_HAVE,),
    "instant-win": (FindingCode.INSTANT_WIN,),
    "dominant-type": (FindingCode.DOMINANT_TYPE,),
    "undercosted": (FindingCode.UNDERCOSTED,),
    "overcosted": (FindingCode.OVERCOSTED, FindingCode.TOO_WEAK),
    "strictly-worse": (FindingCode.STRICTLY_WORSE, FindingCode.OUTCLASSES),
    "dead-option": (FindingCode.DEAD_OPTION, FindingCode.NEVER_TRIGGERS, FindingCode.ABSENT_TARGET),
    "flat-scenario": (FindingCode.FLAT_SCENARIO,),
}
# Names of earlier versions, and what asks the same now.
RENAMED = {
    "no_overpowered_builds": "overpowered-combination",
    "no_outliers": "overpowered-combination",
    "no_broken_combinations": "overpowered-combination",
    "no_must_have": "must-have",
    "no_fight_decided_at_once": "instant-win",
    "no_dominant_type": "dominant-type",
    "viable_options": "few-viable-options",
    "no_mispriced_option": "undercosted",
    "no_dominated_options": "strictly-worse",
    "no_dead_options": "dead-option",
    "no_build_beats": "build-beats-limit",
    "no_saturated_option": "ubiquitous-option",
    "no_build_without_counter": "no-counter",
    "effective_builds": "few-builds-worth-playing",
    "largest_share": "large-share",
}
