"""Where rolls come from: anything with a `roll`, so that tests can script or enumerate it."""

from __future__ import annotations

import random
from typing import Protocol


class Dice(Protocol):
    """A source of rolls."""

    def roll(self, sides: int) -> int:
        """One die: from 1 to `sides`."""
        ...


class SeededDice:
    """Fair dice; the same seed gives the same rolls."""

    __slots__ = ("_random",)

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random  # noqa: S311 - dice, not secrets

    def roll(self, sides: int) -> int:
        """One die: from 1 to `sides`."""
        return int(self._random() * sides) + 1


def roll_exploding(dice: Dice, count: int, sides: int, explode_on: int) -> tuple[int, ...]:
    """All dice in the order in which they fall, those that explosions added included.

    Text, Key Game Mechanics; spec, An attack: each die explodes, again and again.
    """
    rolls: list[int] = []
    for _ in range(count):
        value = dice.roll(sides)
        rolls.append(value)
        while value >= explode_on:
            value = dice.roll(sides)
            rolls.append(value)
    return tuple(rolls)
