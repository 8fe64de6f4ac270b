"""Lines of bounded whole numbers with a weighted sum: what multisets and point-buy have in common.

A line x has 0 <= x[j] <= maxima[j], and its cost, the sum of costs[j] * x[j], equals the points (`exact`) or
does not exceed them. Counting, sampling and listing all read one table of ways, by dynamic programming.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds._checks import whole_number

_INT64_MAX = int(np.iinfo(np.int64).max)


class BoundedLines(NamedTuple):
    """The set of lines; hashable, so that its table is made once."""

    costs: tuple[int, ...]
    maxima: tuple[int, ...]
    points: int
    exact: bool


def count_lines(lines: BoundedLines) -> int:
    """Count the lines, exactly, whatever their number."""
    return int(_ways(lines)[0, lines.points])


def lines_at(lines: BoundedLines, ranks: NDArray[Any]) -> NDArray[np.int64]:
    """Give the lines at these places of the lexicographic order, as an array (m, kinds)."""
    ways = _ways(lines)
    ranks = ranks.astype(ways.dtype)
    rest = np.full(ranks.size, lines.points, dtype=np.int64)
    out = np.zeros((ranks.size, len(lines.costs)), dtype=np.int64)
    for place, cost in enumerate(lines.costs):
        rising = np.ones(ranks.size, dtype=np.bool_)
        # A number rises past its value while the place in the order lies beyond all lines with that value.
        # A line at that place exists, so the rest can pay for each rise.
        while rising.any():
            passed = ways[place + 1, rest]
            rising &= ranks >= passed
            ranks -= np.where(rising, passed, 0)
            rest -= cost * rising
            out[:, place] += rising
    return out


def sample_lines(lines: BoundedLines, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw lines with replacement, all equally likely, as an array (size, kinds)."""
    size = whole_number(size, "The sample size")
    total = count_lines(lines)
    if total == 0 and size:
        raise ValueError("There is no legal line to draw from.")
    if total <= _INT64_MAX:
        ranks: NDArray[Any] = rng.integers(max(total, 1), size=size)
    else:
        ranks = np.array([_large_rank(total, rng) for _ in range(size)], dtype=np.object_)
    return lines_at(lines, ranks)


def legal_lines(lines: BoundedLines, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell for each row (m, kinds) whether it is one of the lines."""
    spent = rows @ np.array(lines.costs, dtype=np.int64)
    within = np.all((rows >= 0) & (rows <= np.array(lines.maxima, dtype=np.int64)), axis=1)
    paid = spent == lines.points if lines.exact else spent <= lines.points
    return np.asarray(within & paid, dtype=np.bool_)


def transfers(kinds: int) -> NDArray[np.int64]:
    """Give the moves (m, kinds) that lower one number and raise another, by the lowered, then the raised."""
    unit = np.eye(kinds, dtype=np.int64)
    lowered, raised = np.nonzero(1 - unit)
    return unit[raised] - unit[lowered]


def row_of(values: NDArray[Any], kinds: int) -> NDArray[np.int64]:
    """Check one line from outside and give it as int64, so that a step below zero cannot wrap."""
    if values.shape != (kinds,) or not np.issubdtype(values.dtype, np.integer):
        raise ValueError(
            f"A line must be {kinds} whole numbers, not an array of {values.dtype} with shape {values.shape}."
        )
    return values.astype(np.int64)


@lru_cache(maxsize=32)
def _ways(lines: BoundedLines) -> NDArray[Any]:
    """Give the table (kinds + 1, points + 1): ways to fill from a place on with so many points."""
    row = [int(rest == 0 or not lines.exact) for rest in range(lines.points + 1)]
    table = [row]
    for cost, maximum in zip(reversed(lines.costs), reversed(lines.maxima), strict=True):
        if cost == 0:
            row = [(maximum + 1) * ways for ways in row]
        else:
            row = [
                sum(row[rest - cost * taken] for taken in range(min(maximum, rest // cost) + 1))
                for rest in range(lines.points + 1)
            ]
        table.append(row)
    # Python integers where 64 bits do not suffice; NumPy runs the same code on them, only slower.
    fits = max(map(max, table)) <= _INT64_MAX
    ways = np.array(table[::-1], dtype=np.int64 if fits else np.object_)
    ways.setflags(write=False)
    return ways


def _large_rank(total: int, rng: np.random.Generator) -> int:
    """Draw below a number beyond 64 bits: as many random bits as it has, again until they are below it."""
    bits = total.bit_length()
    size = -(-bits // 8)
    while True:
        rank = int.from_bytes(rng.bytes(size), "little") >> (8 * size - bits)
        if rank < total:
            return rank
