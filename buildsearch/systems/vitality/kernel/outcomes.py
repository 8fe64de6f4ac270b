"""What one strike can do, with which chance: the joint of hit, critical and damage after durability.

An outcome is packed into 16 bits: `critical << 15 | hit << 14 | damage`. Damage is capped at the enemy's
maximum HP, which loses nothing: more than that defeats just the same. A condition that lands puts the
enemy out of the fight, so it counts as that maximum.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.fixed_order import convolved

HIT_BIT = 14
HIT = 1 << HIT_BIT
CRITICAL = 1 << 15
DAMAGE = HIT - 1
MOST_HP = DAMAGE


@njit(cache=True, nogil=True)
def outcome_of(strike: np.void, natural: int, effect_dice: int) -> int:
    """The outcome of a strike whose accuracy die shows `natural` and whose effect dice show their total."""
    hit = True
    critical = False
    effect = effect_dice
    if strike["auto_hit"] == 0:
        margin = natural + strike["accuracy"] - strike["avoidance"]
        hit = margin >= 0
        if strike["max_hits"] != 0 and natural == strike["sides"]:
            hit = True
        if strike["min_misses"] != 0 and natural == 1:
            hit = False
        if not hit:
            return 0
        critical = natural >= strike["critical_from"]
        if strike["fixed_roll"] == 0:
            if strike["overhit_per"] > 0 and margin >= strike["overhit_margin"]:
                effect += margin // strike["overhit_per"]
            if critical:
                effect += strike["critical_effect"]
    if strike["fixed_roll"] == 0:
        effect += strike["effect"]
    code = HIT + (CRITICAL if critical else 0)
    difference = effect - strike["resist"]
    if strike["condition"] != 0:
        return code + (int(strike["max_hp"]) if difference >= 0 else 0)
    if strike["brutal_per"] > 0 and difference >= strike["brutal_threshold"]:
        counted = difference - strike["brutal_threshold"] if strike["brutal_excess"] != 0 else difference
        difference += counted // strike["brutal_per"]
    return code + int(min(max(difference, 0), strike["max_hp"]))


def most_damage(strike: np.void, faces: int, highest_total: int) -> int:
    """The most that it can do, where its accuracy die has so many faces and its dice show so much at most."""
    uncapped = strike.copy()
    uncapped["max_hp"] = MOST_HP
    return max(outcome_of(uncapped, 1 + face, highest_total) & DAMAGE for face in range(faces))


@njit(cache=True, nogil=True)
def fill_outcomes(
    strike: np.void,
    naturals: NDArray[np.float64],
    effect_dice: NDArray[np.float64],
    first_total: int,
    probabilities: NDArray[np.float64],
) -> None:
    """Add up the chance of each outcome over all dice.

    `naturals[i]` is the chance of face i + 1, `effect_dice[i]` of the total first_total + i. The result is
    indexed by 0 for a miss, 1 + damage for a hit, 2 + max_hp + damage for a critical.
    """
    for i in range(len(probabilities)):
        probabilities[i] = 0.0
    for i in range(len(naturals)):
        if naturals[i] == 0.0:
            continue
        for j in range(len(effect_dice)):
            code = outcome_of(strike, i + 1, first_total + j)
            where = 0
            if code & HIT:
                where = 1 + (code & DAMAGE)
                if code & CRITICAL:
                    where += 1 + strike["max_hp"]
            probabilities[where] += naturals[i] * effect_dice[j]
            if where == 0:
                # A miss is a miss whatever the effect dice would have shown.
                probabilities[0] += naturals[i] - naturals[i] * effect_dice[j]
                break


@njit(cache=True, nogil=True)
def fill_codes(max_hp: int, codes: NDArray[np.int64]) -> None:
    """The packed outcome of each index of `fill_outcomes`."""
    codes[0] = 0
    for damage in range(max_hp + 1):
        codes[1 + damage] = HIT + damage
        codes[2 + max_hp + damage] = CRITICAL + HIT + damage


@njit(cache=True, nogil=True)
def fill_grid(strike: np.void, first_total: int, grid: NDArray[np.uint16]) -> None:
    """The outcome for every effect total and accuracy face, where one roll serves several enemies.

    Faces are next to one another: the targets of an area share a total, so they share a cache line.
    """
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            grid[i, j] = outcome_of(strike, j + 1, first_total + i)


# Far below what a float64 sum of one can show; what lies beyond is counted as the largest total.
_NEGLIGIBLE = 1e-18


@lru_cache(maxsize=64)
def highest_of(sides: int, dice: int) -> NDArray[np.float64]:
    """The chance of each face 1..sides being the highest of so many dice (index 0 is face 1)."""
    faces = [face**dice for face in range(sides + 1)]
    return _frozen(np.array([(face - below) / faces[-1] for below, face in pairwise(faces)]))


@lru_cache(maxsize=64)
def exploding_sum(count: int, sides: int, explode_on: int) -> NDArray[np.float64]:
    """The chance of each total of dice that are rolled again and added from `explode_on` up.

    Index is the total. One die: every face below `explode_on` ends it, every other adds and goes on, so
    its distribution is a geometric series of shifted copies.
    """
    ending = np.zeros(sides + 1)
    going_on = np.zeros(sides + 1)
    ending[1 : min(explode_on, sides + 1)] = 1 / sides
    going_on[explode_on:] = 1 / sides
    one = np.zeros(1)
    chain = np.ones(1)
    while chain.sum() > _NEGLIGIBLE:
        one = _add(one, convolved(chain, ending))
        chain = convolved(chain, going_on)
    total = np.ones(1)
    for _ in range(count):
        total = convolved(total, one)
    last = int(np.flatnonzero(total > _NEGLIGIBLE)[-1])
    kept = total[: last + 1].copy()
    kept[last] += total[last + 1 :].sum()
    return _frozen(kept)


def _add(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    result = np.zeros(max(len(first), len(second)))
    result[: len(first)] += first
    result[: len(second)] += second
    return result


def _frozen(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array.setflags(write=False)
    return array
