"""How many attacks an enemy takes where all attacks are alike, eight rows of damage side by side.

With p(d) the damage of an attack that is made with chance a, and K the attacks (made or not) that h HP take:

    E K(h) = (1 + a sum over 0 < d < h of p(d) E K(h - d)) / (a (1 - p(0)))
    E g^K(h) = g a (sum over 0 < d < h of p(d) E g^K(h - d) + P(d >= h)) / (1 - g (1 - a + a p(0)))

Attacks that harm go through HP without a halt, and are few: with J of them needed, each attack harming with
chance a (1 - p(0)), and f_j the damage of j of them

    P(K(h) > m) = sum over j of P(j of m attacks harm) P(J > j),  P(J > j) = sum over d < h of f_j(d)
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all, set_part
from buildsearch.systems.vitality.exact.batch.lanes.spreading import add_damage_of_one, convolve, sum_two
from buildsearch.systems.vitality.exact.batch.lanes.tables import fill_rows, fill_sums
from buildsearch.systems.vitality.exact.batch.lanes.values import STUCK
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_products,
    add_scaled,
    copy,
    multiply,
)
from buildsearch.systems.vitality.exact.batch.places import Damages

# A chance to stand that is below this is none.
NEVER = 1e-18


class Items(NamedTuple):
    """What is asked: of row i of damages the HP from `first[i]` up to `first[i + 1]`, rising."""

    rows: NDArray[np.int64]
    first: NDArray[np.int64]
    heights: NDArray[np.int64]


class Lanes(NamedTuple):
    """Eight rows: numbers by damage in lanes, 0 where damage is negligible; which rows they are."""

    chances: NDArray[np.float64]
    at_least: NDArray[np.float64]
    nothing: NDArray[np.float64]
    rows: NDArray[np.int64]


@inner
def lanes_for(items: Items) -> Lanes:
    """Memory for what is asked."""
    size = (items.heights.max() + 1) * LANES
    return Lanes(np.zeros(size), np.zeros(size), np.zeros(LANES), np.zeros(LANES, np.int64))


@inner
def tops_of(items: Items) -> NDArray[np.int64]:
    """The HP that are asked of anybody, rising."""
    is_asked = np.zeros(items.heights.max() + 1, np.bool_)
    for height in items.heights:
        is_asked[height] = True
    return np.flatnonzero(is_asked)


@inner
def fill_lanes(damages: Damages, items: Items, start: int, lanes: Lanes) -> tuple[int, int, int]:
    """The eight rows from this one on, the last repeated; the lowest and highest damage, and the most HP."""
    rows = lanes.rows
    last = min(start + LANES, len(items.rows)) - 1
    height = items.heights[items.first[start] : items.first[last + 1]].max()
    low = height
    for lane in range(LANES):
        rows[lane] = items.rows[min(start + lane, last)]
        low = min(low, damages.lowest[rows[lane]])
        lanes.nothing[lane] = damages.chances[rows[lane], 0]
    high = fill_rows(damages.chances, damages.highest, rows, height - 1, lanes.chances, 0)
    fill_sums(damages.at_least, rows, height + 1, lanes.at_least, 0)
    # An even one: sums of even and odd damages stand apart (`spreading`).
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
    two = np.zeros(2 * LANES)
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
        set_all(two, 0.0)
        for hp in range(1, height + 1):
            at = (hp - 1) * LANES
            part = hp % 2 * LANES
            if part == 0:
                sum_two(chances, 0, low, high, known, at, hp, two, 0)
            add_damage_of_one(chances, 0, low, high, known, at, hp, two, part)
            if growth == 1.0:
                copy(known, at, once, 0)
                add_product(known, at, two, part, led_to, 0)
            else:
                add_scaled(two, part, 1.0, at_least, hp * LANES)
                multiply(two, part, led_to, 0)
                copy(known, at, two, part)
        for lane in range(min(LANES, len(items.rows) - start)):
            for i in range(items.first[start + lane], items.first[start + lane + 1]):
                found[i] = np.inf if stuck[lane] else known[(items.heights[i] - 1) * LANES + lane]


@inner
def set_stays(lanes: Lanes, activation: float, stays: NDArray[np.float64]) -> None:
    """Fill in the chance that an attempt does no damage."""
    for lane in range(LANES):
        stays[lane] = 1.0 - activation * (1.0 - lanes.nothing[lane])


@inner
def set_harms(
    lanes: Lanes, activation: float, harms: NDArray[np.float64], given: NDArray[np.float64]
) -> None:
    """Fill in the chance that an attempt harms, and by how much that is more likely of one that does."""
    for lane in range(LANES):
        harmful = 1.0 - lanes.nothing[lane]
        harms[lane] = activation * harmful
        given[lane] = 1.0 / harmful if harmful > 0.0 else 0.0


class Trials(NamedTuple):
    """Of n attempts exactly j that harm, for one j: numbers by n in lanes, and those of the next j."""

    now: NDArray[np.float64]
    later: NDArray[np.float64]


@inner
def no_harm(stays: NDArray[np.float64], most: int, trials: Trials) -> None:
    """Fill in the chances that none of n attempts harms, n up to the most."""
    set_part(trials.now, 0, LANES, 1.0)
    for n in range(1, most + 1):
        copy(trials.now, n * LANES, trials.now, (n - 1) * LANES)
        multiply(trials.now, n * LANES, stays, 0)


@inner
def one_more_harm(
    stays: NDArray[np.float64], harms: NDArray[np.float64], most: int, trials: Trials
) -> Trials:
    """The chances of one more attempt that harms."""
    now = trials.now
    later = trials.later
    set_part(later, 0, LANES, 0.0)
    for n in range(1, most + 1):
        at = n * LANES
        copy(later, at, later, at - LANES)
        multiply(later, at, stays, 0)
        add_product(later, at, now, at - LANES, harms, 0)
    return Trials(later, now)


class Standing(NamedTuple):
    """Who stands, the first HP that is asked of each of eight rows, then the second, and so on; in lanes."""

    most: int
    sums: NDArray[np.float64]  # by damage
    chances: NDArray[np.float64]
    lasts: NDArray[np.float64]  # in each the chance to last m attempts, by m


@inner
def standing_for(items: Items, most: int) -> Standing:
    """Memory for what is asked, for so many attempts."""
    ranks = (items.first[1:] - items.first[:-1]).max()
    size = (items.heights.max() + 1) * LANES
    return Standing(most, np.zeros(size), np.zeros(ranks * LANES), np.zeros(ranks * (most + 1) * LANES))


@inner
def stands_after(damage: NDArray[np.float64], height: int, items: Items, start: int, who: Standing) -> bool:
    """Fill in the chances that so much damage leaves somebody standing; whether there are any.

    What is left of somebody who is down would depend on who goes beside it: below `NEVER` it is none.
    """
    sums = who.sums
    copy(sums, 0, damage, 0)
    for done in range(1, height):
        at = done * LANES
        copy(sums, at, sums, at - LANES)
        add_scaled(sums, at, 1.0, damage, at)
    some = False
    set_all(who.chances, 0.0)
    for lane in range(min(LANES, len(items.rows) - start)):
        first = items.first[start + lane]
        for rank in range(items.first[start + lane + 1] - first):
            chance = sums[(items.heights[first + rank] - 1) * LANES + lane]
            if chance >= NEVER:
                who.chances[rank * LANES + lane] = chance
                some = True
    return some


@inner
def add_standing(trials: Trials, later: int, who: Standing) -> None:
    """Add to the chances to last m attempts those to stand, times the chances of m less so many trials."""
    size = who.most + 1
    for rank in range(len(who.chances) // LANES):
        at = (rank * size + later) * LANES
        add_products(who.lasts, at, who.chances, rank * LANES, trials.now, 0, size - later)


@inner
def tell_standing(items: Items, start: int, who: Standing, lasts: NDArray[np.float64]) -> None:
    """Hand out what was added up for these eight rows."""
    size = who.most + 1
    for lane in range(min(LANES, len(items.rows) - start)):
        first = items.first[start + lane]
        for rank in range(items.first[start + lane + 1] - first):
            for m in range(size):
                lasts[first + rank, m] = who.lasts[(rank * size + m) * LANES + lane]
    set_all(who.lasts, 0.0)


@njit(cache=True, nogil=True)
def lasting_attempts(damages: Damages, items: Items, activation: float, lasts: NDArray[np.float64]) -> None:
    """By item P(K > m) for each m that there is a column for."""
    lanes = lanes_for(items)
    chances = lanes.chances
    most = lasts.shape[1] - 1
    damage = np.zeros(len(chances))
    trials = Trials(np.zeros((most + 1) * LANES), np.zeros((most + 1) * LANES))
    two = np.zeros(2 * LANES)
    stays = np.zeros(LANES)
    harms = np.zeros(LANES)
    given = np.zeros(LANES)
    who = standing_for(items, most)
    for start in range(0, len(items.rows), LANES):
        low, high, height = fill_lanes(damages, items, start, lanes)
        set_stays(lanes, activation, stays)
        set_harms(lanes, activation, harms, given)
        no_harm(stays, most, trials)
        set_part(damage, 0, height * LANES, 0.0)
        set_part(damage, 0, LANES, 1.0)
        harmed = 0
        while stands_after(damage, height, items, start, who):
            add_standing(trials, 0, who)
            if harmed == most:
                break
            # So many attacks that harm do so much at least.
            least = harmed * max(low, 1)
            harmed += 1
            trials = one_more_harm(stays, harms, most, trials)
            convolve(chances, low, high, damage, least, height, damage, two)
            for done in range(height):
                multiply(damage, done * LANES, given, 0)
        tell_standing(items, start, who, lasts)
