"""Distributions of attacks and heals, as plain arrays of probabilities."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.armitage.rules.model import Criticals, Dice, Strike


@lru_cache(maxsize=64)
def sums(dice: int, sides: int) -> NDArray[np.float64]:
    """The chance of each sum; the index is the sum."""
    one = np.concatenate([[0.0], np.full(sides, 1 / sides)])
    total = np.ones(1)
    for _ in range(dice):
        total = np.convolve(total, one)
    total.setflags(write=False)
    return total


@lru_cache(maxsize=16)
def attack_rolls(dice: int, sides: int) -> NDArray[np.float64]:
    """The chance of each sum (second index) with nothing, two or at least three alike (first index)."""
    faces = np.indices((sides,) * dice).reshape(dice, -1).T + 1
    ordered = np.sort(faces, axis=1)
    # The longest run of equal neighbours, once the dice are in order.
    run, longest = np.ones(len(faces), np.int64), np.ones(len(faces), np.int64)
    for i in range(1, dice):
        run = np.where(ordered[:, i] == ordered[:, i - 1], run + 1, 1)
        longest = np.maximum(longest, run)
    chances = np.zeros((3, dice * sides + 1))
    np.add.at(chances, (np.minimum(longest, 3) - 1, faces.sum(axis=1)), 1 / len(faces))
    chances.setflags(write=False)
    return chances


def strike_outcomes(
    dice: Dice, criticals: Criticals, strike: Strike, eva: int, res: int
) -> tuple[NDArray[np.float64], float, float]:
    """The chances of a miss and of each damage, the chance of a hit, and the mean damage.

    Index 0 is a miss, index 1 + d a hit for d.
    """
    bonus = strike.damage
    needed = max(0, eva - strike.to_hit)
    damage_roll = sums(dice.damage, dice.sides)
    crits = (0, criticals.two_alike, criticals.three_alike)
    most = max(0, dice.damage * dice.sides + bonus) + max(crits)
    outcomes = np.zeros(most + 2)
    by_alike = attack_rolls(dice.attack, dice.sides)[:, needed:].sum(axis=1)
    for chance, more in zip(by_alike, crits, strict=True):
        for roll in range(dice.damage, len(damage_roll)):
            outcomes[1 + max(0, roll + bonus - res) + more] += chance * damage_roll[roll]
    hit = float(by_alike.sum())
    outcomes[0] = max(0.0, 1 - hit)
    return outcomes, hit, float(outcomes[1:] @ np.arange(most + 1))
