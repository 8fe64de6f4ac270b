"""The one way to run pieces of work side by side.

Threads: the kernels release the GIL, and processes would take seconds to start and copies of every array.
The one other way is `in_threads` of `search/scoring.py`: it gives results as they come, and on Ctrl-C waits
for no piece that is at work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def in_parallel(work: Callable[[Piece], Result], pieces: Iterable[Piece], jobs: int) -> list[Result]:
    """The results in the order of the pieces, which are taken as they are needed."""
    if jobs == 1:
        return [work(piece) for piece in pieces]
    from joblib import Parallel, delayed

    # One piece waits for each that is worked on, no more: a piece may be a whole table.
    waiting = Parallel(n_jobs=jobs, backend="threading", pre_dispatch="1*n_jobs")
    return list(waiting(delayed(work)(piece) for piece in pieces))
