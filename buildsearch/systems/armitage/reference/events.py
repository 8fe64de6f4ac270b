"""What happened, one frozen record each, for traces, narration and counting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from buildsearch.evaluate.events import Event

# Number, name, HP, maximum HP.
Standing = tuple[int, str, int, int]


@dataclass(frozen=True, slots=True)
class FightResult:
    """How a fight went for our side: 1 won, 0.5 drawn, 0 lost."""

    value: float
    rounds: int
    turns: int
    hp_left: int


@dataclass(frozen=True, slots=True)
class OrderSet(Event):
    """Who acts in which order."""

    order: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    """A combatant's turn begins, the hand drawn."""

    turn: int
    round: int
    who: int
    who_name: str
    ap: int
    hand: tuple[str, ...]
    reshuffled: bool
    standing: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Attacked(Event):
    """An attack card and what came of it. `damage_dice` is empty where it missed."""

    who: int
    who_name: str
    card: str
    target: int
    target_name: str
    target_max_hp: int
    dice: tuple[int, ...]
    to_hit: int
    eva: int
    hit: bool
    critical: Literal["", "critical", "critical-lite"]
    damage_dice: tuple[int, ...]
    damage_bonus: int
    res: int
    critical_bonus: int
    damage: int
    hit_counter: int
    hp_after: int
    defeated: bool


@dataclass(frozen=True, slots=True)
class Healed(Event):
    """A heal card."""

    who: int
    who_name: str
    card: str
    dice: tuple[int, ...]
    gained: int
    hp_after: int


@dataclass(frozen=True, slots=True)
class Resolved(Event):
    """A resolve card."""

    who: int
    who_name: str
    card: str
    lowered: int
    hit_counter: int


@dataclass(frozen=True, slots=True)
class StatusPlaced(Event):
    """A status card; `new` where its bearer did not have it."""

    who: int
    who_name: str
    card: str
    bearer: int
    bearer_name: str
    stat: str
    amount: int
    new: bool


@dataclass(frozen=True, slots=True)
class FightEnded(Event):
    """The fight is over."""

    result: FightResult
