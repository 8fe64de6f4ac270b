"""The turn limit where every turn is like any other: count the turns that do damage, not the turns.

With one state of the chain a turn does damage with a chance q, and then by a distribution that does not
depend on q. So the number N of damaging turns has a distribution of its own, enemy after enemy, and given
N = n the turns are a sum of n geometric numbers: the mean of what the limit leaves of it is a table B[n].
An attack that is charged is the same with every c + 1 turns as one.
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

_NEGLIGIBLE = 1e-16
_SAME = 1e-13


@njit(cache=True, nogil=True)
def _mix(
    steps: NDArray[np.void],
    place: int,
    places: Places,
    damages: Damages,
    first_row: int,
    damage: NDArray[np.float64],
) -> tuple[float, int]:
    """Fill in the damage of a turn that does some; the answer: its chance, and the threshold of defeat.

    A threshold of -1: attacks of different thresholds, which do not mix.
    """
    max_hp = places.max_hp[place]
    damage[:] = 0.0
    chance = 0.0
    kill_at = -2
    for i in range(len(steps)):
        step = steps[i]
        weight = step["chance"] * places.sets[place, step["event"]]
        if step["action"] == NOTHING or weight == 0.0:
            continue
        row = row_of(step["action"], places.strike_class[place], first_row, damages.classes)
        if kill_at >= 0 and kill_at != damages.kill_at[row]:
            return chance, -1
        kill_at = damages.kill_at[row]
        chance += weight * damages.at_least[row, 1]
        for k in range(1, max_hp):
            damage[np.uint64(k)] += weight * damages.chances[np.uint64(row), np.uint64(k)]
    if chance > 0.0:
        for k in range(1, max_hp):
            damage[np.uint64(k)] /= chance
    return chance, max(kill_at, 0)


@njit(cache=True, nogil=True, fastmath=REGROUPED)
def _count(
    damage: NDArray[np.float64], max_hp: int, kill_at: int, limit: int, counts: NDArray[np.float64]
) -> int:
    """The chance of each number of damaging turns that an enemy takes; the answer: the largest."""
    low = 1
    while low < max_hp and damage[low] == 0.0:
        low += 1
    high = max_hp - 1
    while high > low and damage[high] == 0.0:
        high -= 1
    now = np.zeros(max_hp + 1)
    later = np.zeros(max_hp + 1)
    now[max_hp] = 1.0
    before = 1.0
    bottom = max_hp
    top = max_hp
    number = 0
    while number < limit:
        number += 1
        next_bottom = max(bottom - high, kill_at + 1)
        next_top = top - low
        alive = 0.0
        for hp in range(next_bottom, next_top + 1):
            first = max(low, bottom - hp)
            total = 0.0
            for k in range(min(high, top - hp) + 1 - first):
                total += damage[np.uint64(first + k)] * now[np.uint64(hp + first + k)]
            later[hp] = total
            alive += total
        counts[number] = before - alive
        before = alive
        if alive < _NEGLIGIBLE:
            counts[number] += alive
            return number
        now, later = later, now
        bottom = next_bottom
        top = next_top
    counts[limit] += before
    return limit


@njit(cache=True, nogil=True)
def period_of(steps: NDArray[np.void], states: int) -> int:
    """How many turns make one attack, where states follow one another whatever happens; 0: they do not."""
    for i in range(len(steps)):
        step = steps[i]
        state = step["state"]
        last = state == states - 1
        if not last and (step["action"] != NOTHING or step["missed"] != state + 1):
            return 0
        after = step["missed"] + step["touched"] + step["damaged"] + step["defeated"] + step["cleared"]
        if last and after != 0:
            return 0
    return states


@njit(cache=True, nogil=True)
def _limited_means(chance: float, limit: int, period: int, most: int) -> NDArray[np.float64]:
    """By n the mean turns until n attacks did damage, cut at the limit: a sum of binomial chances."""
    means = np.zeros(most + 1)
    binomial = np.zeros(most + 1)
    binomial[0] = 1.0
    for turn in range(1, limit + 1):
        below = 0.0
        for n in range(most):
            below += binomial[n]
            means[n + 1] += below
        if turn % period != 0:
            continue
        for n in range(most, 0, -1):
            binomial[n] = binomial[n] * (1.0 - chance) + binomial[n - 1] * chance
        binomial[0] *= 1.0 - chance
    return means


@njit(cache=True, nogil=True)
def mean_by_hits(
    steps: NDArray[np.void], period: int, places: Places, damages: Damages, first_row: int, limit: int
) -> float:
    """The mean turns under the limit, every `period` of them alike; NaN: they differ by enemy."""
    damage = np.zeros(places.max_hp.max() + 1)
    counts = np.zeros(limit + 1)
    together = np.zeros(limit + 1)
    together[0] = 1.0
    most = 0
    own = 0
    chance = 0.0
    for place in range(len(places.max_hp) - 1, -1, -1):
        if places.same_as_next[place] == 0:
            here, kill_at = _mix(steps, place, places, damages, first_row, damage)
            if kill_at < 0 or (chance > 0.0 and abs(here - chance) > _SAME):
                return np.nan
            if here == 0.0:
                return float(limit)
            chance = here
            counts[:] = 0.0
            own = _count(damage, places.max_hp[place], kill_at, limit, counts)
        added = np.zeros(limit + 1)
        for i in range(most + 1):
            for k in range(1, own + 1):
                added[min(i + k, limit)] += together[i] * counts[k]
        together = added
        most = min(most + own, limit)
    means = _limited_means(chance, limit, period, most)
    total = 0.0
    for n in range(most + 1):
        total += together[n] * means[n]
    return total
