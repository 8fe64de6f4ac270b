"""Rounds of an attack and some basic attacks: who stands after how many of both, eight rows side by side.

Damages add up in any order, so what an enemy has taken after so many turns is that of so many attacks and so
many basic attacks. With p(d) the damage of an attack, F that of a round, A_r that of r whole rounds and one
more attack, and Q_m(h) the chance that m basic attacks do less than h

    A_0 = p,  A_(r+1) = F * A_r,  P(h HP last r rounds, an attack and m basic attacks) = sum over d of
    A_r(d) Q_m(h - d)

Basic attacks are the same for everybody, so Q_m and the basic attacks of a round are worked out once. Summed
over r with growth^r

    A(d) (1 - growth F(0)) = p(d) + growth * sum over 0 < x <= d of F(x) A(d - x)
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all, set_part
from buildsearch.systems.vitality.exact.batch.lanes.attempts import (
    NEVER,
    Items,
    Lanes,
    fill_lanes,
    lanes_for,
    tops_of,
)
from buildsearch.systems.vitality.exact.batch.lanes.spreading import (
    add_damage_of_one,
    convolve,
    odd_end,
    sum_two,
)
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


class Basics(NamedTuple):
    """Basic attacks against one kind of enemy."""

    # By damage the chance of it in all of a round.
    in_round: NDArray[np.float64]
    # By number of them and HP the chance that they do less.
    do_less: NDArray[np.float64]


class _Rounds(NamedTuple):
    """Of eight rows by damage in lanes what a round does."""

    chances: NDArray[np.float64]
    # Basic attacks of a round, and by number and HP what they leave standing: the same in every lane.
    basic: NDArray[np.float64]
    do_less: NDArray[np.float64]
    two: NDArray[np.float64]


@inner
def _rounds_for(basics: Basics, tops: NDArray[np.int64]) -> _Rounds:
    height = tops[-1]
    # With a place more than there are damages, as `spreading` wants it.
    basic = np.zeros((height + 1) * LANES)
    for damage in range(height):
        set_part(basic, damage * LANES, (damage + 1) * LANES, basics.in_round[damage])
    numbers = len(basics.do_less)
    do_less = np.zeros(numbers * (height + 1) * LANES)
    for number in range(numbers):
        for hp in range(height + 1):
            at = (number * (height + 1) + hp) * LANES
            set_part(do_less, at, at + LANES, basics.do_less[number, hp])
    return _Rounds(np.zeros((height + 1) * LANES), basic, do_less, np.zeros(2 * LANES))


@inner
def _fill_rounds(lanes: Lanes, low: int, high: int, height: int, rounds: _Rounds) -> None:
    """What a round of these eight rows does."""
    convolve(lanes.chances, low, high, rounds.basic, 0, height, rounds.chances, rounds.two)
    for damage in range(height):
        add_product(rounds.chances, damage * LANES, lanes.nothing, 0, rounds.basic, damage * LANES)
    set_part(rounds.chances, height * LANES, (height + 1) * LANES, 0.0)


@inner
def _read(
    damage: NDArray[np.float64], number: int, top: int, most: int, rounds: _Rounds, total: NDArray[np.float64]
) -> None:
    """The chances that so much damage and then so many basic attacks leave these HP standing."""
    dot_pairs_down(total, 0, damage, 0, rounds.do_less, (number * (most + 1) + top) * LANES, top)


@inner
def _tell(total: NDArray[np.float64], items: Items, start: int, top: int, found: NDArray[np.float64]) -> None:
    """Hand out by item what was read for these HP; the rest stays as it is."""
    for lane in range(min(LANES, len(items.rows) - start)):
        for i in range(items.first[start + lane], items.first[start + lane + 1]):
            if items.heights[i] == top:
                found[i] = total[lane]


@inner
def _fill_attack(lanes: Lanes, high: int, height: int, damage: NDArray[np.float64]) -> None:
    """What one attack of these eight rows does, and what it does not do."""
    filled = min(high + 1, height) * LANES
    for i in range(filled):
        damage[i] = lanes.chances[i]
    set_part(damage, filled, height * LANES, 0.0)
    copy(damage, 0, lanes.nothing, 0)


@njit(cache=True, nogil=True)
def stand_in_all(
    damages: Damages, items: Items, basics: Basics, growth: float, found: NDArray[np.float64]
) -> None:
    """By item and number of basic attacks the sum over rounds; infinite where there is no such number."""
    lanes = lanes_for(items)
    tops = tops_of(items)
    rounds = _rounds_for(basics, tops)
    damage = np.zeros((tops[-1] + 1) * LANES)
    total = np.zeros(LANES)
    leaves = np.zeros(LANES)
    stuck = np.zeros(LANES, np.bool_)
    for start in range(0, len(items.rows), LANES):
        low, high, height = fill_lanes(damages, items, start, lanes)
        _fill_rounds(lanes, low, high, height, rounds)
        for lane in range(LANES):
            rest = 1.0 - growth * rounds.chances[lane]
            stuck[lane] = rest < STUCK
            leaves[lane] = 1.0 / (1.0 if stuck[lane] else rest)
        _fill_attack(lanes, high, height, damage)
        high = odd_end(height)
        set_all(rounds.two, 0.0)
        for done in range(height):
            at = done * LANES
            # What has been done is as an HP that is to be lost, and one more.
            part = (done + 1) % 2 * LANES
            if part == 0:
                sum_two(rounds.chances, 0, 0, high, damage, at, done + 1, rounds.two, 0)
            add_damage_of_one(rounds.chances, 0, 0, high, damage, at, done + 1, rounds.two, part)
            add_scaled(damage, at, growth, rounds.two, part)
            multiply(damage, at, leaves, 0)
        for top in tops:
            if top > height:
                break
            for number in range(found.shape[1]):
                _read(damage, number, top, tops[-1], rounds, total)
                for lane in range(LANES):
                    if stuck[lane]:
                        total[lane] = np.inf
                _tell(total, items, start, top, found[:, number])


@njit(cache=True, nogil=True)
def stand_by_round(damages: Damages, items: Items, basics: Basics, found: NDArray[np.float64]) -> None:
    """By item, round and number of basic attacks; all 0 are given."""
    lanes = lanes_for(items)
    tops = tops_of(items)
    rounds = _rounds_for(basics, tops)
    damage = np.zeros((tops[-1] + 1) * LANES)
    total = np.zeros(LANES)
    for start in range(0, len(items.rows), LANES):
        low, high, height = fill_lanes(damages, items, start, lanes)
        _fill_rounds(lanes, low, high, height, rounds)
        _fill_attack(lanes, high, height, damage)
        for number in range(found.shape[1]):
            some = False
            for top in tops:
                if top > height:
                    break
                for basic in range(found.shape[2]):
                    _read(damage, basic, top, tops[-1], rounds, total)
                    for lane in range(LANES):
                        # What is left of who is down would depend on who goes beside it.
                        if total[lane] < NEVER:
                            total[lane] = 0.0
                        else:
                            some = True
                    _tell(total, items, start, top, found[:, number, basic])
            if not some:
                break
            convolve(rounds.chances, 0, odd_end(height), damage, 0, height, damage, rounds.two)
