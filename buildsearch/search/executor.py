"""Where tasks run: in threads of this process, or on a cluster (`cluster/dask_executor.py`).

A task holds all that its result depends on (builds, fight, seed, engine), so the result is the same wherever
it runs and on however many workers. `CachedScorer` makes tasks of what the cache lacks, and everything that
scores is handed such a scorer with its executor.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, Protocol, TypeVar

from buildsearch.evaluate.threads import in_threads, thread_count
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import Chunk

Item = TypeVar("Item")
Result = TypeVar("Result")


class Task(Protocol[Result]):
    """Work that can be pickled."""

    @property
    def key(self) -> bytes:
        """Digest of all that the result depends on."""

    def run(self) -> Result: ...

    def pack(self, result: Result) -> bytes:
        """The result as a worker sends it."""

    def unpack(self, data: bytes) -> Result:
        """And back; raises UsageError for the result of another task."""


class Shared:
    """What many tasks hold, such as a scorer: pickled once, and unpickled once by each worker."""

    def __init__(self, value: Any) -> None:
        self.value = value

    @cached_property
    def data(self) -> bytes:
        return pickle.dumps(self.value, protocol=5)

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (self.data,)


# Scorers and fights remember what they worked out, so a worker keeps them from task to task.
@lru_cache(maxsize=64)
def _received(data: bytes) -> Shared:
    return Shared(pickle.loads(data))  # noqa: S301 - Dask runs whatever a client sends; see docs/cluster.md


class Executor:
    """Threads of this process: as many as `jobs` says, -1 being one for each core."""

    is_remote = False

    def __init__(self, jobs: int = -1) -> None:
        self.threads = thread_count(jobs)

    @property
    def workers(self) -> int:
        return self.threads

    def run(self, task: Task[Result]) -> Result:
        return task.run()

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """The results as they come. `work` is done here, in threads, and may `run` tasks."""
        return in_threads(work, items, self.workers)

    def warm_up(self, scorer: BulkScorer, few: Sequence[Chunk], fights: Sequence[Any]) -> None:
        """Compile elsewhere what such builds need, before there is work."""


# A number of threads, or an executor that is there already.
Jobs = int | Executor


def executor_of(jobs: Jobs) -> Executor:
    return jobs if isinstance(jobs, Executor) else Executor(jobs)
