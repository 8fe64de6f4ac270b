"""The same chains forward in time: for the few fights that the turn limit may cut short.

HP run backwards in memory (index = HP lost), so that damage is a shift to the right.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.values import row_of
from buildsearch.systems.vitality.exact.moves import NOTHING

_NEGLIGIBLE = 1e-14


@njit(cache=True, nogil=True)
def walk(
    steps: NDArray[np.void],
    states: int,
    places: Places,
    damages: Damages,
    first_row: int,
    max_turns: int,
) -> float:
    """The mean number of turns, a fight that is not over by then counting as `max_turns`."""
    classes = damages.classes
    starts = np.zeros(len(places.max_hp) + 1, np.int64)
    for place in range(len(places.max_hp)):
        starts[place + 1] = starts[place] + places.max_hp[place]
    now = np.zeros((states, starts[-1]))
    later = np.zeros((states, starts[-1]))
    now[0, 0] = 1.0
    mean = 0.0
    for _ in range(max_turns):
        mean += now.sum()
        later[:] = 0.0
        for i in range(len(steps)):
            step = steps[i]
            mass = now[step["state"]]
            for place in range(len(places.max_hp)):
                weight = step["chance"] * places.events[place, step["event"]]
                start = starts[place]
                stop = starts[place + 1]
                if step["action"] == NOTHING:
                    for j in range(start, stop):
                        later[step["missed"], j] += weight * mass[j]
                    continue
                row = row_of(step["action"], places.strike_class[place], first_row, classes)
                chances = damages.chances[row]
                kill_at = damages.kill_at[row]
                then = step["cleared"] if places.ends_wave[place] != 0 else step["defeated"]
                for j in range(start, stop):
                    here = weight * mass[j]
                    if here == 0.0:
                        continue
                    later[step["missed"], j] += here * (chances[0] - damages.touched[row])
                    later[step["touched"], j] += here * damages.touched[row]
                    target = later[step["damaged"]]
                    for damage in range(
                        damages.lowest[row], min(damages.highest[row] + 1, stop - kill_at - j)
                    ):
                        target[j + damage] += here * chances[damage]
                    if stop < starts[-1]:
                        hp = stop - j
                        later[then, stop] += here * damages.at_least[row, max(1, hp - kill_at)]
        now, later = later, now
        if now.sum() < _NEGLIGIBLE:
            break
    return mean
