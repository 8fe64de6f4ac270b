"""Single fights by the reference, for people to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from buildsearch.evaluate.dice import SeededDice
from buildsearch.evaluate.events import Event
from buildsearch.evaluate.streams import content_digest
from buildsearch.model.errors import UsageError
from buildsearch.model.replay import Replay, TriggerRate
from buildsearch.systems.animon.bouts.bout import Bout
from buildsearch.systems.animon.builds.build import Build, signature_stages
from buildsearch.systems.animon.evaluators import reference_content
from buildsearch.systems.animon.reference.events import Attacked, FightResult, Transferred
from buildsearch.systems.animon.reference.fight import fight
from buildsearch.systems.animon.reference.narrate import narrate
from buildsearch.systems.animon.rules.model import AnimonRules

_ME = "build"


class AnimonReplayer:
    """Plays fights one at a time, each from its own seed."""

    brief = 25  # some milliseconds each

    def __init__(self, rules: AnimonRules) -> None:
        self.rules = rules

    def value(self, build: Build, bout: Bout, seed: int) -> float:
        """1 for a fight won, one half for a draw, 0 for a fight lost."""
        _check(bout)
        return _value(fight(self.rules, build, bout, self._dice(build, bout, seed)))

    def replay(self, build: Build, bout: Bout, seed: int) -> Replay:
        """The fight with this seed, event by event."""
        _check(bout)
        events: list[Event] = []
        result = fight(self.rules, build, bout, self._dice(build, bout, seed), events.append)
        lines, data = tuple(narrate(events)), tuple(event.to_dict() for event in events)
        return Replay(seed=seed, value=_value(result), lines=lines, events=data)

    def triggers(self, build: Build, bout: Bout, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """In how many fights each effect of a signature attack came about: its attack hit, or was made."""
        _check(bout)
        dice = self._dice(build, bout, seed)
        fired: Counter[str] = Counter()
        for _ in range(fights):
            events: list[Event] = []
            fight(self.rules, build, bout, dice, events.append)
            used = {
                event.attack.partition(" ")[0]
                for event in events
                if isinstance(event, Attacked) and event.who == _ME and event.margin
            }
            if any(isinstance(event, Transferred) and event.who == _ME for event in events):
                used.update("+".join(s.effects) for s in build.signatures if "power_transfer" in s.effects)
            fired.update(used)
        return {
            f"{stage}_{effect}": TriggerRate(usable=None, fired=fired["+".join(signature.effects)] / fights)
            for stage, signature in zip(
                signature_stages(self.rules, build.stage), build.signatures, strict=True
            )
            for effect in dict.fromkeys(signature.effects)
        }

    def _dice(self, build: Build, bout: Bout, seed: int) -> SeededDice:
        content = reference_content(self.rules, build, bout)
        return SeededDice(int.from_bytes(content_digest(b"replay", str(seed).encode(), content), "little"))


def _value(result: FightResult) -> float:
    return {"won": 1.0, "drawn": 0.5, "lost": 0.0}[result.outcome]


def _check(bout: Bout) -> None:
    if bout.play != "greedy":
        raise UsageError(
            "single fights are played greedily. Leave ‹play› optimal out; `score --show-policy` says what "
            "best play does."
        )
