"""Chances of every roll as tables: dice against dice, and dice against a number."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    """All of them; one die with so many sides is added for whoever is over its stress."""
    contests = [_sums(sides, MOST_DICE) for sides in SIDES]
    width = max(len(each) for sums in contests for each in sums)
    chances = np.zeros((len(SIDES), MOST_DICE + 1, width))
    for i, sums in enumerate(contests):
        for dice, each in enumerate(sums):
            chances[i, dice, : len(each)] = each
    at_most = np.cumsum(chances, axis=2)
    flat, below = chances.reshape(-1, width), at_most.reshape(-1, width)
    beats = (flat @ below.T).reshape(len(SIDES), MOST_DICE + 1, len(SIDES), MOST_DICE + 1)
    # What is certain is exactly 1 or 0, whatever the sums of rounded numbers say.
    numbers = np.arange(MOST_DICE + 1)
    most = np.array(SIDES)[:, None] * numbers
    least = np.broadcast_to(numbers, most.shape)
    beats[least[:, :, None, None] >= most[None, None]] = 1.0
    beats[most[:, :, None, None] < least[None, None]] = 0.0
    return Rolls(np.clip(beats, 0.0, 1.0), _reaches(over_die))


def _sums(sides: int, most: int) -> list[NDArray[np.float64]]:
    """The chances of each total of 0, 1, .. dice."""
    die = np.full(sides + 1, 1.0 / sides)
    die[0] = 0.0
    found = [np.ones(1)]
    for _ in range(most):
        found.append(np.convolve(found[-1], die))
    return found


def _reaches(over_die: int) -> NDArray[np.float64]:
    found = np.zeros((len(SIDES), PIERCE_DICE + 1, 2, HIGHEST + 1))
    extra = _sums(over_die, 1)[1]
    for i, sides in enumerate(SIDES):
        for dice, total in enumerate(_sums(sides, PIERCE_DICE)):
            for over, chances in enumerate((total, np.convolve(total, extra))):
                least, most = dice + over, dice * sides + over * over_die
                at_least = np.cumsum(chances[::-1])[::-1]
                end = min(HIGHEST, most)
                found[i, dice, over, : end + 1] = at_least[: end + 1]
                found[i, dice, over, : min(least, HIGHEST) + 1] = 1.0
    return np.clip(found, 0.0, 1.0)
