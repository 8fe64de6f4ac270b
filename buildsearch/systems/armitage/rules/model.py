"""The shape of an Armitage rules file: every number of the text, and of our reading of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from buildsearch.model.rules_file import (
    Flag,
    Frozen,
    Identifier,
    Integer,
    Natural,
    Positive,
    RulesEnvelope,
    Text,
    Title,
)

Stat = Literal["hth", "eva", "res", "tuf", "initiative"]
StatusStat = Literal["eva", "res", "tuf", "ap"]
Play = Literal["greedy", "lookahead"]
PLAYS: tuple[Play, ...] = ("greedy", "lookahead")

# Bounds of the engines, not rules of the game: a set of statuses is the bits of an integer, look-ahead goes
# through every order of cards, every face of the dice is gone through, and results are tables over turns and
# HP.
MOST_KINDS = 60
MOST_STATUSES = 12
MOST_AP = 6
MOST_HAND = 10
MOST_CARDS = 200
MOST_TURNS = 10_000
MOST_HTH = 1_000
_HIGHEST = 100
_FARTHEST = 20


class Stats(Frozen):
    """A combatant's numbers. Text, Combatant."""

    hth: Annotated[Positive, Field(le=MOST_HTH, description="health")]
    eva: Annotated[Natural, Field(le=_HIGHEST, description="an attack roll must reach this")]
    res: Annotated[Natural, Field(le=_HIGHEST, description="taken off damage while it lasts")]
    tuf: Annotated[Natural, Field(le=_HIGHEST, description="number of hits that benefit from RES")]
    ap: Annotated[Natural, Field(le=MOST_AP, description="action points a turn")]
    initiative: Annotated[Integer, Field(ge=-_HIGHEST, le=_HIGHEST)]


class Raise(Frozen):
    """What a step of a stat costs, and how many steps there are."""

    name: Title
    section: Text = ""
    cost: Annotated[Positive, Field(le=_HIGHEST)]
    most: Annotated[Natural, Field(le=_HIGHEST)]


class Dice(Frozen):
    """The dice of an attack, of its damage and of a heal."""

    sides: Annotated[Positive, Field(ge=2, le=12)]
    attack: Annotated[Positive, Field(le=4, description="dice that must reach EVA together")]
    damage: Annotated[Positive, Field(le=4)]


class Strike(Frozen):
    """An attack: what it adds to the attack roll and to the damage roll."""

    to_hit: Annotated[Integer, Field(ge=-_FARTHEST, le=_FARTHEST)] = 0
    damage: Annotated[Integer, Field(ge=-_FARTHEST, le=_FARTHEST)] = 0


class Status(Frozen):
    """A stat changed until the end of its bearer's next turn."""

    bearer: Literal["self", "opponent"]
    stat: StatusStat
    amount: Annotated[Integer, Field(ge=-_FARTHEST, le=_FARTHEST)]


class Card(Frozen):
    """A card does one thing."""

    name: Title
    section: Text = ""
    ap: Annotated[Positive, Field(le=MOST_AP)]
    attack: Strike | None = None
    heal: Annotated[Positive | None, Field(le=4, description="dice of HTH recovered")] = None
    resolve: Annotated[Positive | None, Field(le=_HIGHEST, description="hitCounter falls by this much")] = (
        None
    )
    status: Status | None = None

    @model_validator(mode="after")
    def _does_one_thing(self) -> Card:
        deeds = (self.attack, self.heal, self.resolve, self.status)
        if sum(deed is not None for deed in deeds) != 1:
            raise ValueError("a card has exactly one of `attack`, `heal`, `resolve` and `status`")
        return self


class DeckLimits(Frozen):
    """What binds the deck of a build, and of nobody else."""

    size: Annotated[Positive, Field(le=MOST_CARDS)]
    copies: Annotated[Positive | None, Field(description="of a kind at most; absent: no limit")] = None


class Criticals(Frozen):
    """Damage added after RES on a hit. Text, Critical Rolls: no effect is defined yet."""

    three_alike: Annotated[Natural, Field(le=_FARTHEST)] = 0
    two_alike: Annotated[Natural, Field(le=_FARTHEST)] = 0


class Rulings(Frozen):
    """Readings that a table might play differently."""

    play: Play = Field(default="greedy", description="how cards are chosen where nothing else is said")
    foreseen_attacks: Annotated[
        Natural, Field(le=_FARTHEST, description="plain attacks that a status is weighed against")
    ] = 2


class Expectation(Frozen):
    """A probability that the text states; `validate` computes it and says where the text is wrong."""

    event: Identifier
    stated: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    within: Annotated[float, Field(gt=0, le=1, description="the text rounds by no more than this")] = 0.01
    section: Text = ""


Preset = Annotated[dict[Identifier, Annotated[Positive, Field(le=MOST_CARDS)]], Field(min_length=1)]


class ArmitageRules(RulesEnvelope):
    """A ruleset."""

    system: Literal["armitage"]
    max_turns: Annotated[Positive, Field(le=MOST_TURNS, description="of all combatants; then a draw")]
    hand: Annotated[Positive, Field(le=MOST_HAND)]
    dice: Dice
    base: Stats
    points: Annotated[Natural, Field(le=1_000)]
    spend_all: Flag = Field(description="whether a build may keep points")
    raises: dict[Stat, Raise]
    status_cards: Flag = Field(description="whether status cards are in the game")
    cards: Annotated[dict[Identifier, Card], Field(min_length=1, max_length=MOST_KINDS)]
    deck: DeckLimits
    presets: dict[Identifier, Preset] = Field(default={})
    criticals: Criticals = Criticals()
    rulings: Rulings = Rulings()
    expectations: tuple[Expectation, ...] = ()
