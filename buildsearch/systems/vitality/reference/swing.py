"""An attack that is being made, and one strike of it with everything that was rolled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from buildsearch.systems.vitality.reference.battle import Enemy
from buildsearch.systems.vitality.reference.profile import Profile
from buildsearch.systems.vitality.reference.strike import AccuracyResult, EffectResult, StrikeMemory


@dataclass(slots=True)
class Swing:
    """One attack on one turn. `attack` is its place in the loadout, None for a basic attack."""

    attack: int | None
    profile: Profile
    known: StrikeMemory
    channel_turns: int
    extra_attacks: int = 0
    splinters: int = 0
    # Whether any of it came about, and whether it goes at one enemy though its type is an area.
    made: bool = False
    alone: bool = False


class Outcome(NamedTuple):
    """One strike. `effect` is None after a miss; `dice` are the effect's, none where damage is flat."""

    enemy: Enemy
    naturals: tuple[int, ...]
    accuracy: AccuracyResult
    dice: tuple[int, ...]
    effect: EffectResult | None
    hp_before: int
    defeated_by: str | None

    @property
    def landed(self) -> bool:
        """Whether it hit and did damage, or put its condition on."""
        return self.effect is not None and self.effect.landed
