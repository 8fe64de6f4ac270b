"""A bulk scorer that asks the cache first, and has tasks run for what is missing there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.randomness import content_digest
from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.errors import UsageError
from buildsearch.model.scorer import BulkScorer, Samples, Solver
from buildsearch.model.space import Chunk
from buildsearch.search.executor import Executor, Shared
from buildsearch.search.score_cache import ScoreCache, pack_shard, unpack_shard

# What a task does: solve in batches, solve one build at a time, or sample fights.
SOLVE, SOLVE_ALONE, SAMPLE = b"solve", b"solve alone", b"sample"


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTask:
    """Builds of one chunk in one fight. The result has a row of numbers for each build: its exact mean, or
    sums of fights with the squares last.

    `context` is a digest of what decides the scores but the builds' own parts, `keys` has one of the parts of
    each build. `solve` is what a task of this process solves with; it does not travel.
    """

    how: bytes
    scorer: Shared
    chunk: Chunk
    fight: Shared
    seed: int
    fights: int
    context: bytes
    keys: NDArray[np.uint64]
    solve: Callable[[], Floats] | None = None

    @classmethod
    def of(
        cls,
        how: bytes,
        scorer: Shared,
        chunk: Chunk,
        fight: Shared,
        seed: int = 0,
        fights: int = 0,
        keys: NDArray[np.uint64] | None = None,
    ) -> ScoreTask:
        context = scorer.value.context(chunk.group, fight.value)
        sampling = [f"{seed} {fights}".encode()] if how == SAMPLE else []
        context = content_digest(how, context, *sampling)
        keys = scorer.value.keys(chunk) if keys is None else keys
        return cls(how, scorer, chunk, fight, seed, fights, context, keys)

    def __reduce__(self) -> tuple[Any, ...]:
        return ScoreTask.of, (self.how, self.scorer, self.chunk, self.fight, self.seed, self.fights)

    @property
    def key(self) -> bytes:
        return content_digest(self.context, np.ascontiguousarray(self.keys, "<u8").tobytes())

    @property
    def width(self) -> int:
        return len(self.scorer.value.outcomes) + 1 if self.how == SAMPLE else 1

    def run(self) -> Floats:
        scorer: BulkScorer = self.scorer.value
        if self.how == SAMPLE:
            samples = scorer.sample(self.chunk, self.fight.value, self.seed, self.fights)
            return np.column_stack([samples.totals.T, samples.squares])
        if self.solve is not None:
            return self.solve()[:, None]
        solve = scorer.solve if self.how == SOLVE else scorer.solve_alone
        return solve(self.chunk, self.fight.value)[:, None]

    def pack(self, result: Floats) -> bytes:
        return pack_shard(self.context, self.keys, result)

    def unpack(self, data: bytes) -> Floats:
        """The checksum of a shard covers the context, which the worker worked out anew: so scores of other
        rules, of another fight or engine are never taken for those of this task."""
        try:
            keys, numbers = unpack_shard(data, self.context, self.width)
            is_right = np.array_equal(keys, self.keys)
        except ValueError:
            is_right = False
        if not is_right:
            raise UsageError("a worker gave scores of something else than was asked. Restart the workers.")
        return numbers.copy()


@dataclass(slots=True)
class CachedScorer:
    """The scorer's own answers, computed once. `hits` and `misses` count (build, fight) for the report."""

    scorer: BulkScorer
    cache: ScoreCache
    executor: Executor = field(default_factory=Executor)
    hits: int = 0
    misses: int = 0
    # Called before something is computed.
    on_miss: Callable[[], None] | None = None
    _shared: Shared = field(init=False)
    _known: tuple[Chunk, NDArray[np.uint64]] | None = None

    def __post_init__(self) -> None:
        self._shared = Shared(self.scorer)

    def solve(self, chunk: Chunk, fight: Any) -> Floats:
        """The exact mean of the primary metric; NaN where a build must be sampled."""
        return self.solver(chunk, [fight])(0)

    def solver(self, chunk: Chunk, fights: Sequence[Any]) -> Solver:
        """`solve` in each of these fights: what they have in common is worked out once."""
        solvers: dict[bytes, Solver] = {}

        def solve(number: int) -> Floats:
            def solve_here(some: Chunk, missing: Ints) -> Floats:
                # Fights mostly lack the same builds; a solver works only when it is asked.
                return solvers.setdefault(missing.tobytes(), self.scorer.solver(some, fights))(number)

            return self._rows(self._task(SOLVE, chunk, fights[number]), solve_here)[:, 0]

        return solve

    def solve_alone(self, chunk: Chunk, fight: Any) -> Floats:
        """The same by engines that take one build at a time."""
        return self._rows(self._task(SOLVE_ALONE, chunk, fight))[:, 0]

    def sample(self, chunk: Chunk, fight: Any, seed: int, fights: int) -> Samples:
        """So many fights of each build; another number of fights or seed is another entry."""
        rows = self._rows(self._task(SAMPLE, chunk, fight, seed, fights))
        return Samples(fights, np.ascontiguousarray(rows[:, :-1].T), rows[:, -1].copy())

    def kept_share(self, counts: Mapping[str, int], fights: Sequence[Any]) -> float:
        """The share of (build, fight) whose solution is kept, by how many are kept of each group."""
        contexts = (
            (content_digest(SOLVE, self.scorer.context(group, fight)), size)
            for group, size in counts.items()
            for fight in fights
        )
        kept = sum(min(size, self.cache.count(context, 1)) for context, size in contexts)
        return kept / max(1, sum(counts.values()) * len(fights))

    def _task(self, how: bytes, chunk: Chunk, fight: Any, seed: int = 0, fights: int = 0) -> ScoreTask:
        known = self._known
        # Every fight asks for the keys of a chunk in turn. Threads that come at once work them out twice.
        keys = known[1] if known is not None and known[0] is chunk else None
        task = ScoreTask.of(how, self._shared, chunk, Shared(fight), seed, fights, keys)
        self._known = (chunk, task.keys)
        return task

    def _rows(self, task: ScoreTask, solve_here: Callable[[Chunk, Ints], Floats] | None = None) -> Floats:
        found, numbers = self.cache.find(task.context, task.keys, task.width)
        missing = np.flatnonzero(~found)
        self.hits += int(found.sum())
        self.misses += len(missing)
        if len(missing):
            if self.on_miss is not None:
                self.on_miss()
            chunk, keys = task.chunk, task.keys
            if len(missing) < len(chunk):
                chunk, keys = chunk.some(missing), keys[missing]
            solve = None if solve_here is None else lambda: solve_here(chunk, missing)
            numbers[missing] = self.executor.run(replace(task, chunk=chunk, keys=keys, solve=solve))
            self.cache.add(task.context, keys, numbers[missing])
        return numbers
