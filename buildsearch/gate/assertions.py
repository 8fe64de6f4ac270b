"""What can be asserted about the balance of a game, as tables of buildsearch.toml."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from buildsearch.gate.findings import Level
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


class _Verdict(_Assertion):
    margin: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        default=None, description="how much better or worse is far; default: as `analyze` has it"
    )


class NoBuildBeats(_Assertion):
    """No build does better than a limit, in the direction of the game's first metric."""

    kind: Literal["no_build_beats"]
    limit: float
    scenario: tuple[str, ...] = Field(default=(), description="default: every scenario of the set")


class NoSaturatedOption(_Assertion):
    """No option is so many times more frequent among the best builds than in the whole space."""

    kind: Literal["no_saturated_option"]
    lift: Annotated[float, Field(gt=1)]
    top: Annotated[float, Field(gt=0, lt=1)] = 0.01


class NoDeadOptions(_Assertion):
    """Every option can do something in some scenario."""

    kind: Literal["no_dead_options"]


class NoDominatedOptions(_Assertion):
    """No option is worse than another of the same or lower cost wherever both are legal."""

    kind: Literal["no_dominated_options"]


class NoOverpoweredBuilds(_Verdict):
    """No build is far better than the reference level, what a build around a typical option reaches."""

    kind: Literal["no_overpowered_builds"]


class NoMustHave(_Verdict):
    """No option, and no two that stand in for one another, without which the best build is far worse."""

    kind: Literal["no_must_have"]


class NoFightDecidedAtOnce(_Assertion):
    """No build ends half of the fights in the least possible number of turns, nearly always."""

    kind: Literal["no_fight_decided_at_once"]


class NoDominantType(_Assertion):
    """No group of builds (an attack type, say) has nearly all of the best builds, and few of all."""

    kind: Literal["no_dominant_type"]
    share: Annotated[float, Field(gt=0, le=1, description="of the best 100 builds")] = 0.9


class ViableOptions(_Assertion):
    """At least a share of the options stands in a build that is nearly as good as the best."""

    kind: Literal["viable_options"]
    least: Annotated[float, Field(gt=0, le=1, description="share of the options that must be viable")]
    viability: Annotated[float, Field(gt=0, le=1, description="how near the best a viable option comes")] = (
        0.8
    )


class NoMispricedOption(_Verdict):
    """No option is too cheap; with `dear`, none is too dear or hopeless either."""

    kind: Literal["no_mispriced_option"]
    dear: bool = False


class NoBuildWithoutCounter(_Assertion):
    """Where builds meet: each of those that `meta` finds is beaten by another."""

    kind: Literal["no_build_without_counter"]


class EffectiveBuilds(_Assertion):
    """Where builds meet: at least so many are really worth playing (`meta`: effective number of builds)."""

    kind: Literal["effective_builds"]
    least: Annotated[float, Field(ge=1)]


class LargestShare(_Assertion):
    """Where builds meet: no build has more than a share of the equilibrium that `meta` finds."""

    kind: Literal["largest_share"]
    most: Annotated[float, Field(gt=0, lt=1)]


Assertion = (
    NoBuildBeats
    | NoSaturatedOption
    | NoDeadOptions
    | NoDominatedOptions
    | NoOverpoweredBuilds
    | NoMustHave
    | NoFightDecidedAtOnce
    | NoDominantType
    | ViableOptions
    | NoMispricedOption
    | NoBuildWithoutCounter
    | EffectiveBuilds
    | LargestShare
)
# Kinds that were dropped, and what asks the same now.
DROPPED = {"no_outliers": "no_overpowered_builds", "no_broken_combinations": "no_overpowered_builds"}
KINDS: dict[str, type[Frozen]] = {
    "no_build_beats": NoBuildBeats,
    "no_saturated_option": NoSaturatedOption,
    "no_dead_options": NoDeadOptions,
    "no_dominated_options": NoDominatedOptions,
    "no_overpowered_builds": NoOverpoweredBuilds,
    "no_must_have": NoMustHave,
    "no_fight_decided_at_once": NoFightDecidedAtOnce,
    "no_dominant_type": NoDominantType,
    "viable_options": ViableOptions,
    "no_mispriced_option": NoMispricedOption,
    "no_build_without_counter": NoBuildWithoutCounter,
    "effective_builds": EffectiveBuilds,
    "largest_share": LargestShare,
}
