"""How often enhancements matter, counted from the events of many fights."""

from __future__ import annotations

from collections import Counter

from buildsearch.evaluate.events import Event
from buildsearch.model.evaluation import TriggerRate
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.reference.events import (
    BleedTick,
    FightEnded,
    Healed,
    LimitChecked,
    Strike,
    TurnStarted,
)
from buildsearch.systems.vitality.rules.model import Enhancement, VitalityRules
from buildsearch.systems.vitality.rules.vocabulary import Conditions

# Mechanics that act on some strikes and not on others. The rest acts always.
TRIGGERED = (
    "overhit",
    "brutal",
    "chain",
    "extra_attack",
    "critical_range",
    "critical_bonus",
    "ricochet",
    "double_tap",
    "explosive_critical",
    "bleed",
    "leech",
    "vulnerable",
    "finishing_blow",
    "culling_strike",
    "splinter",
    "slayer",
    "channel",
)


def has_trigger(enhancement: Enhancement) -> bool:
    """Whether it can matter or not matter: it has conditions, or a mechanic that acts at times."""
    return has_conditions(enhancement) or any(getattr(enhancement.mechanics, part) for part in TRIGGERED)


def has_conditions(enhancement: Enhancement) -> bool:
    """Whether it limits when its attack may be used."""
    return enhancement.conditions != Conditions()


class TriggerCounter:
    """Hand it to `fight` as `emit`, for as many fights of one build as there are."""

    def __init__(self, rules: VitalityRules, build: Build) -> None:
        ids = {name for attack in build.attacks for name in attack.enhancements}
        self._enhancements = {name: each for name, each in rules.enhancements.items() if name in ids}
        self._turns = 0
        self._fights = 0
        self._held: Counter[str] = Counter()
        self._fired: Counter[str] = Counter()
        self._held_this_turn: set[str] = set()
        self._fired_this_fight: set[str] = set()

    def __call__(self, event: Event) -> None:
        match event:
            case TurnStarted():
                self._close_turn()
                self._turns += 1
            case LimitChecked(enhancement=name, held=True):
                self._held_this_turn.add(name)
            case Strike(fired=fired) | BleedTick(fired=fired) | Healed(fired=fired):
                self._fired_this_fight.update(fired)
            case FightEnded():
                self._close_turn()
                self._close_fight()

    def _close_turn(self) -> None:
        """Two attacks of a loadout may share an enhancement: a turn counts once."""
        self._held.update(self._held_this_turn)
        self._held_this_turn.clear()

    def _close_fight(self) -> None:
        self._fights += 1
        self._fired.update(self._fired_this_fight)
        self._fired_this_fight.clear()

    def rates(self) -> dict[str, TriggerRate]:
        """The rates of the build's enhancements that have a trigger, in rules-file order."""
        return {
            name: TriggerRate(
                usable=self._held[name] / max(1, self._turns) if has_conditions(enhancement) else None,
                fired=self._fired[name] / max(1, self._fights),
            )
            for name, enhancement in self._enhancements.items()
            if has_trigger(enhancement)
        }
