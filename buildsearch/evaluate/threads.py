"""Work in threads of this process, and how far they are.

Threads, because the kernels release the GIL: processes would take seconds to start, and copy every array.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

# By thread the builds of its task that are done.
_done: dict[int, float] = {}


def thread_count(jobs: int) -> int:
    """How many threads a number of jobs means; -1 is one for each core."""
    return (os.cpu_count() or 1) if jobs == -1 else max(1, jobs)


def in_threads(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """The results as they come. One item more than there are threads is taken ahead: an item, and a result
    that is not read yet, may be a whole table.

    After Ctrl-C, or when the caller stops reading, running work is not waited for and the rest never begins.
    """
    waiting: list[Future[Result]] = []
    pool = ThreadPoolExecutor(threads)
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > threads:
                wait(waiting, return_when=FIRST_COMPLETED)
                for future in [each for each in waiting if each.done()]:
                    waiting.remove(future)
                    yield future.result()
        for future in waiting:
            yield future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown(wait=True)


def in_parallel(work: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> list[Result]:
    """The results in the order of the items, which are taken as they are needed."""
    if jobs == 1:
        return [work(item) for item in items]
    numbered = in_threads(lambda item: (item[0], work(item[1])), enumerate(items), thread_count(jobs))
    return [result for _, result in sorted(numbered, key=lambda each: each[0])]


@contextmanager
def counted_task() -> Iterator[None]:
    """This thread is at a task, and `tell` says how much of it is done."""
    me = threading.get_ident()
    _done[me] = 0.0
    try:
        yield
    finally:
        del _done[me]


def tell(builds: float) -> None:
    """More builds of this thread's task are done."""
    me = threading.get_ident()
    if me in _done:
        _done[me] += builds


def under_way() -> float:
    return sum(list(_done.values()))
