"""What happened, one frozen record each, for traces, narration and counting."""

from __future__ import annotations

from dataclasses import dataclass

from buildsearch.evaluate.events import Event


@dataclass(frozen=True, slots=True)
class FightResult:
    """How a fight went: won, drawn or lost, its rounds, the build's HP, and the critical gauge."""

    outcome: str
    rounds: int
    hp_left: int
    gauge: int


@dataclass(frozen=True, slots=True)
class OrderSet(Event):
    """A wave begins: who acts in which order, with the successes of the first roll."""

    wave: int
    order: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class SlotStarted(Event):
    """Somebody's slot begins."""

    round: int
    who: str
    standing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Missed(Event):
    """A slot without an action: stunned, or incapacitated."""

    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Evolved(Event):
    """To a higher stage."""

    who: str
    stage: str
    cost: int
    after: str


@dataclass(frozen=True, slots=True)
class Attacked(Event):
    """A roll against a dodge, and what it came to; `place` is that of a signature attack."""

    who: str
    target: str
    place: int | None
    attack: str
    uses: int
    bought_use: bool
    bought_die: bool
    dice: tuple[int, ...]
    dodge_dice: tuple[int, ...]
    margin: int


@dataclass(frozen=True, slots=True)
class Harmed(Event):
    """HP lost, by a hit, a splash or poison."""

    who: str
    cause: str
    damage: int
    after: str
    defeated: bool


@dataclass(frozen=True, slots=True)
class FoughtOn(Event):
    """Bond points instead of falling."""

    who: str
    cost: int


@dataclass(frozen=True, slots=True)
class Devolved(Event):
    """0 HP, and a lower stage."""

    who: str
    dice: tuple[int, ...]
    stage: str


@dataclass(frozen=True, slots=True)
class Caused(Event):
    """A condition."""

    who: str
    condition: str


@dataclass(frozen=True, slots=True)
class Drained(Event):
    """HP regained from a hit."""

    who: str
    hp: int


@dataclass(frozen=True, slots=True)
class Transferred(Event):
    """Allies are boosted by the signature attack of this place."""

    who: str
    place: int
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Defended(Event):
    """Until the own next slot."""

    who: str


@dataclass(frozen=True, slots=True)
class Breathed(Event):
    """Between two waves: the party as it stands again."""

    standing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FightEnded(Event):
    """The fight is over."""

    result: FightResult
