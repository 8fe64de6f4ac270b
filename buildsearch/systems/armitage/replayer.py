"""Single fights by the reference, for people to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from buildsearch.engines.replays import ReferenceReplayer
from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import SeededDice
from buildsearch.model.evaluation import TriggerRate
from buildsearch.systems.armitage.bouts import Bout
from buildsearch.systems.armitage.builds.build import Build
from buildsearch.systems.armitage.evaluators import reference_content
from buildsearch.systems.armitage.reference.fight import fight
from buildsearch.systems.armitage.reference.narrate import narrate
from buildsearch.systems.armitage.reference.triggers import TriggerCounter
from buildsearch.systems.armitage.rules.model import ArmitageRules


class ArmitageReplayer(ReferenceReplayer):
    """A fight is worth 1 if it is won, 0.5 for a draw."""

    rules: ArmitageRules

    def play(
        self, build: Build, bout: Bout, dice: SeededDice, observe: Callable[[Event], None] | None = None
    ) -> float:
        """By the reference."""
        return fight(self.rules, bout.fighters(self.rules, build), bout.max_turns, dice, observe).value

    def content(self, build: Build, bout: Bout) -> bytes:
        """Cards, people and numbers."""
        return reference_content(self.rules, bout.fighters(self.rules, build), bout.max_turns)

    def narrate(self, events: Iterable[Event]) -> Iterable[str]:
        """Round by round."""
        return narrate(events)

    def triggers(self, build: Build, bout: Bout, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """How often each card was in hand, and in how many fights it did something."""
        counter = TriggerCounter(build)
        self.watch(build, bout, fights, seed, counter)
        return counter.rates()
