"""Many profiles behind one gating: the value recursion, a proof that the turn limit is far, or the long way."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.values import value
from buildsearch.systems.vitality.exact.batch.walking import walk

# What the turn limit may take off a mean before it is respected.
TOLERANCE = 1e-10
_GROWTHS = (1.5, 1.3)
BY_VALUE, BY_WALK = 0, 1


@njit(cache=True, nogil=True)
def _is_out_of_reach(turns: float, places: Places, damages: Damages, first_row: int, limit: int) -> bool:
    """Whether an attack that is made every turn ends before the limit but for the tolerance (Chernoff).

    With d = damage cut at x, exp(a * (HP left + (x - 1) * enemies left)) shrinks by r = E exp(-a d) a turn,
    so P(T > t) <= exp(a * (HP + (x - 1) * (enemies - 1))) r^t.
    """
    if turns * 2 > limit:
        return False
    enemies = len(places.max_hp)
    cut = 1 << 30
    if enemies > 1:
        cut = 12
    for rate in (0.1, 0.2, 0.4):
        shrink = 0.0
        for place in range(enemies):
            row = first_row + places.strike_class[place]
            one = 0.0
            for damage in range(places.max_hp[place] + 1):
                one += damages.chances[row, damage] * math.exp(-rate * min(damage, cut))
            shrink = max(shrink, one)
        room = rate * (places.max_hp.sum() + (min(cut, 10_000) - 1) * (enemies - 1))
        if shrink < 1.0 and room + limit * math.log(shrink) - math.log(1.0 - shrink) < math.log(TOLERANCE):
            return True
    return False


@njit(cache=True, nogil=True)
def solve_pairs(
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    first_rows: NDArray[np.int64],
    limit: int,
    means: NDArray[np.float64],
    ways: NDArray[np.int64],
) -> None:
    """The mean turns of each profile, and which way they were found."""
    for i in range(len(first_rows)):
        mean = value(steps, spreads, states, places, damages, first_rows[i], 1.0)
        safe = False
        if not math.isnan(mean) and mean * 2 <= limit:
            if states == 1 and len(steps) == 1:
                safe = _is_out_of_reach(mean, places, damages, first_rows[i], limit)
            if not safe:
                for growth in _GROWTHS:
                    # (T - n)+ <= g^(T - n) / (e ln g)
                    moment = value(steps, spreads, states, places, damages, first_rows[i], growth)
                    beyond = moment * growth**-limit / (math.e * math.log(growth))
                    if not math.isnan(moment) and beyond < TOLERANCE:
                        safe = True
                        break
        if safe:
            means[i] = mean
            ways[i] = BY_VALUE
        else:
            means[i] = walk(steps, states, places, damages, first_rows[i], limit)
            ways[i] = BY_WALK
