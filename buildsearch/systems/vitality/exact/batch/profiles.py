"""Upgrade sets as strike records, all at once, by the columns that sampling in bulk has too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.encounter import Encounter, Foe
from buildsearch.systems.vitality.exact.batch.options import Options
from buildsearch.systems.vitality.kernel.batch.columns import Columns, columns_of, numbers_of
from buildsearch.systems.vitality.kernel.batch.template import Striker
from buildsearch.systems.vitality.kernel.profile import (
    STRIKE,
    channel_levels,
    flat_damage,
    kill_threshold,
)

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
class Attackers(Striker):
    """A type of attack in the attacker's hands, against each class of enemy."""

    options: Options
    classes: list[Foe]

    @property
    def class_hp(self) -> NDArray[np.int64]:
        return np.array([foe.max_hp for foe in self.classes], np.int64)

    def basic(self, foe: Foe) -> np.void:
        """The strike record of the attack without options."""
        return self.strike(self.parts(), foe)

    @cached_property
    def columns(self) -> Columns:
        """How the numbers of options combine."""
        return columns_of(self, self.classes)

    def numbers(self, has: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The columns of sets of options, and their chances to activate."""
        bits = np.packbits(has, axis=1, bitorder="little")
        masks = np.zeros((len(has), -(-bits.shape[1] // 8) * 8), np.uint8)
        masks[:, : bits.shape[1]] = bits
        return numbers_of(self.columns, masks.view(np.uint64))


def highest(has: NDArray[np.bool_], numbers: NDArray[np.int64], default: int) -> NDArray[np.int64]:
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


def strike_records(
    given: Attackers, has: NDArray[np.bool_], extra: NDArray[np.int64]
) -> list[NDArray[np.void]]:
    """By class of enemy a strike record for each row of `has`.

    `extra` adds to accuracy and effect (limits, channelling).
    """
    columns, names = given.columns, STRIKE.names or ()
    numbers = given.numbers(has)[0]
    found = []
    for one, foe in enumerate(given.classes):
        records = np.zeros(len(has), STRIKE)
        records[:] = given.basic(foe)
        for column in np.flatnonzero(columns.strike_class == one):
            records[names[columns.field[column]]] = numbers[:, column]
        records["accuracy"] += extra[:, 0]
        records["effect"] += extra[:, 1]
        found.append(records)
    return found


def modifiers_of(given: Attackers, has: NDArray[np.bool_]) -> NDArray[np.int64]:
    """What sets of limits add to accuracy and effect, the same against every class of enemy."""
    columns, names = given.columns, STRIKE.names or ()
    added = given.numbers(has)[0] - columns.base
    own = [
        (columns.strike_class == 0) & (columns.field == names.index(name)) for name in ("accuracy", "effect")
    ]
    return np.asarray(added[:, [int(np.flatnonzero(each)[0]) for each in own]])


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
