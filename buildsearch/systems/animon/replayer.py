"""Single fights by the reference, for people to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from buildsearch.engines.replays import ReferenceReplayer, only_greedy
from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import SeededDice
from buildsearch.model.evaluation import TriggerRate
from buildsearch.systems.animon.bouts.bout import Bout
from buildsearch.systems.animon.builds.build import Build, signature_stages
from buildsearch.systems.animon.evaluators import reference_content
from buildsearch.systems.animon.reference.events import Attacked, Transferred
from buildsearch.systems.animon.reference.fight import fight
from buildsearch.systems.animon.reference.narrate import narrate
from buildsearch.systems.animon.rules.model import AnimonRules

_ME = "build"


class AnimonReplayer(ReferenceReplayer):
    """A fight is worth 1 if it is won, one half for a draw."""

    rules: AnimonRules

    def play(
        self, build: Build, bout: Bout, dice: SeededDice, observe: Callable[[Event], None] | None = None
    ) -> float:
        """By the reference, which plays greedily."""
        only_greedy(bout.play)
        return {"won": 1.0, "drawn": 0.5, "lost": 0.0}[fight(self.rules, build, bout, dice, observe).outcome]

    def content(self, build: Build, bout: Bout) -> bytes:
        """What the reference reads."""
        return reference_content(self.rules, build, bout)

    def narrate(self, events: Iterable[Event]) -> Iterable[str]:
        """Round by round."""
        return narrate(events)

    def triggers(self, build: Build, bout: Bout, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """In how many fights each effect of a signature attack came about: its attack hit, or was made."""
        stages = signature_stages(self.rules, build.stage)

        def used(events: list[Event]) -> set[str]:
            return {stages[place] for event in events if (place := _signature_of(event)) is not None}

        fired = self.fired(build, bout, fights, seed, used)
        return {
            f"{stage}_{effect}": TriggerRate(usable=None, fired=fired[stage] / fights)
            for stage, signature in zip(stages, build.signatures, strict=True)
            for effect in dict.fromkeys(signature.effects)
        }


def _signature_of(event: Event) -> int | None:
    """The place of the signature attack that the build hit with, or boosted its allies with."""
    if isinstance(event, Attacked) and event.who == _ME and event.margin:
        return event.place
    return event.place if isinstance(event, Transferred) and event.who == _ME else None
