"""Who works pieces off: threads of this process, or hands elsewhere that were hired for it.

A piece is builds of one chunk in one fight. Its scores hang on nothing but its content (builds, fight, seed,
engines), so they are the same whoever works it out, and however many do. Everything that scores goes through
here: `CachedScorer` asks `computing` for what is not kept, `in_threads` has as many pieces under way as there
are hands for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.evaluation import Evaluation, Evaluator, Sampling
from buildsearch.model.scorer import BulkScorer, Samples, Solver
from buildsearch.model.space import Chunk

# The number of an evaluator, and a build and a fight for it.
Asked = tuple[int, Any, Any]


class Computing(Protocol):
    """What a bulk scorer computes, here or elsewhere."""

    def solver(self, chunk: Chunk, fights: Sequence[Any]) -> Solver:
        """Exact means in each of these fights."""

    def solve_alone(self, chunk: Chunk, fight: Any) -> NDArray[np.float64]:
        """The same by engines that take one build at a time."""

    def sample(self, chunk: Chunk, fight: Any, seed: int, fights: int) -> Samples:
        """Sums of fights."""


class Hands(Protocol):
    """Whoever works pieces off instead of this process."""

    @property
    def count(self) -> int:
        """How many pieces are worked on at a time."""

    def computing(self, scorer: BulkScorer) -> Computing:
        """A scorer's likeness there."""

    def evaluated(self, evaluators: Sequence[Evaluator], asked: Sequence[Asked]) -> list[Evaluation]:
        """All metrics of these builds, as one piece."""

    def warm(self, scorer: BulkScorer, few: Sequence[Chunk], fights: Sequence[Any]) -> None:
        """Let everybody compile what such builds need, before there is work."""


class _Hired:
    """Whom this process has hired; None: nobody."""

    hands: Hands | None = None


@contextmanager
def hiring(hands: Hands) -> Iterator[None]:
    """All pieces that are handed out in this block go to these hands."""
    before, _Hired.hands = _Hired.hands, hands
    try:
        yield
    finally:
        _Hired.hands = before


def hired() -> Hands | None:
    """Who works instead of this process."""
    return _Hired.hands


def evaluated(evaluators: Sequence[Evaluator], asked: Sequence[Asked]) -> list[Evaluation]:
    """What evaluators say of builds in fights; whoever was hired gets all of it as one piece."""
    hands = hired()
    if hands is not None and asked:
        return hands.evaluated(evaluators, asked)
    return [evaluators[number].evaluate(build, fight, Sampling(0)) for number, build, fight in asked]


def workers(jobs: int) -> int:
    """How many threads of this process -1 or a number stands for."""
    return (os.cpu_count() or 1) if jobs == -1 else max(1, jobs)


def worked_at_once(jobs: int) -> int:
    """How many pieces are worked on at a time, here or by whom was hired."""
    hands = hired()
    return workers(jobs) if hands is None else max(1, hands.count)


def in_threads(work: Callable[[Any], Any], pieces: Iterator[Any], jobs: int) -> Iterator[Any]:
    """The results as they come. The kernels release the GIL; a few pieces wait, not all of them.

    Whoever stops listening (Ctrl-C) does not wait for the pieces at work, and the rest is never begun.
    """
    # What travels must be under way before somebody is free for it; a thread here then only waits.
    at_once = worked_at_once(jobs) * (1 if hired() is None else 2)
    waiting: list[Future[Any]] = []
    pool = ThreadPoolExecutor(at_once)
    try:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > at_once:
                wait(waiting, return_when=FIRST_COMPLETED)
                for future in [each for each in waiting if each.done()]:
                    waiting.remove(future)
                    yield future.result()
        for future in waiting:
            yield future.result()
    except BaseException:
        # A piece may take minutes, and nobody wants it any more.
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown(wait=True)
