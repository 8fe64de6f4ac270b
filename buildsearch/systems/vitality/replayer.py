"""Single fights by the reference, for people to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from buildsearch.engines.replays import ReferenceReplayer
from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import SeededDice
from buildsearch.model.evaluation import TriggerRate
from buildsearch.systems.vitality.best_play.policies import policy_of
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.reference.narrate import narrate
from buildsearch.systems.vitality.reference.triggers import TriggerCounter
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.sampled_fights import Policy, reference_content


class VitalityReplayer(ReferenceReplayer):
    """A fight is worth its turns."""

    brief = 200

    def __init__(self, rules: VitalityRules) -> None:
        super().__init__(rules)
        self._last: tuple[object, Policy | None] | None = None

    def play(
        self, build: Build, bout: Bout, dice: SeededDice, observe: Callable[[Event], None] | None = None
    ) -> float:
        """By the reference, as the bout says how to play."""
        policy = self._policy(build, bout)
        return fight(self.rules, build, bout.attacker, bout.encounter, dice, observe, policy).turns

    def content(self, build: Build, bout: Bout) -> bytes:
        """What the reference reads."""
        return reference_content(self.rules, build, bout)

    def narrate(self, events: Iterable[Event]) -> Iterable[str]:
        return narrate(events)

    def triggers(self, build: Build, bout: Bout, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """Rates over so many fights; always-on modifiers have none."""
        counter = TriggerCounter(self.rules, build)
        self.watch(build, bout, fights, seed, counter)
        return counter.rates()

    def _policy(self, build: Build, bout: Bout) -> Policy | None:
        """Who decides; the last one is kept, since a trace asks for many fights of one build."""
        key = (build, bout)
        if self._last is None or self._last[0] != key:
            self._last = key, policy_of(self.rules, build, bout)
        return self._last[1]
