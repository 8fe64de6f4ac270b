"""Who decides which attack of a loadout is made, and what looking a turn ahead asks."""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

GREEDY, LOOKAHEAD = range(2)
# Rates that differ by no more are equal: two ways to add up the same numbers may differ in the last bits.
TIE = 1e-12


@njit(cache=True, nogil=True)
def mean_removed(
    setups: NDArray[np.void],
    places: NDArray[np.void],
    worth: NDArray[np.float64],
    criticals: NDArray[np.float64],
    member: int,
    row: int,
    width: int,
    target: int,
    alive: int,
    living: NDArray[np.int64],
    hp: NDArray[np.int64],
    strike_class: NDArray[np.int64],
) -> float:
    """HP that one attempt takes on average from those who stand there; of the basic attack in row 0."""
    setup = setups[member]
    at = places[member]["worth"]
    from_target = 0
    to_target = 1
    area = setup["area"] != 0
    if area:
        to_target = min(alive, setup["area_limit"])
    reached = 0
    if row > 0:
        reached = setup["cluster"] if setup["explosive"] != 0 else setup["ricochet"]
    total = 0.0
    for i in range(from_target, to_target):
        foe = living[i] if area else target
        own = row + strike_class[foe]
        total += worth[at + 2 * (own * width + hp[foe])]
        if reached > 0:
            critical = criticals[places[member]["criticals"] + own]
            others = 0
            for j in range(alive):
                other = living[j]
                if other != foe and others < reached:
                    others += 1
                    place = at + 2 * ((row + strike_class[other]) * width + hp[other])
                    total += critical * worth[place + 1]
    return total
