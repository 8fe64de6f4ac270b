"""Chances against plain counting."""

from __future__ import annotations

from itertools import product

import pytest

from buildsearch.kit import dice, die, yes
from buildsearch.model.errors import UsageError


def counted(number, sides, of, more=0):
    found = {}
    for faces in product(range(1, sides + 1), repeat=number):
        value = max(0, of(faces) + more)
        found[value] = found.get(value, 0.0) + sides**-number
    return found


def same(chances, found):
    assert {value: odds for value, odds in enumerate(chances.odds) if odds > 1e-15} == pytest.approx(found)


def test_sums_and_the_highest():
    same(dice("2d6+3"), counted(2, 6, sum, 3))
    same(dice("1d4-2"), counted(1, 4, sum, -2))
    same(die(8).highest(3), counted(3, 8, max))
    same(die(8).lowest(2), counted(2, 8, min))
    same(
        die(10).mapped(lambda face: int(face >= 7)).times(4), counted(4, 10, lambda f: sum(x >= 7 for x in f))
    )


def test_rerolls():
    # A 1 or a 2 is rolled again, once: each face has 1/6 of what is rolled again.
    assert dice("1d6", reroll=2).odds == pytest.approx((0, *(2 / 36,) * 2, *(8 / 36,) * 4))
    assert sum(dice("3d6", reroll=2).odds) == pytest.approx(1.0)


def test_others():
    assert yes(0.25).odds == (0.75, 0.25)
    assert (dice("1d6") - 1).mean == pytest.approx(2.5)
    assert dice("2d8").most == 16
    with pytest.raises(ValueError, match="cannot come to -1"):
        die(4).mapped(lambda face: face - 2)
    with pytest.raises(UsageError, match="does not name dice"):
        dice("2x6")
