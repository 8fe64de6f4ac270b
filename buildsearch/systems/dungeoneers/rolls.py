"""Chances of every roll as tables: dice against dice, and dice against a number."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.fixed_order import convolved, product
from buildsearch.systems.dungeoneers.rules.model import (
    DICE,
    MOST_EXTRA_DICE,
    MOST_OF_A_PIECE,
    MOST_SCORE,
    MOST_VALUE,
)

SIDES = tuple(int(die[1:]) for die in DICE)
# Dice of either side of a contest: scores with what is bought, given by armour or by defending.
MOST_DICE = MOST_SCORE + MOST_EXTRA_DICE + 10
# Numbers to reach: AV with magic armour. As many dice always reach it.
HIGHEST = MOST_VALUE + MOST_OF_A_PIECE
PIERCE_DICE = HIGHEST + 1


class Rolls(NamedTuple):
    """`beats[die, dice, die, dice]`: at least as high; `reaches[die, dice, over, number]`: at least that."""

    beats: NDArray[np.float64]
    reaches: NDArray[np.float64]


@lru_cache(maxsize=16)
def rolls(over_die: int) -> Rolls:
    """All of them; a die with so many sides is added for who is over. What is certain is exactly 1 or 0."""
    chances = np.zeros((len(SIDES), MOST_DICE + 1, max(SIDES) * MOST_DICE + 1))
    reaches = np.zeros((len(SIDES), PIERCE_DICE + 1, 2, HIGHEST + 1))
    for i, sides in enumerate(SIDES):
        for dice, total in enumerate(_sums(sides, PIERCE_DICE)):
            if dice <= MOST_DICE:
                chances[i, dice, : len(total)] = total
            for over, found in enumerate((total, convolved(total, _sums(over_die, 1)[1]))):
                end = min(HIGHEST, dice * sides + over * over_die) + 1
                reaches[i, dice, over, :end] = np.cumsum(found[::-1])[::-1][:end]
                reaches[i, dice, over, : dice + over + 1] = 1.0
    flat = chances.reshape(-1, chances.shape[2])
    beats = product(flat, np.cumsum(flat, axis=1).T).reshape(*chances.shape[:2], *chances.shape[:2])
    least = np.broadcast_to(np.arange(MOST_DICE + 1), chances.shape[:2])
    most = np.array(SIDES)[:, None] * least
    beats[least[:, :, None, None] >= most] = 1.0
    beats[most[:, :, None, None] < least] = 0.0
    return Rolls(np.clip(beats, 0.0, 1.0), np.clip(reaches, 0.0, 1.0))


def _sums(sides: int, most: int) -> list[NDArray[np.float64]]:
    """The chances of each total of 0, 1, .. dice."""
    die = np.full(sides + 1, 1.0 / sides)
    die[0] = 0.0
    found = [np.ones(1)]
    for _ in range(most):
        found.append(convolved(found[-1], die))
    return found
