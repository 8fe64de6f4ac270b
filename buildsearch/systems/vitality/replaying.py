"""Single fights by the reference, for people to look at."""

from __future__ import annotations

from collections.abc import Mapping

from buildsearch.evaluate.dice import SeededDice
from buildsearch.evaluate.events import Event
from buildsearch.evaluate.streams import content_digest
from buildsearch.model.replay import Replay, TriggerRate
from buildsearch.systems.vitality.best_play.policies import policy_of
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.build import Build
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.reference.narrate import narrate
from buildsearch.systems.vitality.reference.triggers import TriggerCounter
from buildsearch.systems.vitality.rules import VitalityRules
from buildsearch.systems.vitality.sampled_fights import Policy, reference_content


class VitalityReplayer:
    """Plays fights one at a time, each from its own seed."""

    brief = 200

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules
        self._last: tuple[object, Policy | None] | None = None

    def value(self, build: Build, bout: Bout, seed: int) -> float:
        """The turns of the fight with this seed."""
        dice = self._dice(build, bout, seed)
        policy = self._policy(build, bout)
        return fight(self.rules, build, bout.attacker, bout.encounter, dice, policy=policy).turns

    def replay(self, build: Build, bout: Bout, seed: int) -> Replay:
        """The fight with this seed, event by event."""
        events: list[Event] = []
        dice = self._dice(build, bout, seed)
        policy = self._policy(build, bout)
        result = fight(self.rules, build, bout.attacker, bout.encounter, dice, events.append, policy)
        lines, data = tuple(narrate(events)), tuple(event.to_dict() for event in events)
        return Replay(seed=seed, value=result.turns, lines=lines, events=data)

    def triggers(self, build: Build, bout: Bout, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """Rates over so many fights; always-on modifiers have none."""
        counter, policy = TriggerCounter(self.rules, build), self._policy(build, bout)
        dice = self._dice(build, bout, seed)
        for _ in range(fights):
            fight(self.rules, build, bout.attacker, bout.encounter, dice, counter, policy)
        return counter.rates()

    def _policy(self, build: Build, bout: Bout) -> Policy | None:
        """Who decides; the last one is kept, since a trace asks for many fights of one build."""
        key = (build, id(bout))
        if self._last is None or self._last[0] != key:
            self._last = key, policy_of(self.rules, build, bout)
        return self._last[1]

    def _dice(self, build: Build, bout: Bout, seed: int) -> SeededDice:
        content = reference_content(self.rules, build, bout)
        return SeededDice(int.from_bytes(content_digest(b"replay", str(seed).encode(), content), "little"))
