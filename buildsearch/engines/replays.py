"""Single fights by a game's reference, for people to look at: each from its own seed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import SeededDice, content_digest
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Replay


class ReferenceReplayer(ABC):
    """Plays fights one at a time. A game says how a fight is played, what decides it, and how it is told."""

    brief = 25  # fights that take some tenths of a second

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    @abstractmethod
    def play(
        self, build: Any, bout: Any, dice: SeededDice, observe: Callable[[Event], None] | None = None
    ) -> float:
        """One fight, what it is worth in the primary metric; `observe` sees what happens."""

    @abstractmethod
    def content(self, build: Any, bout: Any) -> bytes:
        """A digest of all that the reference reads."""

    @abstractmethod
    def narrate(self, events: Iterable[Any]) -> Iterable[str]:
        """What happened, line by line."""

    def value(self, build: Any, bout: Any, seed: int) -> float:
        """What the fight with this seed is worth."""
        return self.play(build, bout, self.dice(build, bout, seed))

    def replay(self, build: Any, bout: Any, seed: int) -> Replay:
        """The fight with this seed, event by event."""
        events: list[Event] = []
        value = self.play(build, bout, self.dice(build, bout, seed), events.append)
        lines, data = tuple(self.narrate(events)), tuple(event.to_dict() for event in events)
        return Replay(seed=seed, value=value, lines=lines, events=data)

    def watch(self, build: Any, bout: Any, fights: int, seed: int, observe: Callable[[Event], None]) -> None:
        """So many fights, one after the other, all seen by `observe`."""
        dice = self.dice(build, bout, seed)
        for _ in range(fights):
            self.play(build, bout, dice, observe)

    def fired(
        self, build: Any, bout: Any, fights: int, seed: int, effects: Callable[[list[Any]], Iterable[str]]
    ) -> Counter[str]:
        """In how many of so many fights each of the effects came about that `effects` reads from events."""
        dice = self.dice(build, bout, seed)
        found: Counter[str] = Counter()
        for _ in range(fights):
            events: list[Event] = []
            self.play(build, bout, dice, events.append)
            found.update(set(effects(events)))
        return found

    def dice(self, build: Any, bout: Any, seed: int) -> SeededDice:
        """The dice of a seed: of these fighters and no others."""
        digest = content_digest(b"replay", str(seed).encode(), self.content(build, bout))
        return SeededDice(int.from_bytes(digest, "little"))


def only_greedy(play: str) -> None:
    """For references that play greedily; raises UsageError where a fight asks for more."""
    if play != "greedy":
        raise UsageError(
            f"single fights are played greedily. Leave ‹play› {play} out; ‹show_policy› of `score` says what "
            "best play does."
        )
