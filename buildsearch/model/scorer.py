"""The protocol of a scorer that takes many builds at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.arrays import Bools, Floats
from buildsearch.model.space import Chunk

# Builds that take so many times as long as most are quick enough to be tried.
_QUICK = 4.0

# The exact means of a chunk in the fight of this number.
Solver = Callable[[int], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """What so many fights of each build added up to; sums are whole numbers of `step`, so adding is exact.

    `totals` has a row for each of the scorer's `outcomes`, the primary metric first, and a column for each
    build; `squares` is the primary metric's sum of squares. A build that cannot be sampled has NaN.
    """

    fights: int
    totals: Floats
    squares: Floats


class BulkScorer(Protocol):
    """Scores chunks of builds in a fight; what it says of a build never depends on the rest of the chunk."""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The metrics that a fight gives a number for, the primary one first."""

    def outcome_range(self, outcome: str, fight: Any) -> tuple[float, float]:
        """The least and the greatest number that a fight can give."""

    def derived(self, fight: Any, primary: Floats) -> dict[str, Floats]:
        """The metrics that follow from the primary one's mean."""

    def context(self, group: str, fight: Any) -> bytes:
        """A digest of everything but a build's parts that decides its scores, engine versions included."""

    def keys(self, chunk: Chunk) -> NDArray[np.uint64]:
        """Two words for each build: a digest of what its parts do. Names and costs have no part in it."""

    def solve(self, chunk: Chunk, fight: Any) -> Floats:
        """The exact mean of the primary metric; NaN where a build must be sampled."""

    def solver(self, chunk: Chunk, fights: Sequence[Any]) -> Solver:
        """`solve` in each of these fights: what they have in common is worked out once. Threads may ask."""

    def solve_alone(self, chunk: Chunk, fight: Any) -> Floats:
        """As `solve`, by engines that take one build at a time: asked about the few whose rank is open."""

    def compile_apart(self, groups: Collection[str]) -> None:
        """Compile what of `solve` and `solve_alone` takes longest for these groups, with no build of the run.

        In another process, while one begins to solve: first what is needed first.
        """

    def sample(self, chunk: Chunk, fight: Any, seed: int, fights: int) -> Samples:
        """So many fights of each build: those that `score` plays under the same seed."""


@runtime_checkable
class UnevenScorer(Protocol):
    """A bulk scorer whose builds differ much in what solving one alone takes."""

    def alone_costs(self, chunk: Chunk, fight: Any) -> Floats:
        """By build how many times as long `solve_alone` takes as for most; a quick guess will do."""


@runtime_checkable
class PartialScorer(Protocol):
    """A bulk scorer that knows beforehand which builds `solve` leaves."""

    def left_by_bulk(self, chunk: Chunk, fight: Any) -> Mapping[str, Bools]:
        """By reason, in words for users, the builds that are left to samples and slower engines."""


def alone_costs(scorer: BulkScorer, chunk: Chunk, fight: Any) -> Floats:
    """The scorer's own guess; 1 where it has none."""
    return scorer.alone_costs(chunk, fight) if isinstance(scorer, UnevenScorer) else np.ones(len(chunk))


def quickly_solved(scorer: BulkScorer, chunk: Chunk, fight: Any) -> Chunk:
    """Those that solving alone does not take much longer for than for most: what is tried to compile it."""
    return chunk.some(alone_costs(scorer, chunk, fight) <= _QUICK)
