"""A scorer and evaluators of this process, whose work is done elsewhere."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.cluster.tasks import BuildsToDescribe, Piece, packed
from buildsearch.evaluate.randomness import content_digest
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Evaluation, Evaluator
from buildsearch.model.scorer import BulkScorer, Samples, Solver
from buildsearch.model.space import Chunk
from buildsearch.search.cached_scorer import (
    SOLVED,
    SOLVED_ALONE,
    samples_of,
    sampling_context,
    solving_context,
)
from buildsearch.search.executor import Asked
from buildsearch.search.score_cache import unpack_shard

# Sends a piece, waits, gives what comes back.
Sender = Callable[[Piece | BuildsToDescribe], bytes]


class RemoteScorer:
    """What a bulk scorer computes, computed by whoever is behind `send`."""

    def __init__(self, scorer: BulkScorer, send: Sender, versions: Mapping[str, str]) -> None:
        self._scorer, self._send, self._versions = scorer, send, versions
        self._packed = packed(scorer)
        self._known: tuple[Chunk, NDArray[np.uint64]] | None = None

    def solver(self, chunk: Chunk, fights: Sequence[Any]) -> Solver:
        """Exact means in each of these fights."""
        return lambda number: self._solved(SOLVED, chunk, fights[number])

    def solve_alone(self, chunk: Chunk, fight: Any) -> NDArray[np.float64]:
        """The same by engines that take one build at a time."""
        return self._solved(SOLVED_ALONE, chunk, fight)

    def sample(self, chunk: Chunk, fight: Any, seed: int, fights: int) -> Samples:
        """Sums of fights."""
        context = sampling_context(self._scorer, chunk.group, fight, seed, fights)
        width = len(self._scorer.outcomes) + 1
        return samples_of(fights, self._sent(chunk, fight, context, width, seed=seed, fights=fights))

    def _solved(self, how: bytes, chunk: Chunk, fight: Any) -> NDArray[np.float64]:
        context = solving_context(self._scorer, how, chunk.group, fight)
        return self._sent(chunk, fight, context, 1, how=how)[:, 0]

    def _keys(self, chunk: Chunk) -> NDArray[np.uint64]:
        """The keys of a chunk, those of the last one remembered: every fight asks for them in turn."""
        known = self._known
        if known is None or known[0] is not chunk:
            known = self._known = (chunk, self._scorer.keys(chunk))
        return known[1]

    def _sent(
        self, chunk: Chunk, fight: Any, context: bytes, width: int, **asked: Any
    ) -> NDArray[np.float64]:
        keys = self._keys(chunk)
        content = content_digest(context, np.ascontiguousarray(keys, "<u8").tobytes())
        piece = Piece(self._versions, content, self._packed, packed(fight), chunk.group, chunk.codes, **asked)
        shard = self._send(piece)
        try:
            found, numbers = unpack_shard(shard, context, width)
            is_right = np.array_equal(found, keys)
        except ValueError:
            is_right = False
        if not is_right:
            raise UsageError("a worker gave scores of something else than was asked. Restart the workers.")
        return numbers.copy()


class RemoteEvaluators:
    """Evaluators whose work is done by whoever is behind `send`."""

    def __init__(self, evaluators: Sequence[Evaluator], send: Sender, versions: Mapping[str, str]) -> None:
        self._packed = packed(tuple(evaluators))
        self._send, self._versions = send, versions

    def evaluated(self, asked: Sequence[Asked]) -> list[Evaluation]:
        """All metrics of these builds, as one piece."""
        fights: dict[bytes, int] = {}
        wanted = [
            (evaluator, fights.setdefault(packed(fight), len(fights)), build)
            for evaluator, build, fight in asked
        ]
        piece = BuildsToDescribe(self._versions, self._packed, tuple(fights), packed(wanted))
        found = pickle.loads(self._send(piece))  # noqa: S301 - from a worker of the cluster that was named
        assert len(found) == len(asked)  # noqa: S101 - workers have this very code
        return list(found)
