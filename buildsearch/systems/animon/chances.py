"""Chances that all builds share: dice at a net boost, and attack dice against dodge dice."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.fixed_order import product
from buildsearch.systems.animon.rules.model import MOST_DICE, MOST_NET, Rolling

Floats = NDArray[np.float64]
# Dodge, initiative and heart dice: 20 at most, a quality and improvements.
DODGE_DICE = 24
NETS = 2 * MOST_NET + 1


class Tables(NamedTuple):
    """`successes[dice, net, number]`, `margins[dice, net, dodge dice, net, margin]`."""

    successes: Floats
    margins: Floats


def tables_of(dice: Rolling) -> Tables:
    """The tables of a kind of dice."""
    return _tables(dice.sides, dice.success)


@lru_cache(maxsize=16)
def _tables(sides: int, success: int) -> Tables:
    most, nets = MOST_NET, NETS
    faces = [min(sides, max(0, sides + 1 - success + net)) for net in range(-most, most + 1)]
    successes = np.zeros((MOST_DICE + 1, nets, MOST_DICE + 1))
    for number in range(MOST_DICE + 1):
        for net, good in enumerate(faces):
            for hits in range(number + 1):
                ways = comb(number, hits) * good**hits * (sides - good) ** (number - hits)
                successes[number, net, hits] = ways / sides**number
    # margins[a, b, d]: sums along the diagonals of products, for all dice and nets at once.
    margins = np.zeros((MOST_DICE + 1, nets, DODGE_DICE + 1, nets, MOST_DICE + 1))
    theirs = successes[: DODGE_DICE + 1]
    for margin in range(1, MOST_DICE + 1):
        ours = successes[:, :, margin:]
        width = min(ours.shape[2], DODGE_DICE + 1)
        sums = product(ours[..., :width].reshape(-1, width), theirs[..., :width].reshape(-1, width).T)
        margins[..., margin] = sums.reshape(margins.shape[:-1])
    margins[..., 0] = np.clip(1.0 - margins[..., 1:].sum(axis=-1), 0.0, 1.0)
    # Without dice nothing is hit; rounding must not say otherwise.
    margins[0] = 0.0
    margins[0, ..., 0] = 1.0
    for array in (successes, margins):
        array.setflags(write=False)
    return Tables(successes, margins)
