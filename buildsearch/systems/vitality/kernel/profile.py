"""One attack against one class of enemy, as the numbers that a strike depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.systems.vitality.builds.build import Attack
from buildsearch.systems.vitality.encounter import Attacker, Foe
from buildsearch.systems.vitality.rules.model import Enhancement, VitalityRules

# What `fill_outcomes` reads. A record, so that the kernel takes one argument.
STRIKE = np.dtype(
    [
        (name, np.int64)
        for name in (
            "sides",  # of the accuracy die; 1 where nothing is rolled
            "auto_hit",
            "accuracy",  # all that is added to the die
            "avoidance",
            "max_hits",  # ruling natural_max_hits
            "min_misses",  # ruling natural_min_misses
            "critical_from",
            "condition",  # effect: 0 damage, 1 condition
            "effect",  # all that is added to the effect dice
            "critical_effect",
            "resist",  # durability or resistance
            "fixed_roll",  # ruling flat_damage: nothing is added to the flat number
            "overhit_margin",
            "overhit_per",  # 0: no overhit
            "brutal_threshold",
            "brutal_per",  # 0: not brutal
            "brutal_excess",  # ruling brutal: only what exceeds the threshold counts
            "max_hp",  # damage is counted up to here
        )
    ]
)


@dataclass(frozen=True)
class Parts:
    """The enhancements of one attack, and what they add up to."""

    rules: VitalityRules
    attack: Attack
    options: tuple[Enhancement, ...]

    @classmethod
    def of(cls, rules: VitalityRules, attack: Attack) -> Parts:
        """The parts of an attack; a basic attack has none."""
        known = rules.enhancements
        return cls(rules, attack, tuple(known[name] for name in attack.enhancements))


def accuracy_dice(parts: Parts) -> int:
    """How many accuracy dice are rolled for the highest."""
    return max((option.mechanics.accuracy_dice or 1 for option in parts.options), default=1)


def modifier_sum(parts: Parts, roll: str, attacker: Attacker, *, adjacent: bool) -> int:
    """Type and enhancements together, for one kind of roll."""
    attack_type = parts.rules.attack_types[parts.attack.type]
    sources = [attack_type.modifiers, *(option.modifiers for option in parts.options)]
    if adjacent:
        sources.append(attack_type.adjacent_modifiers)
    return sum(int(getattr(source, roll).at(attacker.tier)) for source in sources)


def channel_levels(parts: Parts, attacker: Attacker, max_turns: int) -> list[dict[str, int]]:
    """What channelling adds to each roll after 0, 1, 2, ... consecutive turns, until it stays the same."""
    channels = [(option, option.mechanics.channel) for option in parts.options if option.mechanics.channel]
    if not channels:
        return [{"accuracy": 0, "damage": 0, "condition": 0}]
    option, channel = channels[0]
    step, cap = channel.step * attacker.tier, channel.cap * attacker.tier
    levels: list[dict[str, int]] = []
    for turns in range(max_turns):
        gain: dict[str, int] = {}
        for roll in ("accuracy", "damage", "condition"):
            own = getattr(option.modifiers, roll).at(attacker.tier)
            if parts.rules.rulings.channel_cap == "net":
                gain[roll] = min(own + turns * step, cap) - own
            else:
                gain[roll] = min(turns * step, cap)
        if levels and gain == levels[-1]:
            break
        levels.append(gain)
    return levels


def strike_record(
    parts: Parts, attacker: Attacker, foe: Foe, gain: dict[str, int], *, adjacent: bool
) -> np.void:
    """Everything that a strike of this attack on this class of enemy depends on but the dice."""
    rules, tier = parts.rules, attacker.tier
    attack_type = rules.attack_types[parts.attack.type]
    is_condition = parts.attack.effect == "condition"
    roll = "condition" if is_condition else "damage"
    die = rules.rolls.condition if is_condition else rules.rolls.damage
    slayers = [option.mechanics.slayer for option in parts.options if option.mechanics.slayer is not None]
    matching = [slayer for slayer in slayers if slayer.matches(foe.max_hp)]
    bonuses = [
        rules.critical.bonus,
        *(o.mechanics.critical_bonus for o in parts.options if o.mechanics.critical_bonus),
    ]
    ranges = [o.mechanics.critical_range for o in parts.options if o.mechanics.critical_range is not None]
    overhit = next((o.mechanics.overhit for o in parts.options if o.mechanics.overhit), None)
    brutal = next((o.mechanics.brutal for o in parts.options if o.mechanics.brutal), None)
    flat = flat_damage(parts, attacker)
    endurance = 0 if any(o.mechanics.ignore_endurance for o in parts.options) else foe.stats.endurance
    character = rules.character
    record = np.zeros(1, STRIKE)
    record["sides"] = 1 if attack_type.auto_hit else rules.rolls.accuracy.sides
    record["auto_hit"] = attack_type.auto_hit
    record["accuracy"] = (
        rules.rolls.accuracy.bonus.at(tier)
        + attacker.stats.focus
        + modifier_sum(parts, "accuracy", attacker, adjacent=adjacent)
        + sum(slayer.accuracy.at(tier) for slayer in matching)
        + gain["accuracy"]
    )
    record["avoidance"] = character.avoidance.at(tier) + foe.stats.mobility
    record["max_hits"] = rules.rulings.natural_max_hits
    record["min_misses"] = rules.rulings.natural_min_misses
    record["critical_from"] = min([rules.critical.range, *ranges])
    record["condition"] = is_condition
    record["effect"] = (
        die.bonus.at(tier)
        + attacker.stats.power
        + modifier_sum(parts, roll, attacker, adjacent=adjacent)
        + sum(getattr(slayer, roll).at(tier) for slayer in matching)
        + gain[roll]
    )
    record["critical_effect"] = sum(getattr(bonus, roll).at(tier) for bonus in bonuses)
    record["resist"] = (
        character.resistance.at(tier) + foe.stats.secondary
        if is_condition
        else character.durability.at(tier) + endurance
    )
    record["fixed_roll"] = flat is not None and rules.rulings.flat_damage == "roll"
    if overhit is not None:
        record["overhit_margin"], record["overhit_per"] = overhit.margin, overhit.per
    if brutal is not None:
        record["brutal_threshold"], record["brutal_per"] = brutal.threshold, brutal.per
        record["brutal_excess"] = rules.rulings.brutal == "excess"
    record["max_hp"] = foe.max_hp
    strike: np.void = record[0]
    return strike


def flat_damage(parts: Parts, attacker: Attacker) -> int | None:
    """The number instead of damage dice: the type's, which has no dice to replace, else an option's."""
    if parts.attack.effect == "condition":
        return None
    flat = parts.rules.attack_types[parts.attack.type].flat_damage
    if flat is None:
        numbers = (option.mechanics.flat_damage for option in parts.options)
        flat = next((number for number in numbers if number is not None), None)
    return None if flat is None else flat.at(attacker.tier)


def kill_threshold(parts: Sequence[Enhancement], max_hp: int) -> int:
    """An enemy that a damaging strike leaves at so many HP or fewer is defeated."""
    at_most = 0
    for option in parts:
        finishing, culling = option.mechanics.finishing_blow, option.mechanics.culling_strike
        if finishing is not None:
            at_most = max(at_most, finishing.hp_at_most)
        if culling is not None:
            below = max_hp // culling.one_in if culling.inclusive else -(-max_hp // culling.one_in) - 1
            at_most = max(at_most, below)
    return at_most
