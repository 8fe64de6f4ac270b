"""The same chains forward in time: for the few fights that the turn limit may cut short.

A place is left alone as soon as hardly any fight is there, and so are states without mass: the mass moves
through the enemies as a front. Inner loops stand where they are used, see `recursion`.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.recursion import REGROUPED
from buildsearch.systems.vitality.exact.batch.values import row_of
from buildsearch.systems.vitality.exact.moves import NOTHING

_NEGLIGIBLE = 1e-14
# A place with less than this is empty: a hundred turns of seven places take less than 1e-13 off a mean.
_EMPTY = 1e-18


@njit(cache=True, nogil=True, fastmath=REGROUPED)
def walk(  # noqa: PLR0912, PLR0915 - one walk, its loops in place
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    first_row: int,
    max_turns: int,
) -> float:
    """The mean number of turns, a fight that is not over by then counting as `max_turns`."""
    chances = damages.chances
    at_least = damages.at_least
    enemies = len(places.max_hp)
    most = places.max_hp.max()
    # By place, state and HP.
    now = np.zeros((enemies, states, most + 1))
    later = np.zeros((enemies, states, most + 1))
    masses = np.zeros((enemies, states))
    together = np.zeros((max(len(spreads), 1), most + 1))
    filled = np.zeros(max(len(spreads), 1), np.int64)
    now[0, 0, places.max_hp[0]] = 1.0
    mean = 0.0
    for _ in range(max_turns):
        remaining = 0.0
        for place in range(enemies):
            for state in range(states):
                total = 0.0
                for hp in range(1, places.max_hp[place] + 1):
                    total += now[np.uint64(place), np.uint64(state), np.uint64(hp)]
                masses[place, state] = total
                remaining += total
        if remaining < _NEGLIGIBLE:
            break
        mean += remaining
        later[:] = 0.0
        for place in range(enemies):
            here = 0.0
            for state in range(states):
                here += masses[place, state]
            if here < _EMPTY:
                continue
            max_hp = places.max_hp[place]
            strike_class = places.strike_class[place]
            cleared = places.ends_wave[place] != 0
            filled[:] = 0
            for i in range(len(steps)):
                step = steps[i]
                state = step["state"]
                weight = step["chance"] * places.sets[place, step["event"]]
                if masses[place, state] == 0.0 or weight == 0.0:
                    continue
                missed = step["missed"]
                if step["action"] == NOTHING:
                    for hp in range(1, max_hp + 1):
                        later[np.uint64(place), np.uint64(missed), np.uint64(hp)] += (
                            weight * now[np.uint64(place), np.uint64(state), np.uint64(hp)]
                        )
                    continue
                row = row_of(step["action"], strike_class, first_row, damages.classes)
                touch = weight * damages.touched[row]
                miss = weight * chances[row, 0] - touch
                for hp in range(1, max_hp + 1):
                    later[np.uint64(place), np.uint64(missed), np.uint64(hp)] += (
                        miss * now[np.uint64(place), np.uint64(state), np.uint64(hp)]
                    )
                if touch > 0.0:
                    touched = step["touched"]
                    for hp in range(1, max_hp + 1):
                        later[np.uint64(place), np.uint64(touched), np.uint64(hp)] += (
                            touch * now[np.uint64(place), np.uint64(state), np.uint64(hp)]
                        )
                spread = step["spread"]
                if filled[spread] == 0:
                    together[spread, : max_hp + 1] = 0.0
                    filled[spread] = 1
                for hp in range(1, max_hp + 1):
                    together[np.uint64(spread), np.uint64(hp)] += (
                        weight * now[np.uint64(place), np.uint64(state), np.uint64(hp)]
                    )
                if place + 1 < enemies:
                    kill_at = damages.kill_at[row]
                    defeats = 0.0
                    for hp in range(1, min(kill_at, max_hp) + 1):
                        defeats += now[place, state, hp]
                    defeats *= at_least[row, 1]
                    for k in range(1, max_hp - kill_at + 1):
                        defeats += (
                            now[np.uint64(place), np.uint64(state), np.uint64(kill_at + k)]
                            * at_least[np.uint64(row), np.uint64(k)]
                        )
                    then = step["cleared"] if cleared else step["defeated"]
                    later[place + 1, then, places.max_hp[place + 1]] += weight * defeats
            for i in range(len(spreads)):
                if filled[i] == 0:
                    continue
                row = row_of(spreads[i, 0], strike_class, first_row, damages.classes)
                low = damages.lowest[row]
                high = damages.highest[row]
                target = spreads[i, 1]
                for hp in range(damages.kill_at[row] + 1, max_hp - low + 1):
                    total = 0.0
                    for k in range(min(high, max_hp - hp) + 1 - low):
                        total += (
                            chances[np.uint64(row), np.uint64(low + k)]
                            * together[np.uint64(i), np.uint64(hp + low + k)]
                        )
                    later[place, target, hp] += total
        now, later = later, now
    return mean
