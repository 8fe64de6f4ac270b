"""Who comes into a fight's chain where and when: at the start, or late, when an attack comes into use."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Growths whose moments may prove that the turn limit is far, those that prove the most first.
GROWTHS = (1.5, 1.4, 1.7, 1.33)
# What the turn limit may take off a mean before it is respected.
TOLERANCE = 3e-10


class Arrivals(NamedTuple):
    """Who arrives where and when. `before`: the mean turns until then, or to an end before.

    `by_turn[t, i, field]`: the chance to arrive in state `states[i]` before turn t. `grown[0]` sums them over
    turns, the rows behind it with growth ** (t - 1), growth by growth.
    """

    before: float
    states: NDArray[np.int64]
    by_turn: NDArray[np.float64]
    grown: NDArray[np.float64]
