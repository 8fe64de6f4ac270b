"""How often each card of the build was there to be played, and how often it did something."""

from __future__ import annotations

from buildsearch.evaluate.events import Event
from buildsearch.model.evaluation import TriggerRate
from buildsearch.systems.armitage.builds.build import Build
from buildsearch.systems.armitage.reference.events import (
    Attacked,
    FightEnded,
    Healed,
    Resolved,
    StatusPlaced,
    TurnStarted,
)

# The build is always the first of our side.
_BUILD = 0


class TriggerCounter:
    """Listens to fights."""

    def __init__(self, build: Build) -> None:
        self.cards = tuple(name for name, _ in build.deck)
        self._turns = self._fights = 0
        self._in_hand = dict.fromkeys(self.cards, 0)
        self._fired = dict.fromkeys(self.cards, 0)
        self._now: set[str] = set()

    def __call__(self, event: Event) -> None:
        """Count an event."""
        match event:
            case TurnStarted(who=0, hand=hand):
                self._turns += 1
                for name in set(hand):
                    self._in_hand[name] += 1
            case FightEnded():
                self._fights += 1
                for name in self._now:
                    self._fired[name] += 1
                self._now.clear()
            case Attacked() | Healed() | Resolved() | StatusPlaced() if event.who == _BUILD:
                if _did_something(event):
                    self._now.add(event.card)
            case _:
                pass

    def rates(self) -> dict[str, TriggerRate]:
        """Share of own turns with the card in hand; share of fights in which it did something."""
        return {
            name: TriggerRate(
                self._in_hand[name] / max(1, self._turns), self._fired[name] / max(1, self._fights)
            )
            for name in self.cards
        }


def _did_something(event: Attacked | Healed | Resolved | StatusPlaced) -> bool:
    match event:
        case Attacked():
            return event.damage > 0
        case Healed():
            return event.gained > 0
        case Resolved():
            return event.lowered > 0
        case StatusPlaced():
            return event.new
