"""The shape of Dungeoneers files: every number of the text, and of our reading of it; fights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, model_validator

from buildsearch.model.rules_file import (
    Frozen,
    Identifier,
    Integer,
    Natural,
    Positive,
    RulesEnvelope,
    ScenariosEnvelope,
    Text,
    Title,
    Weight,
)

Attribute = Literal["power", "prowess", "endurance", "resistance", "spell", "mind"]
ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
Slot = Literal["shield", "body", "hands", "feet", "head"]
SLOTS: tuple[Slot, ...] = get_args(Slot)
Size = Literal["tiny", "small", "medium", "large", "huge", "massive"]
SIZES: tuple[Size, ...] = get_args(Size)
Die = Literal["d4", "d6", "d8", "d10", "d12", "d20"]
DICE: tuple[Die, ...] = get_args(Die)
Damage = Literal["bludgeoning", "piercing", "slashing", "heat", "cold", "toxic"]
DAMAGES: tuple[Damage, ...] = get_args(Damage)
First = Literal["prowess", "hero", "foes"]
Target = Literal["first", "weakest"]
Play = Literal["greedy", "optimal"]
PLAYS: tuple[Play, ...] = get_args(Play)

# Bounds of the engines, not rules of the game: chances are tables over numbers of dice, states are bits.
MOST_SCORE = 12
MOST_WOUNDS = 12
MOST_AP = 6
MOST_VALUE = 100
MOST_OF_A_PIECE = 20  # so that five pieces are no more than MOST_VALUE
MOST_EXTRA_DICE = 8
MOST_ROUNDS = 200
MOST_MAGICA = 20
MOST_FOES = 8


def _nothing_or_half(value: float) -> float:
    if value not in (0, 0.5):
        raise ValueError("a draw is worth 0 or 0.5")
    return float(value)


Score = Annotated[Natural, Field(le=MOST_SCORE)]
Value = Annotated[Natural, Field(le=MOST_VALUE)]
Part = Annotated[Natural, Field(le=MOST_OF_A_PIECE)]
Cost = Annotated[Natural, Field(le=100)]
Price = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Ambient = Annotated[Natural, Field(le=MOST_MAGICA)]
Rounds = Annotated[Positive, Field(le=MOST_ROUNDS)]
DrawValue = Annotated[float, Field(description="0 or 0.5"), AfterValidator(_nothing_or_half)]
Hands = Annotated[Natural, Field(le=4)]


class Hero(Frozen):
    """What every build has alike."""

    base: Annotated[Positive, Field(le=MOST_SCORE, description="each attribute before points")]
    size: Size
    dodge: Die
    ap: Annotated[Positive, Field(le=MOST_AP, description="action points a turn")]
    hands: Hands


class Limits(Frozen):
    """What limits builds that are searched; `-p` changes each of them."""

    points: Annotated[Natural, Field(le=60, description="of attributes, all spent")]
    max_rank: Annotated[Positive, Field(le=MOST_SCORE, description="no attribute above it")]
    gear: Annotated[Natural, Field(le=100, description="points of gear, unspent is legal")]
    max_spells: Annotated[Natural, Field(le=20)]
    rank: Title = Field(description="the highest rank of weapon")

    @property
    def in_words(self) -> dict[str, int | str]:
        """As they are given on the command line."""
        return {name: getattr(self, name) for name in ("points", "gear", "max_spells", "rank", "max_rank")}


class Stress(Frozen):
    """What too much stress does. Text, Stress."""

    breaking: Annotated[Positive, Field(le=10, description="times the capacity: beyond it, wounds")]
    breaking_wounds: Annotated[Natural, Field(le=MOST_WOUNDS, description="before they are multiplied")]
    wounds_factor: Annotated[Positive, Field(le=10, description="wounds while over capacity")]
    gain_factor: Annotated[Positive, Field(le=10, description="stress gained while over capacity")]
    pierce_die: Die = Field(description="one more of it while over capacity")


class Weapon(Frozen):
    """What one strikes with."""

    name: Title
    section: Text = ""
    rank: Title | None = Field(default=None, description="absent: always allowed")
    hands: Hands
    hit: Die
    pierce: Die
    wounds: Annotated[Natural, Field(le=MOST_WOUNDS)]
    type: Damage
    cost: Cost


class Piece(Frozen):
    """Something worn or held."""

    name: Title
    section: Text = ""
    slot: Slot
    av: Part = 0
    sr: Part = 0
    bane: Annotated[Integer, Field(ge=-2, le=20, description="dice less of every roll as a caster")] = 0
    power: Annotated[Natural, Field(le=MOST_SCORE, description="needed to use it")] = 1
    hands: Hands = 0
    cost: Cost

    @property
    def does_nothing(self) -> bool:
        """Such a piece may be written, and is left out of canonical names."""
        return (self.av, self.sr, self.bane, self.cost, self.hands) == (0, 0, 0, 0, 0)


class SpellWounds(Frozen):
    """Wounds of a type."""

    wounds: Annotated[Positive, Field(le=MOST_WOUNDS)]
    type: Damage


class Spell(Frozen):
    """One test and one effect, or an effect on the caster."""

    name: Title
    section: Text = ""
    cost: Cost
    base: Annotated[Natural, Field(le=MOST_MAGICA, description="magica")]
    hands: Hands = 0
    attack: Die | None = Field(default=None, description="spell dice against dodge dice")
    save: Die | None = Field(default=None, description="mind dice against dice of `against`")
    against: Attribute | None = None
    pierce: Die | None = None
    harm: SpellWounds | None = None
    stress: Annotated[Positive | None, Field(le=20, description="that the target gains")] = None
    armor: Annotated[Positive | None, Field(le=MOST_OF_A_PIECE, description="AV of the caster, once")] = None
    mend: Annotated[Positive | None, Field(le=MOST_WOUNDS, description="wounds that the caster loses")] = None
    calm: Annotated[Positive | None, Field(le=20, description="stress that the caster loses")] = None

    @property
    def is_self(self) -> bool:
        """Whether the caster is its target."""
        return self.armor is not None or self.mend is not None or self.calm is not None

    @model_validator(mode="after")
    def _does_one_thing(self) -> Spell:
        deeds = (self.harm, self.stress, self.armor, self.mend, self.calm)
        if sum(deed is not None for deed in deeds) != 1:
            raise ValueError("a spell has exactly one of `harm`, `stress`, `armor`, `mend` and `calm`")
        tests = (self.attack, self.save)
        if self.is_self:
            if any(part is not None for part in (*tests, self.pierce, self.against)):
                raise ValueError("a spell on the caster has no `attack`, `save`, `against` or `pierce`")
        elif sum(test is not None for test in tests) != 1 or self.pierce is None:
            raise ValueError("a spell at a target has `pierce`, and one of `attack` and `save`")
        if (self.save is None) != (self.against is None):
            raise ValueError("`save` and `against` belong together")
        return self


Modifiers = dict[Damage, Annotated[Natural, Field(le=MOST_WOUNDS)]]


class Foe(Frozen):
    """A creature of the scenarios; what is not said is as for an ordinary one."""

    power: Score = 1
    prowess: Score = 1
    endurance: Score = 1
    resistance: Score = 1
    spell: Score = 1
    mind: Score = 1
    size: Size = "medium"
    av: Value = 0
    sr: Value = 0
    hit: Die = "d4"
    pierce: Die = "d4"
    dodge: Die = "d4"
    wounds: Annotated[Natural, Field(le=MOST_WOUNDS)] = 1
    type: Damage = "bludgeoning"
    bonus: Annotated[Integer, Field(ge=-MOST_WOUNDS, le=MOST_WOUNDS)] = 0
    weak: Modifiers = Field(default={})
    resistant: Modifiers = Field(default={})
    ap: Annotated[Natural, Field(le=MOST_AP)] = 3
    spells: tuple[Identifier, ...] = ()
    buys: Annotated[Natural, Field(le=1, description="1: may buy stress")] = 0


class FightNumbers(Frozen):
    """How long fights last and what greedy play weighs; a scenario may change each of them."""

    rounds: Rounds
    ambient: Ambient = Field(description="magica that pays for every cast first")
    stress_per_attack: Annotated[Natural, Field(le=MOST_EXTRA_DICE)]
    stress_price: Price
    desperate_price: Price
    magica_price: Price
    defend_below: Price


class Rulings(Frozen):
    """Readings that a table might play differently."""

    spellbane: Literal["on", "off"] = "on"
    magica_cap: Literal["mind", "none"] = "mind"
    first: First = "prowess"
    target: Target = "first"
    draw_value: DrawValue = 0.0


class DungeoneersRules(RulesEnvelope):
    """A ruleset."""

    system: Literal["dungeoneers"]
    limits: Limits
    hero: Hero
    attributes: dict[Attribute, Title]
    sizes: dict[Size, Annotated[Natural, Field(le=MOST_WOUNDS, description="wounds that it can sustain")]]
    stress: Stress
    ranks: tuple[Title, ...] = Field(description="of weapons, the lowest first")
    weapons: Annotated[dict[Identifier, Weapon], Field(min_length=1, max_length=40)]
    armour: Annotated[dict[Identifier, Piece], Field(max_length=40)]
    spells: Annotated[dict[Identifier, Spell], Field(max_length=20)]
    foes: dict[Identifier, Foe]
    fights: FightNumbers
    rulings: Rulings = Rulings()

    @property
    def shelves(self) -> Mapping[str, Mapping[str, Weapon | Piece | Spell]]:
        """Gear by its place in the file."""
        return {"weapons": self.weapons, "armour": self.armour, "spells": self.spells}

    @property
    def gear(self) -> Mapping[str, Weapon | Piece | Spell]:
        """All that a build can take."""
        return {**self.weapons, **self.armour, **self.spells}


class Scenario(Frozen):
    """One fight: the hero against every foe of the list."""

    name: Title
    foes: Annotated[Text, Field(min_length=1, description="such as `goblin*3|hexer@ambient=1`")]
    weight: Weight = 1.0


class DungeoneersScenarios(ScenariosEnvelope):
    """A set of fights."""

    system: Literal["dungeoneers"]
    scenarios: dict[Identifier, Scenario] = Field(min_length=1)
