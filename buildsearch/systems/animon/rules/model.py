"""The shape of an Animon Story rules file: every number of the text, and of our reading of it."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from buildsearch.model.rules_file import Frozen, Natural, Positive, RulesEnvelope, Text, Title

Stage = Literal["fledgling", "basic", "super", "ultra", "giga"]
STAGES: tuple[Stage, ...] = get_args(Stage)
Stat = Literal["power", "agility", "brains", "heart"]
STATS: tuple[Stat, ...] = get_args(Stat)
Element = Literal[
    "neutral", "fire", "water", "nature", "electric", "earth", "wind", "light", "dark", "mirage"
]
ELEMENTS: tuple[Element, ...] = get_args(Element)
Quality = Literal["attack", "dodge", "initiative"]
QUALITIES: tuple[Quality, ...] = get_args(Quality)
Effect = Literal[
    "block_break",
    "efficient",
    "energy_drain",
    "explosive",
    "heavy_strike",
    "misdirect",
    "multi_element",
    "multi_hit",
    "poison_strike",
    "overcharge",
    "power_transfer",
    "quick_strike",
    "sap",
    "stunning_strike",
    "tough_break",
]
EFFECTS: tuple[Effect, ...] = get_args(Effect)
Improvement = Literal["hp", "damage", "dodge", "uses"]
IMPROVEMENTS: tuple[Improvement, ...] = get_args(Improvement)
LowerForms = Literal["derived", "own"]
LOWER_FORMS: tuple[LowerForms, ...] = get_args(LowerForms)
ZeroHp = Literal["out", "devolve"]
Between = Literal["extended", "breath"]
Surprised = Literal["nobody", "us", "them"]
Play = Literal["greedy", "optimal"]
PLAYS: tuple[Play, ...] = get_args(Play)

# Bounds of the engines, not rules of the game: chances are tables over numbers of dice, states are bits.
MOST_DICE = 28
MOST_NET = 2
MOST_HP = 2000
MOST_DAMAGE = 1000
MOST_USES = 60
MOST_BOND = 60
MOST_UNITS = 15
MOST_WAVES = 8
MOST_LEVEL = 60
MOST_ROUNDS = 1000
MOST_BOND_LEVEL = 30
MOST_EFFECTS = 3

Dice = Annotated[Natural, Field(le=20)]
Small = Annotated[Natural, Field(le=20)]


class StageRow(Frozen):
    """What a stage of evolution gives. Text, Damage by Stage, Multiple Signature Attacks, Evolution."""

    name: Title
    least: Annotated[Positive, Field(le=10, description="every stat at least")]
    most: Annotated[Positive, Field(le=12, description="every stat at most")]
    points: Annotated[Natural, Field(le=40, description="above the least, all spent")]
    hp: Annotated[Natural, Field(le=200, description="before heart")]
    hp_per_heart: Small
    damage: Annotated[Natural, Field(le=20, description="times power")]
    revised_damage: Annotated[Natural, Field(le=20, description="the same under `damage_by_stage: revised`")]
    rank: Annotated[Natural, Field(le=5, description="of the signature attack that it brings; 0: none")]
    bond_level: Annotated[Positive, Field(le=MOST_BOND_LEVEL, description="needed to have it")]
    foe_damage: Annotated[Natural, Field(le=100, description="that an animon by level adds to its level")]


class ElementRow(Frozen):
    """An element and what it is strong against."""

    name: Title
    strong_against: Element | None = None


class QualityRow(Frozen):
    """A knack for one kind of roll."""

    name: Title
    dice: Dice


class EffectRow(Frozen):
    """What a signature attack does besides."""

    name: Title
    section: Text = ""
    says: Text
    extra: Annotated[Natural | None, Field(le=20, description="heavy_strike: damage besides the rank")] = None


class ImprovementRow(Frozen):
    """What a bond makes better."""

    name: Title
    amount: Annotated[Positive, Field(le=50)]


class Improving(Frozen):
    """How many score improvements there are, and what each gives. *Ours*."""

    levels: Annotated[Positive, Field(le=MOST_BOND_LEVEL, description="bond levels for one of them")]
    most: Annotated[Positive, Field(le=4, description="of one kind")]
    kinds: dict[Improvement, ImprovementRow]


class Limits(Frozen):
    """What limits builds that are searched; `-p` changes each of them."""

    stage: Stage
    effects: Annotated[Positive, Field(le=MOST_EFFECTS, description="of each signature attack")]
    elements: Annotated[tuple[Element, ...], Field(min_length=1)]
    lower_forms: LowerForms


class Rolling(Frozen):
    """Dice. Text, Attack Mechanics; the limit is ours."""

    sides: Annotated[Positive, Field(ge=2, le=20)]
    success: Annotated[Positive, Field(le=20, description="a die succeeds on this or more")]
    most_boost: Annotated[Positive, Field(le=MOST_NET, description="net boosts and setbacks that count")]


class Levelled(Frozen):
    """Animon by level. *Ours*."""

    skill: Small
    levels_per_skill: Annotated[Positive, Field(le=MOST_LEVEL)]
    hp: Annotated[Natural, Field(le=200)]
    hp_per_level: Annotated[Natural, Field(le=30)]


class Hearts(Frozen):
    """Heart tests. Text, Devolution from 0 HP, Catching Your Breath."""

    devolving_from: Stage = Field(description="this stage or higher devolves at 0 HP")
    devolving: Annotated[Positive, Field(le=10, description="successes to stay basic")]
    staying_basic: Annotated[Positive, Field(le=10, description="successes of basic ones")]
    breath: Annotated[Natural, Field(le=50, description="HP besides heart between waves")]


class Bond(Frozen):
    """Bond points. Text, Bond Points in Combat."""

    base: Annotated[Natural, Field(le=40, description="with `bond_points: on`, besides the bond level")]
    fight_on: Annotated[Positive, Field(le=20)]
    kept: Annotated[Natural, Field(le=20, description="greedy play keeps this many")]
    evolving: Annotated[Natural, Field(le=20, description="to the highest stage")]
    extra_use: Annotated[Positive, Field(le=20)]
    extra_die: Annotated[Positive, Field(le=20)]


class Fights(Frozen):
    """How long fights last unless a scenario says otherwise."""

    max_rounds: Annotated[Positive, Field(le=MOST_ROUNDS)]


Adjacent = Literal["all", 1, 2, 3]


class Rulings(Frozen):
    """Readings that a table might play differently."""

    damage_by_stage: Literal["text", "revised"] = "text"
    multi_element: Literal["listed", "any"] = "listed"
    initiative_ties: Literal["again", "number"] = "again"
    evolving: Literal["free", "action"] = "free"
    zero_hp: ZeroHp = "out"
    tough_break: Literal["normal", "half"] = "normal"
    vulnerable: Literal["causer", "encounter", "target"] = "causer"
    adjacent: Adjacent = "all"
    overcharge: Literal["two", "any"] = "two"
    power_transfer: Literal["all", "rank"] = "all"
    bond_dice: Literal["attack", "none"] = "attack"


class AnimonRules(RulesEnvelope):
    """A ruleset."""

    system: Literal["animon"]
    limits: Limits
    stages: dict[Stage, StageRow]
    stats: dict[Stat, Title]
    elements: dict[Element, ElementRow]
    qualities: dict[Quality, QualityRow]
    effects: dict[Effect, EffectRow]
    never_together: tuple[tuple[Effect, Effect], ...]
    improvements: Improving
    dice: Rolling
    levelled: Levelled
    hearts: Hearts
    bond: Bond
    fights: Fights
    rulings: Rulings = Rulings()
