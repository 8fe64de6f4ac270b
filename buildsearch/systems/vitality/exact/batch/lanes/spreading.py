"""Sums over damage, two neighbouring HP at a time: numbers by HP and chances by damage, both in lanes.

Rows of damage start at an even one (`low`) and end at an odd one (`high`), so that products come in pairs.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"
# ruff: noqa: PLR0917 - rows and numbers lie somewhere in flat arrays

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_scaled,
    copy,
    dot_pairs_up,
    two_dots_down,
    two_dots_up,
)


@inner
def odd_end(size: int) -> int:
    """Where a row of so many damages ends; if that is one more, it has to be 0."""
    return size - 1 + size % 2


@inner
def add_left(
    chances: NDArray[np.float64], row: int, low: int, high: int, source: NDArray[np.float64], at: int,
    lowest: int, max_hp: int, target: NDArray[np.float64], to: int, first: int, two: NDArray[np.float64],
) -> None:  # fmt: skip
    """Add to the HP from the first on those whom damage leaves there: h HP of `source` lie h behind `at`.

    `lowest`: nobody has fewer HP.
    """
    # The first of two is at an even distance from the most HP. Damage of 0 is none.
    for hp in range(first - (max_hp - first) % 2, max_hp, 2):
        least = max(low, lowest - hp - 1)
        least -= least % 2
        more = 1 if max_hp - hp < high else 0
        pairs = (min(high + 1, max_hp - hp) - least) // 2
        if pairs + more <= 0:
            continue
        there = at + (hp + least) * LANES
        if hp < first:
            dot_pairs_up(two, LANES, chances, row + least * LANES, source, there + LANES, 2 * pairs)
        else:
            two_dots_up(two, 0, chances, row + least * LANES, source, there, pairs, more)
            add_scaled(target, to + hp * LANES, 1.0, two, 0)
        add_scaled(target, to + (hp + 1) * LANES, 1.0, two, LANES)


@inner
def convolve(
    chances: NDArray[np.float64], low: int, high: int, source: NDArray[np.float64], least: int, size: int,
    target: NDArray[np.float64], two: NDArray[np.float64],
) -> None:  # fmt: skip
    """Sums of damage below a size, from the highest to the lowest: `target` may be `source`.

    `source` has nothing below the least. There is a place for a number more than the size says.
    """
    top = size - 1 - (size - least) % 2
    for done in range(top, -2, -2):
        more = 1 if done + 1 - least <= high else 0
        pairs = (min(high, done - least) + 1 - low) // 2
        at = (done - low) * LANES
        if pairs < 0:
            pairs = 0
            more = 0
        two_dots_down(two, 0, chances, low * LANES, source, at, pairs, more)
        if done >= 0:
            copy(target, done * LANES, two, 0)
        copy(target, (done + 1) * LANES, two, LANES)


@inner
def sum_two(
    chances: NDArray[np.float64], row: int, low: int, high: int, known: NDArray[np.float64], at: int,
    left: int, two: NDArray[np.float64], to: int,
) -> None:  # fmt: skip
    """What damage of 2 or more leads to that leaves somebody standing, two neighbouring HP at a time.

    `left`: an even number of HP that are to be lost, and one more. `at`: where the first number is to be.
    """
    first = max(low, 2)
    pairs = (min(high + 1, left) - first) // 2
    more = 1 if pairs >= 0 and left <= high else 0
    two_dots_down(two, to, chances, row + first * LANES, known, at - first * LANES, max(pairs, 0), more)


@inner
def add_damage_of_one(
    chances: NDArray[np.float64], row: int, low: int, high: int, known: NDArray[np.float64], at: int,
    left: int, two: NDArray[np.float64], to: int,
) -> None:  # fmt: skip
    """Add what damage of 1 leads to, of so many HP that are to be lost, to one of two sums."""
    if low < 2 and left > 1:
        add_product(two, to, chances, row + LANES, known, at - LANES)
