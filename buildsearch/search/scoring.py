"""Scores for every build of a space: exact in batches, a floor of fights for what must be sampled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from buildsearch.evaluate.threads import counted_task
from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.scorer import Samples, Solver, alone_costs
from buildsearch.model.space import BuildSpace, Chunk, Wanted
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import Objective

# Builds of one group that are solved at a time: many, because equal parts are then worked out once.
CHUNK = 1 << 21
# So many on a cluster: there must be tasks enough for all workers. By the size of the space alone, so that
# they are the same tasks for any number of workers.
_LEAST_REMOTE, _MOST_REMOTE, _REMOTE_TASKS = 1 << 16, 1 << 19, 16
# Fights of a task: some seconds of work, so that little is lost to a kill.
FIGHTS_A_TASK = 1 << 22
BUILDS_A_TASK = 1 << 14
# A large search begins with so many builds of each group: its best so far are told within seconds, and one
# that is stopped soon has scores to save.
_FIRST = 1 << 11
_LARGE = 1 << 16
# A task of builds that are solved alone costs as much as so many usual ones: a second or two.
ALONE_A_TASK = 50.0

Advance = Callable[[int], None]
# Opens a bar: what is counted, and how many of it there will be.
Bar = Callable[[str, int], AbstractContextManager[Advance]]


@contextmanager
def no_bar(_what: str, _total: int) -> Iterator[Advance]:
    yield no_progress


def no_progress(_done: int) -> None:
    """A bar's `advance` where no bar is shown."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How builds are scored and ranked. The first objective is raced for; with several, the front counts.

    `floor` is the number of fights of each sampled build, `budget` that of a race: counted, so that a fast
    machine gives no other result. Of the `top`, only so many as `shown` are put in order and described.
    """

    objectives: tuple[Objective, ...]
    top: int
    floor: int
    budget: int
    seed: int
    alpha: float = 0.05
    shown: int | None = None
    bar: Bar = no_bar

    @property
    def objective(self) -> Objective:
        return self.objectives[0]

    def is_solved(self, scorer: CachedScorer) -> bool:
        return all(each.is_solved(scorer.scorer) for each in self.objectives)


# Builds of one chunk, by row, in the fight of a number.
_Part = tuple[int, int, Ints]


def solve_all(scorer: CachedScorer, ledger: Ledger, advance: Advance = no_progress) -> None:
    """Fill in every exact mean. `advance` is told how many (build, fight) are done."""
    fights = list(ledger.fights.values())
    starts, is_remote = ledger.starts, scorer.executor.is_remote
    size = CHUNK if not is_remote else min(max(_LEAST_REMOTE, len(ledger) // _REMOTE_TASKS), _MOST_REMOTE)

    def solve(asked: tuple[int, int, Solver]) -> tuple[int, int, Floats]:
        start, fight, solver = asked
        with counted_task():
            return start, fight, solver(fight)

    def parts() -> Iterator[tuple[int, int, Solver]]:
        begun = 0 if is_remote or len(ledger) < _LARGE else _FIRST
        for number, chunk in enumerate(ledger.chunks):
            yield from of_chunk(number, 0, min(begun, len(chunk)))
        for number, chunk in enumerate(ledger.chunks):
            yield from of_chunk(number, begun, len(chunk))

    def of_chunk(number: int, begin: int, end: int) -> Iterator[tuple[int, int, Solver]]:
        for first in range(begin, end, size):
            some = ledger.chunks[number].some(slice(first, min(first + size, end)))
            solver = scorer.solver(some, fights)
            for fight in range(len(fights)):
                yield int(starts[number]) + first, fight, solver

    for start, fight, means in scorer.executor.map(solve, parts()):
        ledger.exact[fight, start : start + len(means)] = means
        advance(len(means))


def solve_alone(scorer: CachedScorer, ledger: Ledger, columns: Ints, most: int, bar: Bar = no_bar) -> None:
    """Try slower engines on the (build, fight) of these columns that are sampled; in place.

    The first columns first, as long as they cost no more than so many usual (build, fight) together. The bar
    counts usual ones.
    """
    fights = list(ledger.fights.values())
    starts = ledger.starts

    def solve(asked: tuple[float, _Part]) -> tuple[float, _Part, Floats]:
        cost, (fight, number, rows) = asked
        some = ledger.chunks[number].some(rows - starts[number])
        return cost, asked[1], scorer.solve_alone(some, fights[fight])

    costs = np.array([costs_alone(scorer, ledger, columns, fight) for fight in range(len(fights))])
    affordable = np.cumsum(costs.sum(axis=0)) <= most
    parts: list[tuple[float, _Part]] = []
    for fight in range(len(fights)):
        asked = affordable & (costs[fight] > 0)
        rows, its_costs = ledger.sampled[columns[asked]], costs[fight, asked]
        numbers = ledger.chunk_numbers(rows)
        for number in np.unique(numbers):
            mine = np.flatnonzero(numbers == number)
            for part in _cut(mine, its_costs[mine]):
                parts.append((float(its_costs[part].sum()), (fight, int(number), rows[part])))
    # The longest first, so that none is left for the end.
    parts.sort(key=lambda each: -each[0])
    with bar("contenders one by one", round(sum(cost for cost, _ in parts))) as advance:
        for cost, (fight, _, rows), means in scorer.executor.map(solve, parts):
            ledger.exact[fight, rows] = means
            advance(round(cost))


def _cut(numbers: Ints, costs: Floats) -> list[Ints]:
    """In parts of about the same cost; a build that costs more is a part."""
    which = np.cumsum(costs) // ALONE_A_TASK
    return np.split(numbers, np.flatnonzero(np.diff(which)) + 1)


def costs_alone(scorer: CachedScorer, ledger: Ledger, columns: Ints, fight: int) -> Floats:
    """What solving each of these columns alone in a fight costs; 0 where it is solved."""
    costs = np.zeros(len(columns))
    is_open = np.isin(columns, ledger.open_columns(fight, columns))
    rows = ledger.sampled[columns]
    places = np.flatnonzero(is_open)
    for mine, some in ledger.by_chunk(rows[places]):
        costs[places[mine]] = alone_costs(scorer.scorer, some, list(ledger.fights.values())[fight])
    return costs


def sample_rows(
    scorer: CachedScorer,
    ledger: Ledger,
    columns: Ints,
    fights: int,
    seed: int,
    advance: Advance = no_progress,
) -> None:
    """So many fights for these columns of the ledger's sums, in each fight that is not solved for them."""
    wanted = list(ledger.fights.values())
    starts = ledger.starts
    chunk_of = ledger.chunk_numbers(ledger.sampled[columns])
    is_floor = not ledger.fought[columns].any()

    def sample(part: _Part) -> tuple[_Part, Samples]:
        fight, number, columns = part
        some = ledger.chunks[number].some(ledger.sampled[columns] - starts[number])
        return part, scorer.sample(some, wanted[fight], seed, fights)

    def parts() -> Iterator[_Part]:
        size = max(1, min(BUILDS_A_TASK, FIGHTS_A_TASK // fights))
        for number in np.unique(chunk_of):
            mine = columns[chunk_of == number]
            for fight in range(len(wanted)):
                open_ = ledger.open_columns(fight, mine)
                for first in range(0, len(open_), size):
                    yield fight, int(number), open_[first : first + size]

    for (fight, _, some), samples in scorer.executor.map(sample, parts()):
        ledger.totals[fight][:, some] = samples.totals
        ledger.squares[fight, some] = samples.squares
        if is_floor:
            ledger.fought[some[ledger.is_fought(some)]] = fights
        advance(len(some))
    ledger.fought[columns] = fights


@dataclass(frozen=True, slots=True, eq=False)
class ScoringSetup:
    """`wanted` is the part of the space that is looked at."""

    space: BuildSpace
    fights: Mapping[str, Any]
    scorer: CachedScorer
    wanted: Wanted = field(default_factory=Wanted)

    def chunks(self) -> list[Chunk]:
        return list(self.space.chunks(self.wanted, CHUNK))
