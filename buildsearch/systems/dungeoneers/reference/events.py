"""What happened, one frozen record each, for traces, narration and counting."""

from __future__ import annotations

from dataclasses import dataclass

from buildsearch.evaluate.events import Event


@dataclass(frozen=True, slots=True)
class FightResult:
    """How a fight went: won, drawn or lost, its rounds, and the hero's life."""

    outcome: str
    rounds: int
    life: int


@dataclass(frozen=True, slots=True)
class OrderSet(Event):
    """Who acts in which order: (name, prowess)."""

    order: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    """A creature's turn begins."""

    round: int
    who: str
    standing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attacked(Event):
    """An attack and what came of it; `pierce_dice` is empty where it missed."""

    who: str
    target: str
    bought: int
    hit_dice: tuple[int, ...]
    dodge_dice: tuple[int, ...]
    hit: bool
    pierce_dice: tuple[int, ...]
    av: int
    pierced: bool
    wounds: int
    after: str
    defeated: bool


@dataclass(frozen=True, slots=True)
class Broke(Event):
    """The stress that was bought killed its buyer."""

    who: str
    bought: int


@dataclass(frozen=True, slots=True)
class SpellCast(Event):
    """A spell at an enemy; `pierce_dice` is empty where the first test failed."""

    who: str
    target: str
    spell: str
    extra: int
    magica: int
    test_dice: tuple[int, ...]
    against_dice: tuple[int, ...]
    hit: bool
    pierce_dice: tuple[int, ...]
    sr: int
    through: bool
    after: str
    defeated: bool


@dataclass(frozen=True, slots=True)
class SpellOnSelf(Event):
    """A spell on the caster."""

    who: str
    spell: str
    magica: int
    after: str


@dataclass(frozen=True, slots=True)
class Defended(Event):
    """One more dodge die until the own next turn."""

    who: str


@dataclass(frozen=True, slots=True)
class Rested(Event):
    """Nothing is worth doing."""

    who: str


@dataclass(frozen=True, slots=True)
class FightEnded(Event):
    """The fight is over."""

    result: FightResult
