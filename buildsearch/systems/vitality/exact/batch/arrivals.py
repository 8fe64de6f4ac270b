"""Who comes into a fight's chain where and when: at the start, or late, when an attack comes into use."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.crossing import Crossing

# Growths whose moments may prove that the turn limit is far: the one that proves the most, then those above
# it, which prove what it nearly does, then those below it, where it has no moment.
GROWTHS = (1.5, 1.6, 1.55, 1.4, 1.33)
ABOVE = (1, 3)
BELOW = (3, 5)
# Those above are tried where the first one's bound is below this. Of 390,000 pairs with limits of all kinds
# they prove 13,100, of none of which the first says more than 2e-9. Those below prove 3,767 for which the
# first has no moment, and 452 for which it has: too few to try for.
NEARLY = 4e-9
# What the turn limit may take off a mean at most before it is respected. Half of that bound is taken off, so
# that a mean is off by half of this at most.
TOLERANCE = 8e-10


class Arrivals(NamedTuple):
    """Who arrives where and when. `before`: the mean turns until then, or to an end before.

    `by_turn[t, i, field]`: the chance to arrive in state `states[i]` before turn t. `grown[0]` sums them over
    turns, the rows behind it with growth ** (t - 1), growth by growth.
    """

    before: float
    states: NDArray[np.int64]
    by_turn: NDArray[np.float64]
    grown: NDArray[np.float64]


class Readings(NamedTuple):
    """`weights[i, field]`: how often fights arrive in state `states[i]` there, foe after foe by HP - 1."""

    states: NDArray[np.int64]
    weights: NDArray[np.float64]


class PackedArrivals(NamedTuple):
    """`Arrivals` of all processes side by side; by process where its states and rows are, and its turns."""

    before: NDArray[np.float64]
    states: NDArray[np.int64]
    first_state: NDArray[np.int64]
    first_row: NDArray[np.int64]
    turns: NDArray[np.int64]
    by_turn: NDArray[np.float64]
    grown: NDArray[np.float64]


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
