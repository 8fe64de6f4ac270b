"""Arrivals from a crossing, by what a chain tells apart, and all of them side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import GROWTHS, Arrivals, PackedArrivals
from buildsearch.systems.vitality.exact.batch.crossing import Crossing


def folded(crossing: Crossing, entered: NDArray[np.int64]) -> Arrivals:
    """Arrivals by state: what a chain does not tell apart is added up."""
    given = crossing.arrivals[:, : entered.shape[1]]
    turns = np.flatnonzero(given.any(axis=(1, 2)))
    last = int(turns[-1]) + 1 if len(turns) else 1
    states, compact = np.unique(entered, return_inverse=True)
    compact = compact.reshape(entered.shape)
    by_turn = np.zeros((last, len(states), given.shape[2]))
    for turn in range(1, last):
        clock = compact[min(turn - 1, len(entered) - 1)]
        for kind in range(given.shape[1]):
            by_turn[turn, clock[kind]] += given[turn, kind]
    powers = np.array([[growth ** (turn - 1) for turn in range(last)] for growth in (1.0, *GROWTHS)])
    grown = np.tensordot(powers, by_turn, axes=1)
    used = grown[0].any(axis=1)
    return Arrivals(crossing.before, states[used].astype(np.int64), by_turn[:, used], grown[:, used])


def packed_arrivals(arrivals: list[Arrivals], numbers: list[int]) -> PackedArrivals:
    """Side by side, those that processes share once."""
    last = max(len(each.by_turn) for each in arrivals)
    fields = arrivals[0].by_turn.shape[2]
    rows: dict[int, int] = {}
    by_turn, grown = [np.zeros((last, 0, fields))], [np.zeros((1 + len(GROWTHS), 0, fields))]
    size = 0
    for number, each in zip(numbers, arrivals, strict=True):
        if number not in rows:
            rows[number] = size
            size += len(each.states)
            by_turn.append(np.pad(each.by_turn, ((0, last - len(each.by_turn)), (0, 0), (0, 0))))
            grown.append(each.grown)
    return PackedArrivals(
        before=np.array([each.before for each in arrivals]),
        states=np.concatenate([each.states for each in arrivals]),
        first_state=np.concatenate([[0], np.cumsum([len(each.states) for each in arrivals])]).astype(
            np.int64
        ),
        first_row=np.array([rows[number] for number in numbers], np.int64),
        # What others' arrivals need must not change how long these are waited for.
        turns=np.array([len(each.by_turn) for each in arrivals], np.int64),
        by_turn=np.concatenate(by_turn, axis=1),
        grown=np.concatenate(grown, axis=1),
    )
