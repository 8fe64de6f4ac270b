"""Probabilities of single rolls, by going through every face. Fractions: nothing is rounded."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.armitage.rules.model import ArmitageRules, Criticals, Dice, Strike

Chances = dict[int, Fraction]
Table = NDArray[np.float64]


def sum_chances(dice: int, sides: int) -> Chances:
    """The chance of each sum of dice."""
    return _over_faces(dice, sides, 0)


def alike_chances(dice: int, sides: int) -> Chances:
    """The chance that so many dice, and no more, show the same value; 1 means all different."""
    return _over_faces(dice, sides, 1)


def hit_chance(rules: ArmitageRules, strike: Strike, eva: int) -> Fraction:
    """Text, Attack Resolution: the attack roll meets or exceeds EVA."""
    dice = rules.dice
    return sum(_hits(dice.attack, dice.sides, rules.criticals, eva - strike.to_hit).values(), Fraction(0))


def damage_chances(rules: ArmitageRules, strike: Strike, eva: int, res: int) -> dict[int | None, Fraction]:
    """The chance of each damage of one attack; None is a miss. `res` is 0 where RES has expired."""
    found: dict[int | None, Fraction] = {}
    dice = rules.dice
    for bonus, chance in _hits(dice.attack, dice.sides, rules.criticals, eva - strike.to_hit).items():
        for roll, damage_chance in sum_chances(dice.damage, dice.sides).items():
            damage = max(0, roll + strike.damage - res) + bonus
            found[damage] = found.get(damage, Fraction(0)) + chance * damage_chance
    found[None] = 1 - sum(found.values(), Fraction(0))
    return found


def sum_table(dice: int, sides: int) -> Table:
    """The chance of each sum; the index is the sum."""
    found = np.zeros(dice * sides + 1)
    for total, chance in sum_chances(dice, sides).items():
        found[total] = chance
    return found


def damage_table(dice: Dice, criticals: Criticals, strike: Strike, eva: int, res: int) -> Table:
    """The chances of `damage_chances` as an array: a miss, then damage 0, 1, .."""
    rolls = sum_table(dice.damage, dice.sides)
    found = np.zeros(2 + max(0, len(rolls) - 1 + strike.damage) + max(0, *criticals.model_dump().values()))
    damages = 1 + np.maximum(0, np.arange(len(rolls)) + strike.damage - res)
    hits = _hits(dice.attack, dice.sides, criticals, eva - strike.to_hit)
    for bonus, chance in hits.items():
        np.add.at(found, damages + bonus, float(chance) * rolls)
    found[0] = 1 - sum(hits.values(), Fraction(0))
    return found


@lru_cache(maxsize=1024)
def _hits(dice: int, sides: int, criticals: Criticals, needed: int) -> Chances:
    """The chance of a hit with each bonus that a critical adds. Text, Critical Rolls: three, exactly two."""
    found: Chances = {}
    one = Fraction(1, sides**dice)
    for (total, alike), number in _faces(dice, sides).items():
        if total >= needed:
            bonus = criticals.three_alike if alike >= 3 else criticals.two_alike if alike == 2 else 0
            found[bonus] = found.get(bonus, Fraction(0)) + number * one
    return found


@lru_cache(maxsize=64)
def _faces(dice: int, sides: int) -> Counter[tuple[int, int]]:
    """How many faces have each sum with so many alike."""
    return Counter(
        (sum(faces), max(Counter(faces).values())) for faces in product(range(1, sides + 1), repeat=dice)
    )


@lru_cache(maxsize=256)
def _over_faces(dice: int, sides: int, of: int) -> Chances:
    counted: Counter[int] = Counter()
    for face, number in _faces(dice, sides).items():
        counted[face[of]] += number
    return {outcome: Fraction(number, sides**dice) for outcome, number in sorted(counted.items())}
