"""Rolls of a batch by number, and what all families on one map share."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.several.attacks import Roll, distinct_tables, harmless_chance
from buildsearch.systems.vitality.exact.several.fields import Fields
from buildsearch.systems.vitality.exact.several.ground import ground_of, living_of, sets_of
from buildsearch.systems.vitality.exact.several.kinds import Kinds
from buildsearch.systems.vitality.exact.several.maps import map_of
from buildsearch.systems.vitality.exact.several.turns import Turns

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(eq=False)
class RollBook:
    """Rolls by number; once all are in, `chances` of all, and by roll and class where they start."""

    rolls: list[Roll] = field(default_factory=list)
    starts: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    chances: Floats = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        self._harmless: dict[int, float] = {}

    def __getitem__(self, number: int) -> Roll:
        return self.rolls[number]

    def add(self, roll: Roll) -> int:
        """The number of a new roll."""
        self.rolls.append(roll)
        return len(self.rolls) - 1

    def flatten(self) -> None:
        """Put the chances of all behind one another."""
        if not self.rolls:
            return
        sizes = np.array([[len(one) for one in roll.chances] for roll in self.rolls])
        self.starts = (np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape)
        self.chances = np.concatenate([one for roll in self.rolls for one in roll.chances])

    def harmless(self, number: int) -> float:
        """As `harmless_chance`, once a roll."""
        if number not in self._harmless:
            self._harmless[number] = harmless_chance(self.rolls[number])
        return self._harmless[number]


class Site:
    """A map, who lives where on it, and the tables of rolls by roll and class."""

    def __init__(self, ground: ExactGround, fields: Fields, rolls: list[Roll], kinds: Kinds) -> None:
        tables, self.which = distinct_tables(rolls)
        self.map = map_of(fields, tables, kinds)
        self._exact = ground
        numbers, self._who = living_of(fields, self.map)
        self.ground = ground_of(self.map, numbers)
        self.size = len(self._who)
        self.sizes = np.array([[len(one) for one in roll.chances] for roll in rolls], np.int64)
        self.middles = np.array([[table.middle for table in roll.tables] for roll in rolls], np.int64)
        self._sets: dict[int, Floats] = {}

    def weights(self, turns: Turns, mask: int) -> Floats:
        """By living and step its chance, where limits accept `mask` of what retaliation does."""
        if mask not in self._sets:
            self._sets[mask] = sets_of(self._exact, self._who, mask)
        return np.asarray((self._sets[mask][:, turns.steps[:, 1]] * turns.chances).ravel())
