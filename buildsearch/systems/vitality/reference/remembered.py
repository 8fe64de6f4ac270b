"""Strikes that were worked out before: the same dice against the same kind of enemy mean the same.

Only for speed (half of a plain fight's time); `strike.py` is what decides.
"""

from __future__ import annotations

from buildsearch.systems.vitality.encounter import Foe
from buildsearch.systems.vitality.reference.profile import Profile
from buildsearch.systems.vitality.reference.strike import (
    AccuracyResult,
    EffectResult,
    resolve_accuracy,
    resolve_damage,
)


class StrikeMemory:
    """The results of one attack, kept as long as the attack is."""

    __slots__ = ("_accuracies", "_damages", "_profile", "_uses_margin")

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._uses_margin = profile.single.overhit is not None
        self._accuracies: dict[tuple[int, int, int, int], AccuracyResult] = {}
        self._damages: dict[tuple[int, int, int, bool, int, int], EffectResult] = {}

    def accuracy(self, foe: Foe, natural: int, channel_turns: int) -> AccuracyResult:
        """As `resolve_accuracy`."""
        key = (foe.max_hp, foe.stats.mobility, natural, channel_turns)
        if (known := self._accuracies.get(key)) is None:
            known = self._accuracies[key] = resolve_accuracy(self._profile, foe, natural, channel_turns)
        return known

    def damage(self, foe: Foe, dice_total: int, accuracy: AccuracyResult, channel_turns: int) -> EffectResult:
        """As `resolve_damage`, which looks at the margin only for Overhit."""
        margin = accuracy.margin if self._uses_margin else 0
        key = (foe.max_hp, foe.stats.endurance, dice_total, accuracy.critical, margin, channel_turns)
        if (known := self._damages.get(key)) is None:
            known = self._damages[key] = resolve_damage(
                self._profile, foe, dice_total, accuracy, channel_turns
            )
        return known
