"""Single fights by the reference, for people to look at."""

from __future__ import annotations

from collections.abc import Mapping

from buildsearch.evaluate.dice import SeededDice
from buildsearch.evaluate.events import Event
from buildsearch.evaluate.streams import content_digest
from buildsearch.model.replay import Replay, TriggerRate
from buildsearch.systems.armitage.bouts import Bout, Fighter
from buildsearch.systems.armitage.build import Build
from buildsearch.systems.armitage.engines import reference_content
from buildsearch.systems.armitage.reference.fight import fight
from buildsearch.systems.armitage.reference.narrate import narrate
from buildsearch.systems.armitage.reference.triggers import TriggerCounter
from buildsearch.systems.armitage.rules import ArmitageRules


class ArmitageReplayer:
    """Plays fights one at a time, each from its own seed."""

    brief = 25  # some milliseconds each

    def __init__(self, rules: ArmitageRules) -> None:
        self.rules = rules

    def value(self, build: Build, bout: Bout, seed: int) -> float:
        """1 for a fight won, 0.5 for a draw, 0 for a fight lost."""
        fighters = bout.fighters(self.rules, build)
        return fight(self.rules, fighters, bout.max_turns, self._dice(fighters, bout, seed)).value

    def replay(self, build: Build, bout: Bout, seed: int) -> Replay:
        """The fight with this seed, event by event."""
        events: list[Event] = []
        fighters = bout.fighters(self.rules, build)
        dice = self._dice(fighters, bout, seed)
        result = fight(self.rules, fighters, bout.max_turns, dice, events.append)
        lines, data = tuple(narrate(events)), tuple(event.to_dict() for event in events)
        return Replay(seed=seed, value=result.value, lines=lines, events=data)

    def triggers(self, build: Build, bout: Bout, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """How often each card was in hand, and in how many fights it did something."""
        counter = TriggerCounter(build)
        fighters = bout.fighters(self.rules, build)
        dice = self._dice(fighters, bout, seed)
        for _ in range(fights):
            fight(self.rules, fighters, bout.max_turns, dice, counter)
        return counter.rates()

    def _dice(self, fighters: tuple[Fighter, ...], bout: Bout, seed: int) -> SeededDice:
        content = reference_content(self.rules, fighters, bout.max_turns)
        return SeededDice(int.from_bytes(content_digest(b"replay", str(seed).encode(), content), "little"))
