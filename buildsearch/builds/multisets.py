"""Decks: multisets of a given size.

A line x has 0 <= x[j] <= maxima[j], and its cost, the sum of costs[j] * x[j], equals the points (`exact`) or
does not exceed them. Counting, sampling and listing all read one table of ways, by dynamic programming.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.builds.masks import filled_chunks, whole_number, whole_numbers
from buildsearch.model.arrays import Bools, Ints

_INT64_MAX = int(np.iinfo(np.int64).max)


class BoundedLines(NamedTuple):
    """The set of lines; hashable, so that its table is made once."""

    costs: tuple[int, ...]
    maxima: tuple[int, ...]
    points: int
    exact: bool


def count_lines(lines: BoundedLines) -> int:
    return int(_ways(lines)[0, lines.points])


def lines_at(lines: BoundedLines, ranks: NDArray[Any]) -> Ints:
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


def sample_lines(lines: BoundedLines, size: int, rng: np.random.Generator) -> Ints:
    size = whole_number(size, "The sample size")
    total = count_lines(lines)
    if total == 0 and size:
        raise ValueError("There is no legal line to draw from.")
    if total <= _INT64_MAX:
        ranks: NDArray[Any] = rng.integers(max(total, 1), size=size)
    else:
        ranks = np.array([_large_rank(total, rng) for _ in range(size)], dtype=np.object_)
    return lines_at(lines, ranks)


def legal_lines(lines: BoundedLines, rows: Ints) -> Bools:
    """Tell for each row (m, kinds) whether it is one of the lines."""
    spent = rows @ np.array(lines.costs, dtype=np.int64)
    within = np.all((rows >= 0) & (rows <= np.array(lines.maxima, dtype=np.int64)), axis=1)
    paid = spent == lines.points if lines.exact else spent <= lines.points
    return np.asarray(within & paid, dtype=np.bool_)


def transfers(kinds: int) -> Ints:
    """Give the moves (m, kinds) that lower one number and raise another, by the lowered, then the raised."""
    unit = np.eye(kinds, dtype=np.int64)
    lowered, raised = np.nonzero(1 - unit)
    return unit[raised] - unit[lowered]


def row_of(values: NDArray[Any], kinds: int) -> Ints:
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


class MultisetState(NamedTuple):
    """Where the listing stands, so that it can stop after any row and resume."""

    limits: Ints  # (kinds,)
    counts: Ints  # (kinds,) the multiset to be written next
    live: Bools  # (1,) whether there is one


@njit(cache=True, nogil=True)
def fill_multisets(state: MultisetState, out: NDArray[np.uint8]) -> int:
    """Write the next multisets into `out` (rows, kinds) and return how many were written."""
    limits, counts, live = state
    kinds = counts.shape[0]
    rows = 0
    while rows < out.shape[0] and live[0]:
        for kind in range(kinds):
            out[rows, kind] = counts[kind]
        rows += 1
        # The successor raises the last kind that has room and copies behind it to draw from ...
        behind = 0
        kind = kinds - 1
        while kind >= 0 and (behind == 0 or counts[kind] == limits[kind]):
            behind += counts[kind]
            kind -= 1
        if kind < 0:
            live[0] = False
            break
        counts[kind] += 1
        # ... and pushes the others as far back as they go, which is the least line that remains.
        behind -= 1
        for later in range(kinds - 1, kind, -1):
            counts[later] = min(limits[later], behind)
            behind -= counts[later]
    return rows


_UINT8_MAX = 255


@dataclass(frozen=True)
class MultisetProblem:
    """Multisets of `size` items, of each kind at most its limit; a limit of `size` or more is no limit."""

    limits: tuple[int, ...]
    size: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "limits", whole_numbers(self.limits, "The limit of kind"))
        object.__setattr__(self, "size", whole_number(self.size, "The size"))
        if max(_room(self), default=0) > _UINT8_MAX:
            raise ValueError(f"A kind may come at most {_UINT8_MAX} times, because counts are kept as bytes.")


def count_multisets(problem: MultisetProblem) -> int:
    return count_lines(_lines(problem))


def iter_multisets(problem: MultisetProblem, chunk_size: int = 1 << 16) -> Iterator[NDArray[np.uint8]]:
    """List the multisets as counts a kind (m, kinds), in lexicographic order, each array with its own memory.

    Every array but the last has `chunk_size` rows, and none is empty.
    """
    size, state = whole_number(chunk_size, "The chunk size", least=1), _state_at_start(problem)
    return filled_chunks(lambda chunk: int(fill_multisets(state, chunk)), len(problem.limits), np.uint8, size)


def sample_multisets(problem: MultisetProblem, size: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    return sample_lines(_lines(problem), size, rng).astype(np.uint8)


def multiset_neighbours(problem: MultisetProblem, counts: NDArray[Any]) -> NDArray[np.uint8]:
    """Give the legal multisets at one swap from `counts`: one item out, one of another kind in.

    Ordered by the kind that leaves, then by the kind that comes.
    """
    rows = row_of(counts, len(problem.limits)) + transfers(len(problem.limits))
    return rows[legal_lines(_lines(problem), rows)].astype(np.uint8)


def _room(problem: MultisetProblem) -> tuple[int, ...]:
    """Give the most that can come of each kind."""
    return tuple(min(limit, problem.size) for limit in problem.limits)


def _lines(problem: MultisetProblem) -> BoundedLines:
    return BoundedLines((1,) * len(problem.limits), _room(problem), problem.size, exact=True)


def _state_at_start(problem: MultisetProblem) -> MultisetState:
    """Give the least multiset: everything as far back as it goes."""
    room = _room(problem)
    counts = np.zeros(len(room), dtype=np.int64)
    rest = problem.size
    for kind in reversed(range(len(room))):
        counts[kind] = min(room[kind], rest)
        rest -= int(counts[kind])
    return MultisetState(np.array(room, dtype=np.int64), counts, np.array([rest == 0], dtype=np.bool_))
