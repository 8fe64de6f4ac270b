"""A bulk scorer that asks the cache first and keeps what it had to compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.streams import content_digest
from buildsearch.model.bulk import BulkScorer, Samples, Solver
from buildsearch.model.space import Chunk
from buildsearch.search.cache import ScoreCache

# The values of builds that are not known yet.
_Compute = Callable[[NDArray[np.int64]], NDArray[np.float64]]


@dataclass(slots=True)
class CachedScorer:
    """The scorer's own answers, computed once. `hits` and `misses` count (build, fight) for the report."""

    scorer: BulkScorer
    cache: ScoreCache
    hits: int = 0
    misses: int = 0
    # Told before something is computed.
    on_miss: Callable[[], None] | None = None
    _known: tuple[Chunk, NDArray[np.uint64]] | None = None

    def solve(self, chunk: Chunk, fight: Any) -> NDArray[np.float64]:
        """The exact mean of the primary metric; NaN where a build must be sampled."""
        return self.solver(chunk, [fight])(0)

    def solver(self, chunk: Chunk, fights: Sequence[Any]) -> Solver:
        """`solve` in each of these fights: what they have in common is worked out once."""
        solvers: dict[bytes, Solver] = {}

        def solve(number: int) -> NDArray[np.float64]:
            def compute(missing: NDArray[np.int64]) -> NDArray[np.float64]:
                # Fights mostly lack the same builds; a solver works only when it is asked.
                some = Chunk(chunk.group, chunk.codes[missing])
                solver = solvers.setdefault(missing.tobytes(), self.scorer.solver(some, fights))
                return solver(number)

            return self._solve(b"solve", chunk, fights[number], compute)

        return solve

    def solve_alone(self, chunk: Chunk, fight: Any) -> NDArray[np.float64]:
        """The same by engines that take one build at a time."""

        def compute(missing: NDArray[np.int64]) -> NDArray[np.float64]:
            return self.scorer.solve_alone(Chunk(chunk.group, chunk.codes[missing]), fight)

        return self._solve(b"solve alone", chunk, fight, compute)

    def _solve(self, how: bytes, chunk: Chunk, fight: Any, compute: _Compute) -> NDArray[np.float64]:
        context = content_digest(how, self.scorer.context(chunk.group, fight))
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
        numbered = f"{seed} {fights}".encode()
        context = content_digest(b"sample", self.scorer.context(chunk.group, fight), numbered)
        keys = self.scorer.keys(chunk)
        width = len(self.scorer.outcomes) + 1
        found, numbers = self.cache.find(context, keys, width)
        missing = np.flatnonzero(~found)
        self._count(found)
        if len(missing):
            fresh = self.scorer.sample(Chunk(chunk.group, chunk.codes[missing]), fight, seed, fights)
            numbers[missing, :-1] = fresh.totals.T
            numbers[missing, -1] = fresh.squares
            self.cache.add(context, keys[missing], numbers[missing])
        return Samples(fights, np.ascontiguousarray(numbers[:, :-1].T), numbers[:, -1].copy())

    def knows(
        self, chunk: Chunk, fight: Any, seed: int | None = None, fights: int | None = None
    ) -> NDArray[np.bool_]:
        """Whose solution is kept, or with a seed and a number, whose fights are; nothing is counted."""
        own = self.scorer.context(chunk.group, fight)
        if fights is None:
            context, width = content_digest(b"solve", own), 1
        else:
            numbered = f"{seed} {fights}".encode()
            context, width = content_digest(b"sample", own, numbered), len(self.scorer.outcomes) + 1
        return self.cache.find(context, self.scorer.keys(chunk), width)[0]

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
