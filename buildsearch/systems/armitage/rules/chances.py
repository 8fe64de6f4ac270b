"""Probabilities of single rolls, by going through every face. Fractions: nothing is rounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product

from buildsearch.systems.armitage.rules.model import ArmitageRules, Strike

Chances = dict[int, Fraction]


def sum_chances(dice: int, sides: int) -> Chances:
    """The chance of each sum of dice."""
    return _over_faces(dice, sides, sum)


def alike_chances(dice: int, sides: int) -> Chances:
    """The chance that so many dice, and no more, show the same value; 1 means all different."""
    return _over_faces(dice, sides, lambda faces: max(Counter(faces).values()))


def hit_chance(rules: ArmitageRules, strike: Strike, eva: int) -> Fraction:
    """Text, Attack Resolution: the attack roll meets or exceeds EVA."""
    rolls = sum_chances(rules.dice.attack, rules.dice.sides)
    return sum((chance for roll, chance in rolls.items() if roll + strike.to_hit >= eva), Fraction(0))


def damage_chances(rules: ArmitageRules, strike: Strike, eva: int, res: int) -> dict[int | None, Fraction]:
    """The chance of each damage of one attack; None is a miss. `res` is 0 where RES has expired."""
    found: dict[int | None, Fraction] = {}
    for bonus, chance in _hits_by_bonus(rules, strike, eva).items():
        for roll, damage_chance in sum_chances(rules.dice.damage, rules.dice.sides).items():
            damage = max(0, roll + strike.damage - res) + bonus
            found[damage] = found.get(damage, Fraction(0)) + chance * damage_chance
    found[None] = 1 - sum(found.values(), Fraction(0))
    return found


def _hits_by_bonus(rules: ArmitageRules, strike: Strike, eva: int) -> Chances:
    """The chance of a hit with each bonus that a critical adds."""
    found: Chances = {}
    dice, one = rules.dice.attack, Fraction(1, rules.dice.sides**rules.dice.attack)
    for faces in product(range(1, rules.dice.sides + 1), repeat=dice):
        if sum(faces) + strike.to_hit >= eva:
            # Text, Critical Rolls: three alike; exactly two alike.
            alike = max(Counter(faces).values())
            crits = rules.criticals
            bonus = crits.three_alike if alike >= 3 else crits.two_alike if alike == 2 else 0
            found[bonus] = found.get(bonus, Fraction(0)) + one
    return found


@lru_cache(maxsize=64)
def _tally(dice: int, sides: int) -> tuple[tuple[int, ...], ...]:
    return tuple(product(range(1, sides + 1), repeat=dice))


def _over_faces(dice: int, sides: int, value: Callable[[tuple[int, ...]], int]) -> Chances:
    faces = _tally(dice, sides)
    return {
        outcome: Fraction(number, len(faces))
        for outcome, number in sorted(Counter(map(value, faces)).items())
    }
