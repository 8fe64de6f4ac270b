"""The words that an enhancement is described with. Engines implement these, and nothing else."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from buildsearch.model.rules_file import Flag, Frozen, Integer, Natural, Positive


class Amount(Frozen):
    """A number that may grow with tier: `flat + tier x the character's tier`."""

    flat: Integer = 0
    tier: Integer = 0

    def at(self, tier: int) -> int:
        """The number at this tier."""
        return self.flat + self.tier * tier


class Modifiers(Frozen):
    """Bonuses and penalties to the three kinds of roll."""

    accuracy: Amount = Amount()
    damage: Amount = Amount()
    condition: Amount = Amount()


class Overhit(Frozen):
    """A hit by at least `margin` adds one to the effect roll for every `per` points of margin."""

    margin: Natural
    per: Positive


class Brutal(Frozen):
    """Damage that exceeds durability by `threshold` or more adds one for every `per` points."""

    threshold: Natural
    per: Positive


class Chain(Frozen):
    """A base strike that hits and does damage allows the next, up to `strikes` in a row."""

    strikes: Annotated[Positive, Field(ge=2, le=10)]


class ExtraAttack(Frozen):
    """A base strike that hits and does damage allows another one, at most `per_turn` times a turn."""

    per_turn: Positive


class Ricochet(Frozen):
    """A critical allows one strike each on this many other enemies."""

    targets: Positive


class FinishingBlow(Frozen):
    """A damaging strike that leaves this many HP or fewer defeats."""

    hp_at_most: Positive


class CullingStrike(Frozen):
    """A damaging strike that leaves less than one part in `one_in` of maximum HP defeats."""

    one_in: Positive
    inclusive: Flag = Field(default=False, description="whether exactly that part is enough")


class Leech(Frozen):
    """A damaging strike gives the attacker one HP back for every `per` points of its damage."""

    per: Positive


class Splinter(Frozen):
    """Each defeat allows a strike on another enemy, at most tier / `tier_divisor`, rounded up, a turn."""

    tier_divisor: Positive

    def limit_at(self, tier: int) -> int:
        """How many strikes a turn at this tier."""
        return -(-tier // self.tier_divisor)


class Slayer(Modifiers):
    """Modifiers against enemies of a certain maximum HP."""

    max_hp: Positive
    match: Literal["exactly", "at_most"] = "exactly"

    def matches(self, max_hp: int) -> bool:
        """Whether an enemy of this maximum HP is of the kind."""
        return max_hp == self.max_hp if self.match == "exactly" else max_hp <= self.max_hp


class Channel(Frozen):
    """Each consecutive turn of the same attack adds `step` x tier, up to `cap` x tier, to every roll.

    The ruling `channel_cap` says whether the cap binds the net of this bonus and the option's own
    modifiers, or the bonus alone.
    """

    step: Positive
    cap: Positive


class Mechanics(Frozen):
    """What an upgrade does besides modifying rolls. Absent means: it does not."""

    accuracy_dice: Annotated[
        Positive | None, Field(le=10, description="roll this many, keep the highest")
    ] = None
    overhit: Overhit | None = None
    flat_damage: Amount | None = Field(
        default=None, description="instead of the damage dice, where there are any"
    )
    explode_on: Annotated[Positive | None, Field(ge=2, description="damage dice explode from here up")] = None
    ignore_endurance: Flag = Field(default=False, description="durability without endurance")
    brutal: Brutal | None = None
    strikes: Annotated[Positive | None, Field(le=10, description="base strikes on the same target")] = None
    chain: Chain | None = Field(default=None, description="base strikes that follow each other")
    extra_attack: ExtraAttack | None = None
    critical_range: Positive | None = Field(default=None, description="criticals from this natural roll up")
    critical_bonus: Modifiers | None = Field(default=None, description="more on a critical")
    ricochet: Ricochet | None = None
    double_tap: Flag = Field(default=False, description="a critical allows one more strike")
    explosive_critical: Flag = Field(default=False, description="a critical reaches every other enemy")
    bleed: Flag = Field(default=False, description="damage is dealt again later")
    leech: Leech | None = None
    vulnerable: Positive | None = Field(
        default=None, description="an enemy that was hit takes this much more damage from the next hit"
    )
    finishing_blow: FinishingBlow | None = None
    culling_strike: CullingStrike | None = None
    splinter: Splinter | None = None
    slayer: Slayer | None = None
    channel: Channel | None = None


class SinceLastTurn(StrEnum):
    """What the retaliation just before this turn did."""

    HIT = "hit"
    DAMAGED = "damaged"
    HIT_UNHARMED = "hit_unharmed"
    ALL_MISSED = "all_missed"
    NOT_DAMAGED = "not_damaged"
    NOT_ATTACKED = "not_attacked"


class LastTurn(StrEnum):
    """What the attacker did on their previous turn."""

    HIT_TARGET = "hit_target"
    DEALT_DAMAGE = "dealt_damage"
    DEFEATED_ENEMY = "defeated_enemy"


class TurnRange(Frozen):
    """The turns on which an attack may be used."""

    first: Positive | None = Field(default=None, alias="from")
    last: Positive | None = Field(default=None, alias="to")

    @model_validator(mode="after")
    def _is_a_range(self) -> TurnRange:
        if self.first is None and self.last is None:
            raise ValueError("a turn range needs `from`, `to` or both")
        if self.first is not None and self.last is not None and self.first > self.last:
            raise ValueError(f"`from` ({self.first}) is after `to` ({self.last})")
        return self


class Conditions(Frozen):
    """When the attack may be used. All that are given must hold."""

    turn: TurnRange | None = None
    uses: Positive | None = Field(default=None, description="at most this many times in a fight")
    cooldown: Positive | None = Field(default=None, description="turns of rest after each attempt")
    charge: Annotated[
        Positive | None, Field(le=20, description="turns spent charging right before the attack")
    ] = None
    activation_roll: Natural | None = Field(default=None, description="the activation die must show this")
    hp_at_most: Natural | None = None
    hp_full: Flag = False
    hp_cost: Positive | None = Field(
        default=None, description="HP that an attempt costs; it needs more than that"
    )
    since_last_turn: SinceLastTurn | None = None
    no_attack_last_turn: Flag = False
    last_turn: LastTurn | None = None


def words_of(mechanics: Mechanics, conditions: Conditions) -> frozenset[str]:
    """The words that are used: those whose value is not the one that says nothing.

    Engines compare them with the words that they know, so that none is ever passed over in silence.
    """
    return frozenset(
        word
        for part, nothing in ((mechanics, _NO_MECHANICS), (conditions, _NO_CONDITIONS))
        # Most options say next to nothing.
        if part != nothing
        for word in type(part).model_fields
        if getattr(part, word) != getattr(nothing, word)
    )


_NO_MECHANICS, _NO_CONDITIONS = Mechanics(), Conditions()
