"""The resolution of one strike, apart from rolling and from what it does to anybody.

Pure functions of dice that have already fallen, so that tests and exact solvers can enumerate them.
"""

from __future__ import annotations

from dataclasses import dataclass

from buildsearch.systems.vitality.encounter import Foe
from buildsearch.systems.vitality.reference.additions import Named
from buildsearch.systems.vitality.reference.profile import Profile


@dataclass(frozen=True, slots=True)
class AccuracyResult:
    """An accuracy roll against one enemy."""

    natural: int
    total: int
    margin: int
    hit: bool
    critical: bool
    modifiers: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class EffectResult:
    """The effect roll of a hit: `landed` when it did damage, or put the condition on.

    `total` is the roll with its modifiers, before `defence` (durability or resistance) and `brutal`.
    """

    roll: int
    total: int
    defence: int
    damage: int
    landed: bool
    modifiers: tuple[Named, ...]
    overhit: int = 0
    brutal: int = 0
    exposed: int = 0


# Text, Direct Damage Attack: "auto-hit (no Accuracy roll needed)", hence no critical and no margin.
AUTO_HIT = AccuracyResult(natural=0, total=0, margin=0, hit=True, critical=False, modifiers=())


def resolve_accuracy(profile: Profile, foe: Foe, natural: int, channel_turns: int = 0) -> AccuracyResult:
    """What this natural roll (the highest, when several were rolled) does against this enemy."""
    if profile.type.auto_hit:
        return AUTO_HIT
    modifiers, added, _ = profile.accuracy.at(foe.max_hp, channel_turns)
    total = natural + added
    # Text, Combat Resolution 2: d20 + Tier + Focus against Avoidance; spec: hits on >=.
    margin = total - profile.avoidance(foe)
    hit = margin >= 0
    rulings = profile.rules.rulings
    if rulings.natural_max_hits and natural == profile.rules.rolls.accuracy.sides:
        hit = True
    if rulings.natural_min_misses and natural == 1:
        hit = False
    # Text, Key Game Mechanics: natural 20, or 15-20 with critical upgrades. Spec: only a hit is critical.
    critical = hit and natural >= profile.critical_range
    return AccuracyResult(natural, total, margin, hit, critical, modifiers)


def resolve_damage(
    profile: Profile, foe: Foe, dice_total: int, accuracy: AccuracyResult, channel_turns: int = 0
) -> EffectResult:
    """What a hit does; `dice_total` is the sum of the exploded dice, and ignored where damage is flat."""
    flat = profile.flat_damage
    # Text, High Impact: "Replace 3d6 damage roll with flat 15 damage"; Direct Damage Attack: "Flat 12".
    roll = dice_total if flat is None else flat
    modifiers: tuple[Named, ...] = ()
    added = overhit = 0
    # Ruling flat_damage, dice: the number replaces the dice only; roll: all that is added to them too.
    if flat is None or profile.rules.rulings.flat_damage == "dice":
        modifiers, added, _ = profile.damage.at(foe.max_hp, channel_turns, accuracy.critical)
        overhit, modifiers = _with_overhit(profile, accuracy, modifiers)
    total = roll + added + overhit
    durability = profile.durability(foe)
    brutal = _brutal(profile, total - durability)
    # Text, Combat Resolution 3: 3d6 + Tier + Power - Durability; spec: at least 0.
    damage = max(0, total - durability + brutal)
    return EffectResult(roll, total, durability, damage, damage > 0, modifiers, overhit, brutal)


def resolve_condition(
    profile: Profile, foe: Foe, natural: int, accuracy: AccuracyResult, channel_turns: int = 0
) -> EffectResult:
    """Whether a hit puts its condition on this enemy."""
    modifiers, added, _ = profile.condition.at(foe.max_hp, channel_turns, accuracy.critical)
    overhit, modifiers = _with_overhit(profile, accuracy, modifiers)
    # Text, Combat Resolution 3: 1d20 + Tier + Power against Resistance; spec, Condition builds: >=.
    total = natural + added + overhit
    resistance = profile.resistance(foe)
    return EffectResult(natural, total, resistance, 0, total >= resistance, modifiers, overhit)


def _with_overhit(
    profile: Profile, accuracy: AccuracyResult, modifiers: tuple[Named, ...]
) -> tuple[int, tuple[Named, ...]]:
    """Text, Overhit: +1 to the effect roll for every 2 points of margin, from a margin of 15."""
    rule = profile.single.overhit
    if rule is None or accuracy.margin < rule.margin or accuracy.margin < rule.per:
        return 0, modifiers
    bonus = accuracy.margin // rule.per
    return bonus, (*modifiers, (profile.owners["overhit"], bonus))


def _brutal(profile: Profile, difference: int) -> int:
    """Text, Brutal: exceeding durability by 20 or more deals "extra damage equal to half the difference"."""
    rule = profile.single.brutal
    if rule is None or difference < rule.threshold:
        return 0
    # Ruling brutal, margin: half of the whole difference; excess: half of what exceeds the threshold.
    counted = difference if profile.rules.rulings.brutal == "margin" else difference - rule.threshold
    return counted // rule.per


class StrikeMemory:
    """The results of one attack, kept as long as the attack is: half of a plain fight's time."""

    __slots__ = ("_accuracies", "_damages", "_profile", "_uses_margin")

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._uses_margin = profile.single.overhit is not None
        self._accuracies: dict[tuple[int, int, int, int], AccuracyResult] = {}
        self._damages: dict[tuple[int, int, int, bool, int, int], EffectResult] = {}

    def accuracy(self, foe: Foe, natural: int, channel_turns: int) -> AccuracyResult:
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
