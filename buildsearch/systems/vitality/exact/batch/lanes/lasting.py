"""How long fights last, so that those which hardly last to the turn limit need not be followed to it.

Fights that are ahead of time are dropped where the mean of g^N from there says that they hardly last, as
(N - n)+ <= g^(N - n) / (e ln g): all that is dropped takes less than `_DROPPED` off in sum, as every fight is
dropped at most once.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES, keep_largest
from buildsearch.systems.vitality.exact.batch.places import Places

_DROPPED = 1e-11


class Lasting(NamedTuple):
    """How long fights last: by lane a growth (0: none), and the means of growth ** turns."""

    growths: NDArray[np.float64]
    # By place and HP, in lanes: the largest mean there or at fewer HP.
    peaks: NDArray[np.float64]


@inner
def set_lasting(
    moments: NDArray[np.float64], growth: float, states: int, places: Places, lasting: Lasting
) -> None:
    """Fill in the lanes of this growth, from means by place, state and HP."""
    peak = np.zeros(LANES)
    growths = lasting.growths
    peaks = lasting.peaks
    hps = places.max_hp
    field = 0
    for place in range(len(hps)):
        max_hp = hps[place]
        set_all(peak, 0.0)
        for hp in range(max_hp):
            for state in range(states):
                keep_largest(peak, 0, moments, (field * states + state * max_hp + hp) * LANES)
            for lane in range(LANES):
                if growths[lane] == growth:
                    peaks[(field + hp) * LANES + lane] = peak[lane]
        field += max_hp


@inner
def set_floors(
    lasting: Lasting, places: Places, turns: int, floors: NDArray[np.int64], lowest: NDArray[np.int64]
) -> None:
    """By place and lane the HP below which nobody lasts so many turns; by place the lowest of all lanes.

    With fewer turns to go more fights last, so floors are looked for from those of the turn before down.
    """
    growths = lasting.growths
    peaks = lasting.peaks
    hps = places.max_hp
    for lane in range(LANES):
        growth = growths[lane]
        most = -1.0
        if growth > 0.0:
            most = _DROPPED * math.e * math.log(growth) * growth**turns
        field = 0
        for place in range(len(hps)):
            floor = floors[place, lane]
            while floor > 1 and peaks[(field + floor - 2) * LANES + lane] > most:
                floor -= 1
            floors[place, lane] = floor
            field += hps[place]
    for place in range(len(hps)):
        lowest[place] = floors[place].min()


@inner
def drop(
    now: NDArray[np.float64], start: int, states: int, max_hp: int, lowest: int, floors: NDArray[np.int64]
) -> None:
    """Empty those cells of lanes that others still look at."""
    for lane in range(LANES):
        for hp in range(lowest, min(floors[lane], max_hp + 1)):
            for state in range(states):
                now[start + (state * max_hp + hp - 1) * LANES + lane] = 0.0
