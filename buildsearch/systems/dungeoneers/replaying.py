"""Single fights by the reference, for people to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from buildsearch.evaluate.dice import SeededDice
from buildsearch.evaluate.events import Event
from buildsearch.evaluate.streams import content_digest
from buildsearch.model.errors import UsageError
from buildsearch.model.replay import Replay, TriggerRate
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.builds.build import Build
from buildsearch.systems.dungeoneers.evaluators import reference_content
from buildsearch.systems.dungeoneers.reference.events import FightResult, SpellCast, SpellOnSelf
from buildsearch.systems.dungeoneers.reference.fight import fight
from buildsearch.systems.dungeoneers.reference.narrate import narrate
from buildsearch.systems.dungeoneers.rules.model import DungeoneersRules


class DungeoneersReplayer:
    """Plays fights one at a time, each from its own seed."""

    brief = 25  # some milliseconds each

    def __init__(self, rules: DungeoneersRules) -> None:
        self.rules = rules

    def value(self, build: Build, bout: Bout, seed: int) -> float:
        """1 for a fight won, what a draw is worth, 0 for a fight lost."""
        _check(bout)
        return _value(fight(self.rules, build, bout, self._dice(build, bout, seed)), bout)

    def replay(self, build: Build, bout: Bout, seed: int) -> Replay:
        """The fight with this seed, event by event."""
        _check(bout)
        events: list[Event] = []
        result = fight(self.rules, build, bout, self._dice(build, bout, seed), events.append)
        lines, data = tuple(narrate(events)), tuple(event.to_dict() for event in events)
        return Replay(seed=seed, value=_value(result, bout), lines=lines, events=data)

    def triggers(self, build: Build, bout: Bout, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """In how many fights each spell took effect."""
        _check(bout)
        dice = self._dice(build, bout, seed)
        fired: Counter[str] = Counter()
        for _ in range(fights):
            events: list[Event] = []
            fight(self.rules, build, bout, dice, events.append)
            fired.update(
                {
                    event.spell
                    for event in events
                    if isinstance(event, SpellCast | SpellOnSelf)
                    and event.who == "hero"
                    and (isinstance(event, SpellOnSelf) or event.through)
                }
            )
        spells = [name for name in build.gear if name in self.rules.spells]
        return {name: TriggerRate(usable=None, fired=fired[name] / fights) for name in spells}

    def _dice(self, build: Build, bout: Bout, seed: int) -> SeededDice:
        content = reference_content(self.rules, build, bout)
        return SeededDice(int.from_bytes(content_digest(b"replay", str(seed).encode(), content), "little"))


def _value(result: FightResult, bout: Bout) -> float:
    return {"won": 1.0, "drawn": bout.rulings.draw_value, "lost": 0.0}[result.outcome]


def _check(bout: Bout) -> None:
    if bout.play != "greedy":
        raise UsageError(
            "single fights are played greedily. Leave ‹play› optimal out; ‹show_policy› of `score` says "
            "what best play does."
        )
