"""Who comes into a fight's chain where and when: at the start, or late, when an attack comes into use."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.crossing import Crossing

# What the turn limit may take off a mean at most before it is respected. Half of that bound is taken off, so
# that a mean is off by half of this at most.
TOLERANCE = 1e-6


class Arrivals(NamedTuple):
    """Who arrives where and when. `before`: the mean turns until then, or to an end before.

    `by_turn[t, i, field]`: the chance to arrive in state `states[i]` before turn t.
    """

    before: float
    states: NDArray[np.int64]
    by_turn: NDArray[np.float64]


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
    used = by_turn.any(axis=(0, 2))
    return Arrivals(crossing.before, states[used].astype(np.int64), by_turn[:, used])
