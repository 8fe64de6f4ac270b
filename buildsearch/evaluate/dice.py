"""Where references get their rolls: anything with a `roll`, so that tests can script or enumerate it."""

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
