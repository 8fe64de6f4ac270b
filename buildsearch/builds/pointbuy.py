"""Point-buy: steps bought at a cost each, up to a maximum each, from a number of points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.masks import whole_number, whole_numbers
from buildsearch.builds.multisets import (
    BoundedLines,
    count_lines,
    legal_lines,
    lines_at,
    row_of,
)
from buildsearch.model.arrays import Ints


@dataclass(frozen=True)
class PointBuy:
    """Lines of steps: each place has a cost a step and a maximum; `spend_all` leaves no point unspent."""

    costs: tuple[int, ...]
    maxima: tuple[int, ...]
    points: int
    spend_all: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "costs", whole_numbers(self.costs, "The cost of place"))
        object.__setattr__(self, "maxima", whole_numbers(self.maxima, "The maximum of place"))
        object.__setattr__(self, "points", whole_number(self.points, "The number of points"))
        if len(self.costs) != len(self.maxima):
            raise ValueError(f"There are {len(self.costs)} costs but {len(self.maxima)} maxima.")


def count_point_buys(problem: PointBuy) -> int:
    return count_lines(_lines(problem))


def point_buys(problem: PointBuy) -> Ints:
    """Give all lines (m, places) in lexicographic order."""
    return lines_at(_lines(problem), np.arange(count_point_buys(problem), dtype=np.int64))


def point_buy_trades(problem: PointBuy, line: NDArray[Any]) -> Ints:
    """Give the legal lines at one trade: a place up or down, or the least equal sums from one to another.

    Of two places at costs 2 and 3, three steps are traded for two; so what is spent stays spent, and lines
    reach one another through places of any cost. Trades are mutual. Places that cost nothing only go up or
    down.
    """
    places = len(problem.costs)
    unit = np.eye(places, dtype=np.int64)
    moves = [*unit, *-unit]
    for lowered, raised in zip(*np.nonzero(1 - unit), strict=True):
        down, up = problem.costs[lowered], problem.costs[raised]
        if down and up:
            both = math.lcm(down, up)
            moves.append(unit[raised] * (both // up) - unit[lowered] * (both // down))
    rows = row_of(line, places) + np.array(moves, dtype=np.int64).reshape(-1, places)
    return rows[legal_lines(_lines(problem), rows)]


def _lines(problem: PointBuy) -> BoundedLines:
    return BoundedLines(problem.costs, problem.maxima, problem.points, problem.spend_all)
