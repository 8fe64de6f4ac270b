"""Dice for fights whose course a test writes down."""

from __future__ import annotations


class ScriptedDice:
    """Gives the rolls that it was told, and complains when they do not suffice."""

    def __init__(self, *rolls):
        self.rolls = list(rolls)

    def roll(self, sides):
        value = self.rolls.pop(0)
        assert 1 <= value <= sides
        return value
