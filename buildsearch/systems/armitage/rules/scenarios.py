"""The shape of an Armitage scenario file: who fights beside the build, and who against it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from buildsearch.model.rules_file import (
    Frozen,
    Identifier,
    Integer,
    Natural,
    Positive,
    ScenariosEnvelope,
    Title,
    Weight,
)
from buildsearch.systems.armitage.rules.model import MOST_AP, MOST_HTH, MOST_TURNS, Preset

# The build itself, as one of the combatants.
BUILD = "build"
# A bound on time, not a rule of the game.
MOST_IN_A_PARTY = 8

_Highest = Field(le=100)
_Party = Annotated[tuple[Identifier, ...], Field(max_length=MOST_IN_A_PARTY)]


class Combatant(Frozen):
    """A combatant: stats where they differ from the rules' base, and a deck (a preset, or counts)."""

    hth: Annotated[Positive | None, Field(le=MOST_HTH)] = None
    eva: Annotated[Natural | None, _Highest] = None
    res: Annotated[Natural | None, _Highest] = None
    tuf: Annotated[Natural | None, _Highest] = None
    ap: Annotated[Natural | None, Field(le=MOST_AP)] = None
    initiative: Annotated[Integer | None, Field(ge=-100, le=100)] = None
    deck: Identifier | Preset


class Scenario(Frozen):
    """One fight: the build and its `allies` against the `opponents`; `build` stands for the build itself."""

    name: Title
    allies: _Party = ()
    opponents: Annotated[_Party, Field(min_length=1)]
    max_turns: Annotated[Positive | None, Field(le=MOST_TURNS, description="absent: as the rules say")] = None
    weight: Weight = 1.0


class ArmitageScenarios(ScenariosEnvelope):
    """A set of fights."""

    system: Literal["armitage"]
    combatants: dict[Identifier, Combatant] = Field(default={})
    scenarios: dict[Identifier, Scenario] = Field(min_length=1)
