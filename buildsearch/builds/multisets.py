"""Multisets of a fixed size with a limit a kind (decks): counted, listed, sampled, and one swap away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds._bounded import (
    BoundedLines,
    count_lines,
    legal_lines,
    row_of,
    sample_lines,
    transfers,
)
from buildsearch.builds._checks import whole_number, whole_numbers
from buildsearch.builds._multiset_kernels import MultisetState, fill_multisets

_UINT8_MAX = 255


@dataclass(frozen=True)
class MultisetProblem:
    """Multisets of `size` items, of each kind at most its limit; a limit of `size` or more is no limit."""

    limits: tuple[int, ...]
    size: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "limits", whole_numbers(self.limits, "The limit of kind"))
        object.__setattr__(self, "size", whole_number(self.size, "The size"))
        if max(_room(self), default=0) > _UINT8_MAX:
            raise ValueError(f"A kind may come at most {_UINT8_MAX} times, because counts are kept as bytes.")


def count_multisets(problem: MultisetProblem) -> int:
    """Count the multisets by dynamic programming."""
    return count_lines(_lines(problem))


def iter_multisets(problem: MultisetProblem, chunk_size: int = 1 << 16) -> Iterator[NDArray[np.uint8]]:
    """List the multisets as counts a kind (m, kinds), in lexicographic order, each array with its own memory.

    Every array but the last has `chunk_size` rows, and none is empty.
    """
    # A generator of its own, so that a wrong argument is refused here and not at the first step.
    return _chunks(problem, whole_number(chunk_size, "The chunk size", least=1))


def _chunks(problem: MultisetProblem, chunk_size: int) -> Iterator[NDArray[np.uint8]]:
    state = _state_at_start(problem)
    while True:
        chunk = np.empty((chunk_size, len(problem.limits)), dtype=np.uint8)
        rows = int(fill_multisets(state, chunk))
        if rows < chunk_size:
            if rows:
                # A copy, because a slice would keep the whole chunk alive.
                yield chunk[:rows].copy()
            return
        yield chunk


def sample_multisets(problem: MultisetProblem, size: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw multisets with replacement, all equally likely, as an array (size, kinds); nothing is listed."""
    return sample_lines(_lines(problem), size, rng).astype(np.uint8)


def multiset_neighbours(problem: MultisetProblem, counts: NDArray[Any]) -> NDArray[np.uint8]:
    """Give the legal multisets at one swap from `counts`: one item out, one of another kind in.

    Ordered by the kind that leaves, then by the kind that comes.
    """
    rows = row_of(counts, len(problem.limits)) + transfers(len(problem.limits))
    return rows[legal_lines(_lines(problem), rows)].astype(np.uint8)


def is_multiset_legal(problem: MultisetProblem, counts: NDArray[Any]) -> bool:
    """Tell whether the counts a kind are one of the problem's multisets."""
    return bool(legal_lines(_lines(problem), row_of(counts, len(problem.limits))[np.newaxis])[0])


def _room(problem: MultisetProblem) -> tuple[int, ...]:
    """Give the most that can come of each kind."""
    return tuple(min(limit, problem.size) for limit in problem.limits)


def _lines(problem: MultisetProblem) -> BoundedLines:
    return BoundedLines((1,) * len(problem.limits), _room(problem), problem.size, exact=True)


def _state_at_start(problem: MultisetProblem) -> MultisetState:
    """Give the least multiset: everything as far back as it goes."""
    room = _room(problem)
    counts = np.zeros(len(room), dtype=np.int64)
    rest = problem.size
    for kind in reversed(range(len(room))):
        counts[kind] = min(room[kind], rest)
        rest -= int(counts[kind])
    return MultisetState(np.array(room, dtype=np.int64), counts, np.array([rest == 0], dtype=np.bool_))
