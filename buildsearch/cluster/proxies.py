"""A scorer and evaluators of this process, whose work is done elsewhere."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.cluster.pieces import OneBuild, Piece, packed
from buildsearch.evaluate.streams import content_digest
from buildsearch.model.bulk import BulkScorer, Samples, Solver
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Evaluation, Evaluator, Sampling
from buildsearch.model.space import Chunk
from buildsearch.search.cache import unpack_shard
from buildsearch.search.cached import SOLVED, SOLVED_ALONE, samples_of, sampling_context, solving_context

# Sends a piece, waits, gives what comes back.
Sender = Callable[[Piece | OneBuild], bytes]


class RemoteScorer:
    """What a bulk scorer computes, computed by whoever is behind `send`."""

    def __init__(self, scorer: BulkScorer, send: Sender, versions: Mapping[str, str]) -> None:
        self._scorer, self._send, self._versions = scorer, send, versions
        self._packed = packed(scorer)

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

    def _sent(
        self, chunk: Chunk, fight: Any, context: bytes, width: int, **asked: Any
    ) -> NDArray[np.float64]:
        keys = self._scorer.keys(chunk)
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


class RemoteEvaluator:
    """An evaluator that says here what it can score, and scores elsewhere."""

    def __init__(
        self, evaluators: Sequence[Evaluator], number: int, send: Sender, versions: Mapping[str, str]
    ) -> None:
        self._own = evaluators[number]
        self._packed, self._number = packed(tuple(evaluators)), number
        self._send, self._versions = send, versions

    @property
    def method(self) -> str:
        """Its own."""
        return self._own.method

    @property
    def default_fights(self) -> int:
        """Its own."""
        return self._own.default_fights

    def why_not(self, build: Any, fight: Any) -> str | None:
        """Its own."""
        return self._own.why_not(build, fight)

    def evaluate(self, build: Any, fight: Any, sampling: Sampling) -> Evaluation:
        """The metrics."""
        piece = OneBuild(self._versions, self._packed, self._number, packed(build), packed(fight), sampling)
        found = pickle.loads(self._send(piece))  # noqa: S301 - from a worker of the cluster that was named
        assert isinstance(found, Evaluation)  # noqa: S101 - workers have this very code
        return found
