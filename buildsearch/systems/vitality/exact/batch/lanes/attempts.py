"""How many attacks an enemy takes where all attacks are alike, eight rows of damage side by side.

With p(d) the damage of an attack that is made with chance a, and K the attacks (made or not) that h HP take:

    E K(h) = (1 + a sum over 0 < d < h of p(d) E K(h - d)) / (a (1 - p(0)))
    E g^K(h) = g a (sum over 0 < d < h of p(d) E g^K(h - d) + P(d >= h)) / (1 - g (1 - a + a p(0)))
    P(K(h) > m) = P(the damage of m attacks is below h)
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner
from buildsearch.systems.vitality.exact.batch.lanes.values import STUCK
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_scaled,
    copy,
    dot_pairs_down,
    multiply,
)
from buildsearch.systems.vitality.exact.batch.places import Damages

# A chance to stand that is below this is none.
NEVER = 1e-18


class Items(NamedTuple):
    """What is asked: of row i of damages the HP from `first[i]` up to `first[i + 1]`."""

    rows: NDArray[np.int64]
    first: NDArray[np.int64]
    heights: NDArray[np.int64]


class Lanes(NamedTuple):
    """Eight rows: numbers by damage in lanes, 0 where damage is negligible."""

    chances: NDArray[np.float64]
    at_least: NDArray[np.float64]
    nothing: NDArray[np.float64]


@inner
def lanes_for(items: Items) -> Lanes:
    """Memory for what is asked."""
    size = (items.heights.max() + 1) * LANES
    return Lanes(np.zeros(size), np.zeros(size), np.zeros(LANES))


@inner
def fill_lanes(damages: Damages, items: Items, start: int, lanes: Lanes) -> tuple[int, int, int]:
    """The eight rows from this one on, the last repeated; the lowest and highest damage, and the most HP."""
    chances = lanes.chances
    at_least = lanes.at_least
    last = min(start + LANES, len(items.rows)) - 1
    height = items.heights[items.first[start] : items.first[last + 1]].max()
    chances[: (height + 1) * LANES] = 0.0
    low = height
    high = 0
    for lane in range(LANES):
        row = items.rows[min(start + lane, last)]
        own_low = min(damages.lowest[row], height)
        own_high = min(damages.highest[row], height - 1)
        for damage in range(own_low, own_high + 1):
            chances[damage * LANES + lane] = damages.chances[row, damage]
        for damage in range(min(height, damages.at_least.shape[1] - 1) + 1):
            at_least[damage * LANES + lane] = damages.at_least[row, damage]
        lanes.nothing[lane] = damages.chances[row, 0]
        low = min(low, own_low)
        high = max(high, own_high)
    # An even one: sums of even and odd damages stand apart (`dot_pairs_down`).
    return low - low % 2, high, height


@njit(cache=True, nogil=True)
def mean_attempts(
    damages: Damages, items: Items, activation: float, growth: float, found: NDArray[np.float64]
) -> None:
    """By item E K, or with a growth above 1 E growth^K; infinite where there is no such number."""
    lanes = lanes_for(items)
    chances = lanes.chances
    at_least = lanes.at_least
    known = np.zeros(len(chances))
    total = np.zeros(LANES)
    once = np.zeros(LANES)
    led_to = np.zeros(LANES)
    stuck = np.zeros(LANES, np.bool_)
    for start in range(0, len(items.rows), LANES):
        low, high, height = fill_lanes(damages, items, start, lanes)
        for lane in range(LANES):
            leaves = 1.0 - growth * (1.0 - activation * (1.0 - lanes.nothing[lane]))
            stuck[lane] = leaves < STUCK
            led_to[lane] = growth * activation / (1.0 if stuck[lane] else leaves)
            once[lane] = 1.0 / (1.0 if stuck[lane] else leaves)
        for hp in range(1, height + 1):
            at = (hp - 1) * LANES
            reach = min(high, hp - 1) + 1 - low
            dot_pairs_down(total, 0, chances, low * LANES, known, at - low * LANES, reach)
            if growth == 1.0:
                copy(known, at, once, 0)
                add_product(known, at, total, 0, led_to, 0)
            else:
                add_scaled(total, 0, 1.0, at_least, hp * LANES)
                multiply(total, 0, led_to, 0)
                copy(known, at, total, 0)
        for lane in range(min(LANES, len(items.rows) - start)):
            for i in range(items.first[start + lane], items.first[start + lane + 1]):
                found[i] = np.inf if stuck[lane] else known[(items.heights[i] - 1) * LANES + lane]


@inner
def set_stays(lanes: Lanes, activation: float, stays: NDArray[np.float64]) -> None:
    """Fill in the chance that an attempt does no damage."""
    for lane in range(LANES):
        stays[lane] = 1.0 - activation * (1.0 - lanes.nothing[lane])


@inner
def prefix_sums(
    one: NDArray[np.float64], other: NDArray[np.float64], height: int, sums: NDArray[np.float64]
) -> None:
    """By damage below the height the sum of both up to it."""
    copy(sums, 0, one, 0)
    add_scaled(sums, 0, 1.0, other, 0)
    for done in range(1, height):
        at = done * LANES
        copy(sums, at, sums, at - LANES)
        add_scaled(sums, at, 1.0, one, at)
        add_scaled(sums, at, 1.0, other, at)


@njit(cache=True, nogil=True)
def lasting_attempts(damages: Damages, items: Items, activation: float, lasts: NDArray[np.float64]) -> None:
    """By item P(K > m) for each m that there is a column for."""
    lanes = lanes_for(items)
    chances = lanes.chances
    damage = np.zeros(len(chances))
    nobody = np.zeros(len(chances))
    sums = np.zeros(len(chances))
    total = np.zeros(LANES)
    stays = np.zeros(LANES)
    lasts[:] = 0.0
    lasts[:, 0] = 1.0
    for start in range(0, len(items.rows), LANES):
        low, high, height = fill_lanes(damages, items, start, lanes)
        set_stays(lanes, activation, stays)
        damage[: height * LANES] = 0.0
        damage[:LANES] = 1.0
        for m in range(1, lasts.shape[1]):
            for done in range(height - 1, -1, -1):
                at = done * LANES
                reach = min(high, done) + 1 - low
                dot_pairs_down(total, 0, chances, low * LANES, damage, at - low * LANES, reach)
                multiply(damage, at, stays, 0)
                add_scaled(damage, at, activation, total, 0)
            prefix_sums(damage, nobody, height, sums)
            some = False
            for lane in range(min(LANES, len(items.rows) - start)):
                for i in range(items.first[start + lane], items.first[start + lane + 1]):
                    # What is left of somebody who is down would depend on who goes beside it.
                    stands = sums[(items.heights[i] - 1) * LANES + lane]
                    if stands >= NEVER and lasts[i, m - 1] > 0.0:
                        lasts[i, m] = stands
                        some = True
            if not some:
                break


@inner
def _multiply_up_to(
    first: NDArray[np.float64], second: NDArray[np.float64], height: int, out: NDArray[np.float64]
) -> None:
    """The damage of the one and the other, where that is below the height."""
    for done in range(height):
        dot_pairs_down(out, done * LANES, first, 0, second, done * LANES, done + 1)


@njit(cache=True, nogil=True)
def limited_attempts(
    damages: Damages, items: Items, activation: float, most: int, means: NDArray[np.float64],
    lasts: NDArray[np.float64],
) -> None:  # fmt: skip
    """By item E min(K, most) and P(K > most), from the damage f of so many attacks.

    E min(K(h), m) = E K(h) - sum over d < h of f(d) E K(h - d). Only where E K is not large.
    """
    lanes = lanes_for(items)
    chances = lanes.chances
    size = len(chances)
    known = np.zeros(size)
    once = np.zeros(LANES)
    led_to = np.zeros(LANES)
    total = np.zeros(LANES)
    stays = np.zeros(LANES)
    base = np.zeros(size)
    power = np.zeros(size)
    scratch = np.zeros(size)
    for start in range(0, len(items.rows), LANES):
        low, high, height = fill_lanes(damages, items, start, lanes)
        set_stays(lanes, activation, stays)
        for lane in range(LANES):
            once[lane] = 1.0 / (1.0 - stays[lane])
            led_to[lane] = activation / (1.0 - stays[lane])
        for hp in range(1, height + 1):
            at = (hp - 1) * LANES
            reach = min(high, hp - 1) + 1 - low
            dot_pairs_down(total, 0, chances, low * LANES, known, at - low * LANES, reach)
            copy(known, at, once, 0)
            add_product(known, at, total, 0, led_to, 0)
        base[: height * LANES] = 0.0
        copy(base, 0, stays, 0)
        for done in range(low, min(high, height - 1) + 1):
            add_scaled(base, done * LANES, activation, chances, done * LANES)
        power[: height * LANES] = 0.0
        power[:LANES] = 1.0
        left = most
        while left > 0:
            if left % 2 == 1:
                _multiply_up_to(base, power, height, scratch)
                power, scratch = scratch, power
            left //= 2
            if left > 0:
                _multiply_up_to(base, base, height, scratch)
                base, scratch = scratch, base
        for lane in range(min(LANES, len(items.rows) - start)):
            for i in range(items.first[start + lane], items.first[start + lane + 1]):
                hp = items.heights[i]
                beyond = 0.0
                stands = 0.0
                for done in range(hp):
                    chance = power[done * LANES + lane]
                    stands += chance
                    beyond += chance * known[(hp - 1 - done) * LANES + lane]
                means[i] = known[(hp - 1) * LANES + lane] - beyond
                lasts[i] = stands
