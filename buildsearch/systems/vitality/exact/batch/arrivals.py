"""Who comes into a fight's chain where and when: at the start, or late, when an attack comes into use."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
