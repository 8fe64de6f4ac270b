"""What all families on one map share: who lives where on it, and the tables of rolls by roll and class."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.fields import Fields
from buildsearch.systems.vitality.exact.nodes.maps import Map
from buildsearch.systems.vitality.exact.nodes.programs import ground_of, living_of, sets_of
from buildsearch.systems.vitality.exact.nodes.turns import Turns

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Rolled(Protocol):
    """A table of outcomes of one roll at fronts of one class."""

    @property
    def key(self) -> Hashable:
        """What tells tables apart."""

    @property
    def breaks(self) -> tuple[int, ...]:
        """Where its parts begin, and where the last one ends."""


_Table = TypeVar("_Table", bound=Rolled)


class Site:
    """A map, and by roll and class which of its tables it is, how many outcomes, where its parts begin."""

    def __init__(
        self,
        ground: ExactGround,
        fields: Fields,
        rolls: Sequence[Sequence[_Table]],
        map_of: Callable[[list[_Table]], Map],
    ) -> None:
        tables, self.which = distinct_tables(rolls)
        self.map = map_of(tables)
        self._exact = ground
        numbers, self._who = living_of(ground, fields, self.map)
        self.ground = ground_of(self.map, numbers)
        self.breaks = np.array([[table.breaks for table in roll] for roll in rolls], np.int64)
        self.sizes = np.ascontiguousarray(self.breaks[:, :, -1])
        self._sets: dict[int, Floats] = {}

    def weights(self, turns: Turns, mask: int) -> Floats:
        """By living and step its chance, where limits accept `mask` of what retaliation does."""
        if mask not in self._sets:
            self._sets[mask] = sets_of(self._exact, self._who, mask)
        return np.asarray((self._sets[mask][:, turns.steps[:, 1]] * turns.chances).ravel())


def distinct_tables(rolls: Sequence[Sequence[_Table]]) -> tuple[list[_Table], Ints]:
    """Each table once, and by roll and class which it is."""
    known: dict[Hashable, int] = {}
    tables: list[_Table] = []
    which = np.zeros((len(rolls), len(rolls[0])), np.int64)
    for i, roll in enumerate(rolls):
        for k, table in enumerate(roll):
            if table.key not in known:
                known[table.key] = len(tables)
                tables.append(table)
            which[i, k] = known[table.key]
    return tables, which
