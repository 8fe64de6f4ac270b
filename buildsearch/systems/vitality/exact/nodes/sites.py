"""What all families on a map share: who lives where on it, tables of rolls, and where fights come in.

Maps and turns are brought into the form that kernels read.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.batch.chain import NO_RETALIATION
from buildsearch.systems.vitality.exact.batch.crossing import Arrivals
from buildsearch.systems.vitality.exact.batch.lumping import ALWAYS, SETS
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.families import MOMENTS, Readings
from buildsearch.systems.vitality.exact.nodes.fields import OTHERS, Fields, Kinds
from buildsearch.systems.vitality.exact.nodes.maps import Map
from buildsearch.systems.vitality.exact.nodes.turns import Turns
from buildsearch.systems.vitality.exact.nodes.values import Ground, Program
from buildsearch.systems.vitality.exact.vectors import LANES


def living_of(ground: ExactGround, fields: Fields, map_: Map) -> tuple[NDArray[np.int64], list[list[int]]]:
    """By field the number of its living, and who they are; nobody where a wave is just coming."""
    _, first, numbers = np.unique(map_.living, return_index=True, return_inverse=True)
    who: list[list[int]] = [[] for _ in first]
    for i, field in enumerate(first):
        if map_.rest[field] == field and map_.old[field] > 0:
            who[i] = sorted(ground.order[place] for place in fields.living(int(map_.old[field])))
    return numbers.ravel().astype(np.int64), who


def sets_of(ground: ExactGround, who: list[list[int]], mask: int) -> Floats:
    """By living the chances of sets of events, where limits accept `mask` of what retaliation does."""
    bits = (np.arange(SETS)[:, None] >> np.arange(NO_RETALIATION)) & 1
    sets = np.array([ground.blows(some, mask).sum(axis=1) for some in who]) @ bits.T
    sets[:, ALWAYS] = 1.0
    return np.asarray(sets)


def ground_of(map_: Map, numbers: NDArray[np.int64]) -> Ground:
    """A map with the numbers of who lives where."""
    return Ground(map_.front, map_.rest, numbers, map_.starts, map_.codes, map_.tails)


_programs = LruCache[tuple[object, ...], Program](16_384)


def program_of(turns: Turns, fields: int, kinds: Kinds) -> Program:
    """Turns on a map of so many fields; types and scenarios ask for the same again."""
    return _programs.get((turns.shape, fields, kinds), lambda: _program_of(turns, fields, kinds))


def _program_of(turns: Turns, fields: int, kinds: Kinds) -> Program:
    stays: list[list[int]] = []
    for rows in turns.next_rows:
        reached: set[int] = set()
        for row in rows[: OTHERS * kinds.patterns].tolist():
            reached |= {row} if row < turns.gates else set(stays[row - turns.gates])
        stays.append(sorted(reached))
    return Program(
        gates=turns.gates,
        rolls=turns.rolls,
        offsets=(np.where(turns.next_rows < 0, turns.rows, turns.next_rows) * (fields * LANES)).ravel(),
        next_rows=turns.next_rows.ravel(),
        steps=turns.steps,
        stay_starts=np.concatenate([[0], np.cumsum([len(each) for each in stays])]).astype(np.int64),
        stay_gates=np.array([gate for each in stays for gate in each], np.int64),
    )


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


class Entry:
    """Arrivals by enemy and HP as fields: nobody else is hurt before the attack comes into use."""

    def __init__(self, arrivals: Arrivals, ground: ExactGround, fields: Fields) -> None:
        state, column = np.nonzero(arrivals.by_turn.sum(axis=0))
        starts = np.concatenate([[0], np.cumsum(ground.foes["max_hp"])])
        place = np.searchsorted(starts, column, side="right") - 1
        self.before = arrivals.before
        self.gates = arrivals.states[state]
        self._old = fields.whole(place, column - starts[place] + 1)
        # Before the first turn, which nobody strikes back before.
        self._is_first = arrivals.before == 0.0 and len(column) == 1
        self.by_turn = arrivals.by_turn[:, state, column]
        # What tells turns and gates apart in which fights arrive.
        self.course = self.gates.tobytes() + (self.by_turn != 0.0).tobytes()
        turns = range(len(self.by_turn))
        powers = np.array([[growth ** (turn - 1) for turn in turns] for growth in (1.0, *MOMENTS)])
        self.grown = powers @ self.by_turn

    def fields(self, map_: Map) -> NDArray[np.int64]:
        """The fields that are read."""
        if self._is_first:
            return np.array([len(map_) - 1])
        return map_.new[self._old]


def readings_of(entries: list[Entry], map_: Map, *, by_turn: bool = False) -> Readings:
    """What is read of some processes on a map: values and moments, or what arrives turn by turn."""
    sizes = [len(entry.gates) for entry in entries]
    rows = [entry.by_turn if by_turn else entry.grown for entry in entries]
    weights = np.zeros((max(map(len, rows)), sum(sizes)))
    at = 0
    for size, row in zip(sizes, rows, strict=True):
        weights[: len(row), at : at + size] = row
        at += size
    return Readings(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.concatenate([entry.gates for entry in entries]),
        np.concatenate([entry.fields(map_) for entry in entries]),
        weights,
    )
