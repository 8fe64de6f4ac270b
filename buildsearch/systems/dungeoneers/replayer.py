"""Single fights by the reference, for people to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from buildsearch.engines.replays import ReferenceReplayer, only_greedy
from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import SeededDice
from buildsearch.model.evaluation import TriggerRate
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.builds.build import Build
from buildsearch.systems.dungeoneers.evaluators import reference_content
from buildsearch.systems.dungeoneers.reference.events import SpellCast, SpellOnSelf
from buildsearch.systems.dungeoneers.reference.fight import fight
from buildsearch.systems.dungeoneers.reference.narrate import narrate
from buildsearch.systems.dungeoneers.rules.model import DungeoneersRules


class DungeoneersReplayer(ReferenceReplayer):
    """A fight is worth 1 if it is won, and a draw what the rules say."""

    rules: DungeoneersRules

    def play(
        self, build: Build, bout: Bout, dice: SeededDice, observe: Callable[[Event], None] | None = None
    ) -> float:
        """By the reference, which plays greedily."""
        only_greedy(bout.play)
        outcome = fight(self.rules, build, bout, dice, observe).outcome
        return {"won": 1.0, "drawn": bout.rulings.draw_value, "lost": 0.0}[outcome]

    def content(self, build: Build, bout: Bout) -> bytes:
        """What the reference reads."""
        return reference_content(self.rules, build, bout)

    def narrate(self, events: Iterable[Event]) -> Iterable[str]:
        """Round by round."""
        return narrate(events)

    def triggers(self, build: Build, bout: Bout, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """In how many fights each spell took effect."""
        fired = self.fired(build, bout, fights, seed, _effective_spells)
        spells = [name for name in build.gear if name in self.rules.spells]
        return {name: TriggerRate(usable=None, fired=fired[name] / fights) for name in spells}


def _effective_spells(events: list[Event]) -> set[str]:
    return {
        event.spell
        for event in events
        if isinstance(event, SpellCast | SpellOnSelf)
        and event.who == "hero"
        and (isinstance(event, SpellOnSelf) or event.through)
    }
