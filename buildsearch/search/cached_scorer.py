"""A bulk scorer that asks the cache first and keeps what it had to compute."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.randomness import content_digest
from buildsearch.model.scorer import BulkScorer, Samples, Solver
from buildsearch.model.space import Chunk
from buildsearch.search.executor import Computing, hired
from buildsearch.search.score_cache import ScoreCache

# The values of builds that are not known yet.
_Compute = Callable[[NDArray[np.int64]], NDArray[np.float64]]

# Ways to solve: in batches, and one build at a time.
SOLVED, SOLVED_ALONE = b"solve", b"solve alone"


def solving_context(scorer: BulkScorer, how: bytes, group: str, fight: Any) -> bytes:
    """What decides an exact score but the build's own parts."""
    return content_digest(how, scorer.context(group, fight))


def sampling_context(scorer: BulkScorer, group: str, fight: Any, seed: int | None, fights: int) -> bytes:
    """What decides sums of fights but the build's own parts."""
    return content_digest(b"sample", scorer.context(group, fight), f"{seed} {fights}".encode())


def rows_of(samples: Samples) -> NDArray[np.float64]:
    """Sums of fights as they are kept: a row for each build, its squares last."""
    return np.column_stack([samples.totals.T, samples.squares])


def samples_of(fights: int, rows: NDArray[np.float64]) -> Samples:
    """And back."""
    return Samples(fights, np.ascontiguousarray(rows[:, :-1].T), rows[:, -1].copy())


@dataclass(slots=True)
class CachedScorer:
    """The scorer's own answers, computed once. `hits` and `misses` count (build, fight) for the report."""

    scorer: BulkScorer
    cache: ScoreCache
    hits: int = 0
    misses: int = 0
    # Told before something is computed.
    on_miss: Callable[[], None] | None = None
    # Who computes what is not kept: the scorer itself, or hands elsewhere.
    computing: Computing = field(init=False)
    _known: tuple[Chunk, NDArray[np.uint64]] | None = None

    def __post_init__(self) -> None:
        hands = hired()
        self.computing = self.scorer if hands is None else hands.computing(self.scorer)

    def solve(self, chunk: Chunk, fight: Any) -> NDArray[np.float64]:
        """The exact mean of the primary metric; NaN where a build must be sampled."""
        return self.solver(chunk, [fight])(0)

    def solver(self, chunk: Chunk, fights: Sequence[Any]) -> Solver:
        """`solve` in each of these fights: what they have in common is worked out once."""
        solvers: dict[bytes, Solver] = {}

        def solve(number: int) -> NDArray[np.float64]:
            def compute(missing: NDArray[np.int64]) -> NDArray[np.float64]:
                # Fights mostly lack the same builds; a solver works only when it is asked.
                is_whole = len(missing) == len(chunk)
                some = chunk if is_whole else Chunk(chunk.group, chunk.codes[missing])
                solver = solvers.setdefault(missing.tobytes(), self.computing.solver(some, fights))
                return solver(number)

            return self._solve(SOLVED, chunk, fights[number], compute)

        return solve

    def solve_alone(self, chunk: Chunk, fight: Any) -> NDArray[np.float64]:
        """The same by engines that take one build at a time."""

        def compute(missing: NDArray[np.int64]) -> NDArray[np.float64]:
            return self.computing.solve_alone(Chunk(chunk.group, chunk.codes[missing]), fight)

        return self._solve(SOLVED_ALONE, chunk, fight, compute)

    def _solve(self, how: bytes, chunk: Chunk, fight: Any, compute: _Compute) -> NDArray[np.float64]:
        context = solving_context(self.scorer, how, chunk.group, fight)
        keys = self._keys(chunk)
        found, numbers = self.cache.find(context, keys, 1)
        values = numbers[:, 0]
        missing = np.flatnonzero(~found)
        self._count(found)
        if len(missing):
            if self.on_miss is not None:
                self.on_miss()
            values[missing] = compute(missing)
            self.cache.add(context, keys[missing], values[missing][:, None])
        return values

    def sample(self, chunk: Chunk, fight: Any, seed: int, fights: int) -> Samples:
        """So many fights of each build; another number of fights or seed is another entry."""
        context = sampling_context(self.scorer, chunk.group, fight, seed, fights)
        keys = self.scorer.keys(chunk)
        width = len(self.scorer.outcomes) + 1
        found, numbers = self.cache.find(context, keys, width)
        missing = np.flatnonzero(~found)
        self._count(found)
        if len(missing):
            fresh = self.computing.sample(Chunk(chunk.group, chunk.codes[missing]), fight, seed, fights)
            numbers[missing] = rows_of(fresh)
            self.cache.add(context, keys[missing], numbers[missing])
        return samples_of(fights, numbers)

    def kept_share(self, counts: Mapping[str, int], fights: Sequence[Any]) -> float:
        """The share of (build, fight) whose solution is kept, by how many are kept of each group."""
        contexts = (
            (solving_context(self.scorer, SOLVED, group, fight), size)
            for group, size in counts.items()
            for fight in fights
        )
        kept = sum(min(size, self.cache.count(context, 1)) for context, size in contexts)
        return kept / max(1, sum(counts.values()) * len(fights))

    def _keys(self, chunk: Chunk) -> NDArray[np.uint64]:
        """The keys of a chunk, those of the last one remembered: every fight asks for them in turn."""
        known = self._known
        if known is None or known[0] is not chunk:
            # Threads that come at once work them out twice; each reads a whole pair.
            known = self._known = (chunk, self.scorer.keys(chunk))
        return known[1]

    def _count(self, found: NDArray[np.bool_]) -> None:
        self.hits += int(found.sum())
        self.misses += int((~found).sum())
