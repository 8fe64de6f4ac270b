"""What greedy play expects of a roll, by adding up faces: apart from the tables of the other engines."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

Dice = tuple[tuple[int, int], ...]  # (number, sides)


@lru_cache(maxsize=4096)
def totals(dice: Dice) -> dict[int, Fraction]:
    """The chance of each total."""
    found = {0: Fraction(1)}
    for number, sides in dice:
        for _ in range(max(0, number)):
            after: dict[int, Fraction] = {}
            for total, chance in found.items():
                for face in range(1, sides + 1):
                    after[total + face] = after.get(total + face, Fraction(0)) + chance / sides
            found = after
    return found


@lru_cache(maxsize=4096)
def contest(ours: Dice, theirs: Dice) -> Fraction:
    """The chance that the first total is at least the second."""
    return sum((chance * reach(ours, total) for total, chance in totals(theirs).items()), Fraction(0))


@lru_cache(maxsize=4096)
def reach(dice: Dice, number: int) -> Fraction:
    """The chance that the total is at least a number."""
    return sum((chance for total, chance in totals(dice).items() if total >= number), Fraction(0))
