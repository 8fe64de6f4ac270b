"""Dice that explode."""

from __future__ import annotations

from buildsearch.evaluate.randomness import Dice


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
