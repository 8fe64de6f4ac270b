"""What happened, one frozen record each, for traces, narration and counting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from buildsearch.evaluate.events import Event

Named = tuple[str, int]
Standing = tuple[int, str, int, int]
Cause = Literal["base", "chain", "double_tap", "extra_attack", "ricochet", "explosive_critical", "splinter"]
ActionKind = Literal["attack", "charge", "wait", "basic"]


@dataclass(frozen=True, slots=True)
class FightResult:
    """How a fight went. A lost or unfinished one counts as the most turns that it may take."""

    turns: int
    won: bool
    survived: bool
    timeout: bool
    attacker_hp: int


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    """A turn begins; `enemies` are the living: number, name, HP, maximum HP."""

    turn: int
    attacker_hp: int
    enemies: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class WaveArrived(Event):
    """A wave after the first stands there; waves are counted from 1."""

    wave: int
    enemies: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class LimitChecked(Event):
    """Whether a limit would let its attack be used this turn, and what it asks for.

    A charge-up holds when the charge is complete; a limit that is decided by a roll always does.
    """

    attack: int
    enhancement: str
    held: bool
    why: str


@dataclass(frozen=True, slots=True)
class ActionChosen(Event):
    """What the attacker does; `attack` is None for waiting and basic attacks."""

    kind: ActionKind
    attack: int | None
    label: str
    reason: str


@dataclass(frozen=True, slots=True)
class ActivationRolled(Event):
    """The roll that some limits ask for when their attack is attempted."""

    enhancement: str
    roll: int
    bonus: int
    needed: int
    success: bool


@dataclass(frozen=True, slots=True)
class HpPaid(Event):
    """The attacker pays HP for an attempt, which is no damage."""

    amount: int
    attacker_hp_after: int


@dataclass(frozen=True, slots=True)
class StrikeLost(Event):
    """A strike that does not come about, because limits are asked for each (ruling limit_scope)."""

    cause: Cause
    why: str


@dataclass(frozen=True, slots=True)
class Strike(Event):
    """One strike, from its accuracy roll to what became of its target.

    `attack` is None for a basic attack. Effect fields are empty where the strike missed; `effect_defence`
    is the durability or the resistance. `fired` are the enhancements that mattered.
    """

    attack: int | None
    label: str
    cause: Cause
    target: int
    target_name: str
    target_max_hp: int
    channel_turns: int
    auto_hit: bool
    natural_dice: tuple[int, ...]
    natural: int
    accuracy_modifiers: tuple[Named, ...]
    accuracy_total: int
    avoidance: int
    hit: bool
    critical: bool
    effect: Literal["damage", "condition"]
    effect_dice: tuple[int, ...]
    flat: int | None
    effect_modifiers: tuple[Named, ...]
    effect_total: int | None
    effect_defence: int | None
    brutal: int
    exposed: int
    damage: int
    landed: bool
    hp_before: int
    hp_after: int
    defeated: bool
    defeated_by: str | None
    fired: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Healed(Event):
    """The strike before gives the attacker HP back."""

    amount: int
    attacker_hp_after: int
    fired: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BleedTick(Event):
    """A bleed deals its damage again."""

    target: int
    target_name: str
    target_max_hp: int
    damage: int
    hp_after: int
    defeated: bool
    fired: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retaliation(Event):
    """An enemy's plain attack on the attacker."""

    enemy: int
    enemy_name: str
    natural: int
    total: int
    avoidance: int
    hit: bool
    critical: bool
    dice: tuple[int, ...]
    damage: int
    attacker_hp_after: int


@dataclass(frozen=True, slots=True)
class FightEnded(Event):
    """The fight is over."""

    result: FightResult
