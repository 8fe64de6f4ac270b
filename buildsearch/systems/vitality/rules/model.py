"""The shape of a Vitality rules file: every number and relation of the text."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from buildsearch.model.rules_file import (
    Flag,
    Frozen,
    Identifier,
    Natural,
    Positive,
    RulesEnvelope,
    Text,
    Title,
)
from buildsearch.systems.vitality.rules.rulings import Rulings
from buildsearch.systems.vitality.rules.vocabulary import Amount, Conditions, Mechanics, Modifiers

Effect = Literal["damage", "condition"]
EFFECTS: tuple[Effect, ...] = ("damage", "condition")
# A fight that long says nothing, and tables of results are sized by it.
MOST_TURNS = 10_000
# Bounds on memory and time, not rules of a game: pairs of options are gone through one by one.
MOST_OPTIONS = 1_000
MOST_IN_A_GROUP = 250

_Group = Annotated[tuple[Identifier, ...], Field(max_length=MOST_IN_A_GROUP)]


class Stats(Frozen):
    """What a character is good at. Secondary is the defence that condition checks are made against."""

    focus: Natural
    power: Natural
    mobility: Natural
    endurance: Natural
    secondary: Natural


class StatChanges(Frozen):
    """Stats that differ from the rules' usual ones; what is not named stays."""

    focus: Natural | None = None
    power: Natural | None = None
    mobility: Natural | None = None
    endurance: Natural | None = None
    secondary: Natural | None = None

    def applied_to(self, stats: Stats) -> Stats:
        """The stats with these changes made."""
        return stats.model_copy(update=self.model_dump(exclude_none=True))


class Character(Frozen):
    """How stats become defences, and what the attacker starts with."""

    hp: Positive
    stats: Stats
    avoidance: Amount = Field(description="+ mobility")
    durability: Amount = Field(description="+ endurance")
    resistance: Amount = Field(description="+ secondary")


class Die(Frozen):
    """One die and what everybody adds to it."""

    sides: Annotated[Positive, Field(ge=2, le=100)]
    bonus: Amount = Amount()


class DamageDice(Frozen):
    """The damage dice and what everybody adds to them."""

    count: Annotated[Positive, Field(le=10)]
    sides: Annotated[Positive, Field(ge=2, le=20)]
    explode_on: Annotated[Positive, Field(ge=2, description="above the sides means never")]
    bonus: Amount = Amount()


class Rolls(Frozen):
    """The dice of the game."""

    accuracy: Die = Field(description="+ focus, against avoidance")
    damage: DamageDice = Field(description="+ power, minus durability")
    condition: Die = Field(description="+ power, against resistance")
    activation: Die


class Critical(Frozen):
    """A hit with a natural roll of at least this adds the bonus to the effect roll."""

    range: Positive
    bonus: Modifiers


class Retaliation(Frozen):
    """How enemies attack back: a plain attack of this type."""

    type: Identifier


class AttackType(Frozen):
    """A basic attack, which enhancements are added to."""

    name: Title
    section: Title
    reach: Text = ""
    modifiers: Modifiers = Modifiers()
    adjacent_modifiers: Modifiers = Field(
        default=Modifiers(), description="in scenarios where enemies stand next to the attacker"
    )
    area: Flag = Field(default=False, description="catches several enemies with one damage roll")
    shapes: tuple[Identifier, ...] = ()
    auto_hit: Flag = Field(default=False, description="no accuracy roll, and so no critical")
    flat_damage: Amount | None = Field(default=None, description="instead of the damage dice")
    cost_factor: Positive = 1
    effects: tuple[Effect, ...] = Field(default=EFFECTS, min_length=1)


class Enhancement(Frozen):
    """An upgrade or a limit."""

    name: Title
    section: Title
    cost: Natural
    effects: tuple[Effect, ...] = Field(default=EFFECTS, min_length=1)
    modifiers: Modifiers = Modifiers()
    mechanics: Mechanics = Mechanics()
    conditions: Conditions = Conditions()


class Exclusion(Frozen):
    """Options that do not go together: a `group`, at most one of it; or `one` with none of `others`."""

    section: Title
    group: _Group = ()
    one: Identifier | None = None
    others: _Group = ()

    @model_validator(mode="after")
    def _has_one_form(self) -> Exclusion:
        as_group = len(self.group) > 0 and self.one is None and len(self.others) == 0
        as_star = len(self.group) == 0 and self.one is not None and len(self.others) > 0
        if not (as_group or as_star):
            raise ValueError("write either `group: [a, b, ...]` or `one: a` with `others: [b, ...]`")
        return self

    def pairs(self) -> list[tuple[str, str]]:
        """The pairs that it excludes, each once."""
        if self.one is not None:
            return [(self.one, other) for other in self.others]
        return [(a, b) for i, a in enumerate(self.group) for b in self.group[i + 1 :]]


class TypeRestriction(Frozen):
    """Options that do not go on these attack types."""

    section: Title
    types: tuple[Identifier, ...] = Field(min_length=1)
    ban: tuple[Identifier, ...] = Field(min_length=1)


class Archetype(Frozen):
    """How many attacks a character has, and the points for each, by tier."""

    name: Title
    attacks: Annotated[Positive, Field(le=20)]
    budgets: dict[Annotated[int, Field(ge=0, le=1000)], Natural]


class VitalityRules(RulesEnvelope):
    """A whole edition of Vitality."""

    system: Literal["vitality"]
    tiers: tuple[Positive, ...] = Field(min_length=1)
    max_turns: Annotated[Positive, Field(le=MOST_TURNS)]
    character: Character
    rolls: Rolls
    critical: Critical
    retaliation: Retaliation
    rulings: Rulings
    archetypes: dict[Identifier, Archetype] = Field(min_length=1)
    attack_types: dict[Identifier, AttackType] = Field(min_length=1)
    upgrades: dict[Identifier, Enhancement] = Field(max_length=MOST_OPTIONS)
    limits: dict[Identifier, Enhancement] = Field(max_length=MOST_OPTIONS)
    exclusions: tuple[Exclusion, ...] = ()
    restrictions: tuple[TypeRestriction, ...] = ()

    @property
    def enhancements(self) -> dict[str, Enhancement]:
        """Upgrades, then limits, in file order: the canonical order of a build's name."""
        return {**self.upgrades, **self.limits}
