"""A loadout in an encounter, compiled: limits as numbers, tables of strikes, what retaliation means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.axes import LIMITS, blows_of, enemies_on, set_axes
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.exact.batch.gatings import levels_reached
from buildsearch.systems.vitality.exact.ground import ExactGround, exact_ground
from buildsearch.systems.vitality.rules.model import VitalityRules

# The aim has no turn limit, so neither have channels and turn ranges.
WITHOUT_LIMIT = 1 << 20
# What kernels take in compiled, as Python: it is not worth compiling for one loadout.
_set_axes: Callable[..., tuple[int, NDArray[np.int64]]] = getattr(set_axes, "py_func", set_axes)
_blows_of: Callable[..., NDArray[np.float64]] = getattr(blows_of, "py_func", blows_of)


@dataclass(frozen=True, eq=False)
class CompiledLoadout:
    """Everything that best play needs. Tables: 0 nothing, then basic attacks, then attacks by level."""

    limits: NDArray[np.void]
    basics: list[int]  # each of the type and effect of the attack of this number
    grounds: list[ExactGround]
    ticks: int
    tracks_hit: bool
    # The attacker's HP as an axis: index 0 is everything up to `floor`; 1 where no limit looks at it.
    hp_size: int
    # Of all missed, hit unharmed, damaged: events that limits tell apart.
    class_of: NDArray[np.int64]
    attacker_hp: int

    @property
    def floor(self) -> int:
        """The HP that the axis begins with."""
        return self.attacker_hp - self.hp_size + 1

    @property
    def classes(self) -> int:
        """How many classes of events there are; behind them stands "there was none"."""
        return int(self.class_of.max()) + 1

    @property
    def places(self) -> NDArray[np.void]:
        """The enemies in the order in which they are attacked; thresholds are an attack's own."""
        return self.grounds[0].foes

    @property
    def tables(self) -> int:
        return 1 + len(self.basics) + int(self.limits["levels"].sum())

    def blows(self, full_axis: bool = False) -> NDArray[np.float64]:
        """By place and class of event: the chance of losing so many HP (of the axis, or of all HP)."""
        size = self.attacker_hp + 1 if full_axis else self.hp_size
        return _blows_of(enemies_on(self.grounds[0]), self.class_of, size)


def compile_loadout(
    rules: VitalityRules, build: Build, attacker: Attacker, encounter: Encounter
) -> CompiledLoadout:
    """Compile; `support` says whether what comes out can be solved."""
    unlimited = replace(encounter, max_turns=WITHOUT_LIMIT)
    grounds = [exact_ground(rules, Build((attack,)), attacker, unlimited) for attack in build.attacks]
    basics = _basics(build.attacks)
    setups = np.array([ground.setup for ground in grounds])
    limits = np.zeros(len(grounds), LIMITS)
    for name in set(LIMITS.names or ()) & set(setups.dtype.names or ()):
        limits[name] = setups[name]
    limits["levels"] = levels_reached(limits, setups["levels"])
    limits["activation"] = [ground.activation for ground in grounds]
    limits["first_table"] = 1 + len(basics) + np.cumsum(limits["levels"]) - limits["levels"]
    hp_size, class_of = _set_axes(limits, bool(setups[0]["retaliation_cap"]), attacker.hp)
    return CompiledLoadout(
        limits=limits,
        basics=basics,
        grounds=grounds,
        ticks=int(setups["bleed_ticks"].max()),
        tracks_hit=bool(limits["last_hit"].any()),
        hp_size=hp_size,
        class_of=class_of,
        attacker_hp=attacker.hp,
    )


def _basics(attacks: tuple[Attack, ...]) -> list[int]:
    """Spec: "a basic attack of any type in the loadout"; each once."""
    kinds: dict[object, int] = {}
    for i, attack in enumerate(attacks):
        kinds.setdefault((attack.type, attack.effect, attack.shape), i)
    return list(kinds.values())
