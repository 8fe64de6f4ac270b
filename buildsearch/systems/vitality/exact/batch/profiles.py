"""Upgrade sets as strike records, all at once. The same numbers as `kernel.profile.strike_record`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.builds.build import Attack
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.exact.batch.options import Options
from buildsearch.systems.vitality.kernel.profile import (
    STRIKE,
    Parts,
    channel_levels,
    flat_damage,
    kill_threshold,
    strike_record,
)
from buildsearch.systems.vitality.rules.model import Effect, VitalityRules

_PLAIN = {"accuracy": 0, "damage": 0, "condition": 0}

# What a turn's damage depends on besides the strike record.
ATTACK = np.dtype([(name, np.int64) for name in ("naturals", "dice", "strikes", "extra_limit", "double_tap")])


def class_of(foe: Foe) -> tuple[object, ...]:
    """What all enemies of a class have in common."""
    return foe.max_hp, foe.stats


def classes_of(encounters: Sequence[Encounter]) -> list[Foe]:
    """One enemy of each class; of one encounter in the order of its ground's classes."""
    found: dict[object, Foe] = {}
    for encounter in encounters:
        for wave in encounter.waves:
            for foe in wave:
                found.setdefault(class_of(foe), foe)
    return list(found.values())


@dataclass(frozen=True, eq=False)
class Attackers:
    """A type of attack in the attacker's hands, against each class of enemy."""

    rules: VitalityRules
    attacker: Attacker
    encounter: Encounter
    options: Options
    attack_type: str
    effect: Effect
    classes: list[Foe]

    @property
    def roll(self) -> str:
        """What the effect roll is called."""
        return "condition" if self.effect == "condition" else "damage"

    @property
    def class_hp(self) -> NDArray[np.int64]:
        """The HP of each class."""
        return np.array([foe.max_hp for foe in self.classes], np.int64)

    def parts(self, *names: str) -> Parts:
        """The parts of an attack with these options."""
        return Parts.of(self.rules, Attack(self.attack_type, names, self.effect))

    def basic(self, foe: Foe) -> np.void:
        """The strike record of the basic attack."""
        return strike_record(self.parts(), self.attacker, foe, _PLAIN, adjacent=self.encounter.adjacent)


def highest(has: NDArray[np.bool_], numbers: NDArray[np.int64], default: int) -> NDArray[np.int64]:
    """The highest number among a build's options."""
    found = np.full(len(has), -1, np.int64)
    # Few options have a mechanic: column by column beats a look at all of them.
    for i in np.flatnonzero(numbers >= 0):
        np.maximum(found, numbers[i], out=found, where=has[:, i])
    found[found < 0] = default
    return found


def lowest(has: NDArray[np.bool_], numbers: NDArray[np.int64], default: int) -> NDArray[np.int64]:
    """The lowest number among a build's options, the default included."""
    found = np.full(len(has), default, np.int64)
    for i in np.flatnonzero(numbers >= 0):
        np.minimum(found, numbers[i], out=found, where=has[:, i])
    return found


