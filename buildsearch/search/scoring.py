"""Scores for every build of a space: exact in batches, a floor of fights for what must be sampled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.progress import at_piece
from buildsearch.model.scorer import Samples, Solver, alone_costs
from buildsearch.model.space import BuildSpace, Chunk, Wanted
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.executor import hired, in_threads
from buildsearch.search.ledger import Ledger

# Builds of one group that are solved at a time: many, because equal parts are then worked out once.
CHUNK = 1 << 21
# So many where pieces go elsewhere: there must be enough for everybody. By the size of the space alone, so
# that they are the same pieces however many work.
_LEAST_AWAY, _MOST_AWAY, _SHARE_AWAY = 1 << 16, 1 << 19, 16
# Work is handed out and kept in pieces of so many fights: some seconds each, so little is lost to a kill.
FIGHTS_A_PIECE = 1 << 22
BUILDS_A_PIECE = 1 << 14
# A large search begins with so many builds, so that one that is stopped soon has scores to save.
_FIRST = 1 << 14
# Builds that are solved alone are handed out in pieces that cost as many usual ones: a second or two.
ALONE_A_PIECE = 50.0

Advance = Callable[[int], None]
# Opens a bar: what is counted, and how many of it there will be.
Bar = Callable[[str, int], AbstractContextManager[Advance]]


@contextmanager
def no_bar(_what: str, _total: int) -> Iterator[Advance]:
    """A bar that is not shown."""
    yield lambda _done: None


@dataclass(frozen=True, slots=True)
class Piece:
    """Builds of one chunk in one fight."""

    fight: int
    chunk: int
    rows: NDArray[np.int64]  # within the chunk


def solve_all(scorer: CachedScorer, ledger: Ledger, jobs: int, advance: Advance) -> None:
    """Fill in every exact mean. `advance` is told how many (build, fight) are done."""
    fights = list(ledger.fights.values())
    starts, size = ledger.starts, _solved_at_once(len(ledger))

    def solve(asked: tuple[Piece, Solver]) -> tuple[Piece, NDArray[np.float64]]:
        piece, solver = asked
        with at_piece():
            return piece, solver(piece.fight)

    def pieces() -> Iterator[tuple[Piece, Solver]]:
        for number, chunk in enumerate(ledger.chunks):
            for first, last in pairwise(_cuts(len(chunk), size, is_first=number == 0)):
                part = Chunk(chunk.group, chunk.codes[first:last])
                solver = scorer.solver(part, fights)
                for fight in range(len(fights)):
                    yield Piece(fight, number, np.arange(first, first + len(part))), solver

    for piece, means in in_threads(solve, pieces(), jobs):
        start = starts[piece.chunk] + piece.rows[0]
        ledger.exact[piece.fight, start : start + len(means)] = means
        advance(len(means))


def _cuts(builds: int, size: int, *, is_first: bool) -> list[int]:
    """Where a chunk is cut. Elsewhere pieces are handed out by size alone."""
    first = _FIRST if is_first and hired() is None and builds > 4 * _FIRST else size
    return [0, *range(first, builds, size), builds]


def _solved_at_once(builds: int) -> int:
    return CHUNK if hired() is None else min(max(_LEAST_AWAY, builds // _SHARE_AWAY), _MOST_AWAY)


def solve_alone(
    scorer: CachedScorer, ledger: Ledger, columns: NDArray[np.int64], jobs: int, most: int, bar: Bar = no_bar
) -> None:
    """Try slower engines on the (build, fight) of these columns that are sampled; in place.

    The first columns first, as long as they cost no more than so many usual (build, fight) together. The bar
    counts usual ones.
    """
    fights = list(ledger.fights.values())
    starts = ledger.starts

    def solve(asked: tuple[float, Piece]) -> tuple[tuple[float, Piece], NDArray[np.float64]]:
        piece = asked[1]
        chunk = ledger.chunks[piece.chunk]
        rows = piece.rows - starts[piece.chunk]
        return asked, scorer.solve_alone(Chunk(chunk.group, chunk.codes[rows]), fights[piece.fight])

    costs = np.array([costs_alone(scorer, ledger, columns, fight) for fight in range(len(fights))])
    affordable = np.cumsum(costs.sum(axis=0)) <= most
    pieces: list[tuple[float, Piece]] = []
    for fight in range(len(fights)):
        asked = affordable & (costs[fight] > 0)
        rows, its_costs = ledger.sampled[columns[asked]], costs[fight, asked]
        numbers = np.searchsorted(starts, rows, side="right") - 1
        for number in np.unique(numbers):
            mine = np.flatnonzero(numbers == number)
            for part in _cut(mine, its_costs[mine]):
                pieces.append((float(its_costs[part].sum()), Piece(fight, int(number), rows[part])))
    # The longest first, so that nobody is left with one in the end.
    pieces.sort(key=lambda each: -each[0])
    with bar("contenders one by one", round(sum(cost for cost, _ in pieces))) as advance:
        for (cost, piece), means in in_threads(solve, iter(pieces), jobs):
            ledger.exact[piece.fight, piece.rows] = means
            advance(round(cost))


def _cut(numbers: NDArray[np.int64], costs: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """In pieces of about the same cost; whoever costs more is a piece."""
    which = np.cumsum(costs) // ALONE_A_PIECE
    return np.split(numbers, np.flatnonzero(np.diff(which)) + 1)


def costs_alone(
    scorer: CachedScorer, ledger: Ledger, columns: NDArray[np.int64], fight: int
) -> NDArray[np.float64]:
    """What solving each of these columns alone in a fight costs; 0 where it is solved."""
    costs = np.zeros(len(columns))
    is_open = np.isin(columns, ledger.open_columns(fight, columns))
    rows = ledger.sampled[columns]
    numbers = np.searchsorted(ledger.starts, rows, side="right") - 1
    for number in np.unique(numbers[is_open]):
        mine = is_open & (numbers == number)
        chunk = ledger.chunks[number]
        some = Chunk(chunk.group, chunk.codes[rows[mine] - ledger.starts[number]])
        costs[mine] = alone_costs(scorer.scorer, some, list(ledger.fights.values())[fight])
    return costs


def sample_rows(
    scorer: CachedScorer,
    ledger: Ledger,
    columns: NDArray[np.int64],
    fights: int,
    seed: int,
    jobs: int,
    advance: Advance,
) -> None:
    """So many fights for these columns of the ledger's sums, in each fight that is not solved for them."""
    wanted = list(ledger.fights.values())
    starts = ledger.starts
    chunk_of = np.searchsorted(starts, ledger.sampled[columns], side="right") - 1

    def sample(piece: Piece) -> tuple[Piece, Samples]:
        chunk = ledger.chunks[piece.chunk]
        rows = ledger.sampled[piece.rows] - starts[piece.chunk]
        return piece, scorer.sample(Chunk(chunk.group, chunk.codes[rows]), wanted[piece.fight], seed, fights)

    def pieces() -> Iterator[Piece]:
        size = max(1, min(BUILDS_A_PIECE, FIGHTS_A_PIECE // fights))
        for number in np.unique(chunk_of):
            mine = columns[chunk_of == number]
            for fight in range(len(wanted)):
                open_ = ledger.open_columns(fight, mine)
                for first in range(0, len(open_), size):
                    yield Piece(fight, int(number), open_[first : first + size])

    for piece, samples in in_threads(sample, pieces(), jobs):
        ledger.totals[piece.fight][:, piece.rows] = samples.totals
        ledger.squares[piece.fight, piece.rows] = samples.squares
        advance(len(piece.rows))
    ledger.fought[columns] = fights


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """`wanted` is the part of the space that is looked at."""

    space: BuildSpace
    fights: Mapping[str, Any]
    scorer: CachedScorer
    wanted: Wanted = field(default_factory=Wanted)

    def chunks(self) -> list[Chunk]:
        """Every build that is wanted."""
        return list(self.space.chunks(self.wanted, CHUNK))
