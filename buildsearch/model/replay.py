"""Single fights that people look at, and how often options mattered in many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Replay:
    """One fight, told twice: as lines for people, and as events for programs.

    Lines at the margin begin a turn; what happens in it is indented. Printers may colour lines by the words
    `defeated`, `miss` and `critical`.
    """

    seed: int
    value: float
    lines: tuple[str, ...]
    events: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class TriggerRate:
    """`usable`: share of the time that an option's condition held, None where it has none.

    `fired`: share of fights in which it changed a roll, damage or a death at least once.
    """

    usable: float | None
    fired: float


class Replayer(Protocol):
    """Plays single fights by the readable reference."""

    @property
    def brief(self) -> int:
        """So many fights as nobody has to wait for: what a report takes trigger rates from unless told."""

    def value(self, build: Any, fight: Any, seed: int) -> float:
        """The primary outcome of the fight with this seed."""

    def replay(self, build: Any, fight: Any, seed: int) -> Replay:
        """That fight in full."""

    def triggers(self, build: Any, fight: Any, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """How often each option with a condition or a trigger mattered."""
