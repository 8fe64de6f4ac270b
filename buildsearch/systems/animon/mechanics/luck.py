"""Chance, for engines that sample and for those that go through everything.

`luck` is the state of a generator; `tally` keeps what chance brought: the gauge, and for those who go through
everything which outcomes of heart tests are looked at (bits of a number) and how likely they are.
"""

from __future__ import annotations

import numpy as np

from buildsearch.engines.jit import step_without_refcounts
from buildsearch.evaluate.randomness import next_word
from buildsearch.systems.animon.mechanics.layout import F_HEART, IS_PC, SIDES, SUCCESS, Floats, Ints, Words
from buildsearch.systems.animon.mechanics.plans import form_at, success_at, unit_at

GAUGE, LIKELY, TESTS, FATE, TALLY = range(5)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_DICE_A_HALF = 3  # from 32 bits: what is left of them is uniform but for one part in ten million


@step_without_refcounts
def _next(luck: Words) -> np.uint64:
    """64 random bits; `luck` moves on."""
    word, luck[0], luck[1], luck[2], luck[3] = next_word(luck[0], luck[1], luck[2], luck[3])
    return word


@step_without_refcounts
def roll(luck: Words, number: int, sides: int, needed: int) -> tuple[int, int]:
    """So many dice: how many are at least `needed`, and how many show the highest face."""
    hits, highest, left = 0, 0, 0
    wide = np.uint64(sides)
    part = np.uint64(0)
    rest = np.uint64(0)
    for _ in range(number):
        if left == 0:
            word = _next(luck)
            part, rest = word >> _HALF, word & _LOW
            left = 2 * _DICE_A_HALF
        elif left == _DICE_A_HALF:
            part = rest
        left -= 1
        wider = part * wide
        face = np.int64(wider >> _HALF) + 1
        part = wider & _LOW
        if face >= needed:
            hits += 1
        if face == sides:
            highest += 1
    return hits, highest


@step_without_refcounts
def clamp(value: int, most: int) -> int:
    """Between minus and plus the most."""
    return min(most, max(-most, value))


@step_without_refcounts
def heart_test(
    plan: Ints, odds: Floats, unit: int, form: int, needed: int, luck: Words, tally: Floats, sampled: bool
) -> bool:
    """Heart dice without modifiers. Every highest face of a player's animon counts for the gauge."""
    dice = form_at(plan, unit, form, F_HEART)
    if sampled:
        hits, highest = roll(luck, dice, plan[SIDES], plan[SUCCESS])
        if unit_at(plan, unit, IS_PC):
            tally[GAUGE] += highest
        return hits >= needed
    if unit_at(plan, unit, IS_PC):
        tally[GAUGE] += dice / plan[SIDES]
    chance = 0.0
    for hits in range(needed, dice + 1):
        chance += success_at(odds, dice, 0, hits)
    passed = (np.int64(tally[FATE]) >> np.int64(tally[TESTS])) & 1 == 1
    tally[TESTS] += 1.0
    tally[LIKELY] *= chance if passed else 1.0 - chance
    return passed