def first_with(has: NDArray[np.bool_], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of the first option that has the mechanic, -1 where none has."""
    found = np.full(len(has), -1, np.int64)
    for i in np.flatnonzero(numbers >= 0)[::-1]:
        found[has[:, i]] = i
    return found


def sum_over(has: NDArray[np.bool_], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum of a build's options."""
    found = np.zeros(len(has), np.int64)
    for i in np.flatnonzero(numbers):
        np.add(found, numbers[i], out=found, where=has[:, i])
    return found


def strike_records(
    given: Attackers, has: NDArray[np.bool_], extra: NDArray[np.int64]
) -> list[NDArray[np.void]]:
    """By class of enemy a strike record for each row of `has`.

    `extra` adds to accuracy and effect (limits, channelling).
    """
    # Classes often differ in HP alone, which only slayers ask for.
    known: dict[object, NDArray[np.void]] = {}
    found = []
    for foe in given.classes:
        if foe.stats not in known:
            known[foe.stats] = _plain_records(given, has, foe, extra)
        found.append(_with_slayers(given, has, foe, known[foe.stats]))
    return found


def _with_slayers(
    given: Attackers, has: NDArray[np.bool_], foe: Foe, plain: NDArray[np.void]
) -> NDArray[np.void]:
    records, tier = plain.copy(), given.attacker.tier
    records["max_hp"] = foe.max_hp
    slayers = [each.mechanics.slayer for each in given.options.known]
    matching = [slayer if slayer is not None and slayer.matches(foe.max_hp) else None for slayer in slayers]
    for field, roll in (("accuracy", "accuracy"), ("effect", given.roll)):
        bonus = np.array([0 if each is None else getattr(each, roll).at(tier) for each in matching], np.int64)
        records[field] += sum_over(has, bonus)
    return records


def _plain_records(
    given: Attackers, has: NDArray[np.bool_], foe: Foe, extra: NDArray[np.int64]
) -> NDArray[np.void]:
    """What does not depend on an enemy's HP."""
    options = given.options
    basic = given.basic(foe)
    records = np.zeros(len(has), STRIKE)
    records[:] = basic
    for field, roll in (("accuracy", "accuracy"), ("effect", given.roll)):
        records[field] += sum_over(has, options.modifiers[roll])
    records["accuracy"] += extra[:, 0]
    records["effect"] += extra[:, 1]
    numbers = options.numbers
    records["critical_from"] = lowest(has, numbers["critical_from"], int(basic["critical_from"]))
    records["critical_effect"] += sum_over(has, options.critical_bonus[given.roll])
    for name in ("overhit", "brutal"):
        which = first_with(has, numbers[f"{name}_per"])
        for part in ("margin" if name == "overhit" else "threshold", "per"):
            records[f"{name}_{part}"] = np.where(which >= 0, numbers[f"{name}_{part}"][which], 0)
    records["brutal_excess"] = (records["brutal_per"] > 0) & (given.rules.rulings.brutal == "excess")
    if given.effect == "damage":
        records["resist"] -= foe.stats.endurance * (highest(has, numbers["ignore_endurance"], 0) > 0)
        if given.rules.rulings.flat_damage == "roll":
            records["fixed_roll"] |= first_with(has, numbers["flat_damage"]) >= 0
    return records


def attack_records(given: Attackers, has: NDArray[np.bool_]) -> NDArray[np.void]:
    """How often it strikes with which dice. `dice`: explode_on, or -1 - flat damage; 0: a condition check."""
    options, rules, numbers = given.options, given.rules, given.options.numbers
    records = np.zeros(len(has), ATTACK)
    attack_type = rules.attack_types[given.attack_type]
    records["naturals"] = 0 if attack_type.auto_hit else highest(has, numbers["accuracy_dice"], 1)
    once = attack_type.area and rules.rulings.area_strikes == "once"
    records["strikes"] = 1 if once else highest(has, numbers["strikes"], 1)
    records["extra_limit"] = highest(has, numbers["extra_limit"], 0)
    records["double_tap"] = highest(has, numbers["double_tap"], 0)
    if given.effect == "condition":
        return records
    records["dice"] = lowest(has, numbers["explode_on"], rules.rolls.damage.explode_on)
    flat = flat_damage(given.parts(), given.attacker)
    if flat is not None:
        records["dice"] = -1 - flat
    # A type with a flat number of its own has no dice that an option could replace.
    for i in () if flat is not None else np.flatnonzero(numbers["flat_damage"] >= 0)[::-1]:
        own = options.known[i].mechanics.flat_damage
        assert own is not None  # noqa: S101 - it has the mechanic
        records["dice"][has[:, i]] = -1 - own.at(given.attacker.tier)
    return records


def kill_thresholds(given: Attackers, has: NDArray[np.bool_]) -> NDArray[np.int64]:
    """By row and class of enemy the HP that an attack defeats at, or below."""
    found = np.zeros((len(has), len(given.classes)), np.int64)
    if given.effect == "condition":
        return found
    for i in np.flatnonzero(given.options.has_threshold):
        rows = has[:, i]
        for k, foe in enumerate(given.classes):
            threshold = kill_threshold([given.options.known[i]], foe.max_hp)
            found[rows, k] = np.maximum(found[rows, k], threshold)
    return found


def level_gains(given: Attackers, channel: int) -> NDArray[np.int64]:
    """What each level of channelling by this option adds to accuracy and effect; -1: no channelling."""
    if channel < 0:
        return np.zeros((1, 2), np.int64)
    name = list(given.rules.enhancements)[channel]
    levels = channel_levels(given.parts(name), given.attacker, given.encounter.max_turns)
    return np.array([[level["accuracy"], level[given.roll]] for level in levels], np.int64)
