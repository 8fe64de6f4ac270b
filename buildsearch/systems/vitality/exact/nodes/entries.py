"""Where fights come into a process: gates and fields that are read, by turn and by growth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import Arrivals
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.families import MOMENTS, Readings
from buildsearch.systems.vitality.exact.nodes.fields import Fields
from buildsearch.systems.vitality.exact.nodes.maps import Map


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
