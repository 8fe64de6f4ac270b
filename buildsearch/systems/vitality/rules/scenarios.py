"""The shape of a Vitality scenario file: who stands where, in which waves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from buildsearch.model.rules_file import (
    Flag,
    Frozen,
    Identifier,
    Natural,
    Positive,
    ScenariosEnvelope,
    Title,
    Weight,
)
from buildsearch.systems.vitality.rules.model import MOST_TURNS, StatChanges

# Bounds of the engines, not rules of a game: a set of enemies is the bits of one integer.
MOST_ENEMIES = 60


def fight_name(scenario: str, profile: str) -> str:
    """What a scenario against a profile is called in results."""
    return f"{scenario}_{profile}" if profile else scenario


class Enemy(StatChanges):
    """A kind of enemy: maximum HP, and where its stats differ from the usual."""

    hp: Annotated[Positive, Field(le=10_000)]


class Scenario(Frozen):
    """One fight: `enemies` in order, or several `waves` of them."""

    name: Title
    enemies: tuple[Identifier, ...] = Field(default=(), max_length=MOST_ENEMIES)
    waves: tuple[Annotated[tuple[Identifier, ...], Field(min_length=1)], ...] = ()
    area_targets: dict[Identifier, Positive] = Field(
        default={}, description="how many enemies each area shape catches; absent: all of them"
    )
    cluster: Natural | None = Field(
        default=None, description="how many others an explosive critical reaches; absent: all of them"
    )
    adjacent: Flag = Field(default=False, description="the attacker's ranged attacks suffer")
    max_turns: Annotated[Positive | None, Field(le=MOST_TURNS, description="absent: as the rules say")] = None
    weight: Weight = 1.0

    @model_validator(mode="after")
    def _has_enemies_once(self) -> Scenario:
        if bool(self.enemies) == bool(self.waves):
            raise ValueError("write either `enemies: [a, b]` or `waves: [[a, b], [c]]`")
        if sum(map(len, self.waves)) > MOST_ENEMIES:
            raise ValueError(f"at most {MOST_ENEMIES} enemies in all waves together")
        return self

    @property
    def all_waves(self) -> tuple[tuple[str, ...], ...]:
        """The waves; plain `enemies` are a single one."""
        return self.waves or (self.enemies,)


class VitalityScenarios(ScenariosEnvelope):
    """A set of fights; with `profiles`, each is fought against each profile."""

    system: Literal["vitality"]
    enemies: dict[Identifier, Enemy] = Field(min_length=1)
    scenarios: dict[Identifier, Scenario] = Field(min_length=1)
    profiles: dict[Identifier, StatChanges] = Field(default={})
