"""Builds by row: the builds of chunks, one chunk after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.arrays import Ints
from buildsearch.model.space import Chunk


def by_group(chunks: Iterable[Chunk]) -> list[Chunk]:
    """One chunk for each group, in the order in which groups first come."""
    codes: dict[str, list[NDArray[np.uint64]]] = {}
    for chunk in chunks:
        codes.setdefault(chunk.group, []).append(chunk.codes)
    return [Chunk(group, np.concatenate(some)) for group, some in codes.items()]


class BuildList:
    """What knows the row, the group and the codes of each build."""

    chunks: Sequence[Chunk]

    @property
    def starts(self) -> Ints:
        """The row of each chunk's first build, and one after the last."""
        return np.concatenate([[0], np.cumsum([len(chunk) for chunk in self.chunks])]).astype(np.int64)

    def chunk_numbers(self, rows: Ints) -> Ints:
        return np.searchsorted(self.starts, rows, side="right") - 1

    def by_chunk(self, rows: Ints) -> Iterator[tuple[Ints, Chunk]]:
        """Some builds, those of one chunk at a time: their places in `rows`, and a chunk of them."""
        starts, numbers = self.starts, self.chunk_numbers(rows)
        for number in np.unique(numbers):
            mine = np.flatnonzero(numbers == number)
            yield mine, self.chunks[number].some(rows[mine] - starts[number])

    def one(self, row: int) -> Chunk:
        """One build, as its space reads it."""
        ((_, chunk),) = self.by_chunk(np.array([row]))
        return chunk

    def find(self, one: Chunk) -> int | None:
        """The row of the only build of a chunk; None if it is not here."""
        for start, chunk in zip(self.starts, self.chunks, strict=False):
            if chunk.group == one.group:
                found = np.flatnonzero((chunk.codes == one.codes[0]).all(axis=1))
                if len(found):
                    return int(start + found[0])
        return None

    def groups(self) -> tuple[tuple[str, ...], Ints]:
        """The groups' names, and the place of each build's group among them."""
        names = tuple(dict.fromkeys(chunk.group for chunk in self.chunks))
        numbers = [np.full(len(chunk), names.index(chunk.group), np.int64) for chunk in self.chunks]
        return names, np.concatenate([np.zeros(0, np.int64), *numbers])

    def codes(self) -> NDArray[np.uint64]:
        return np.concatenate([chunk.codes for chunk in self.chunks])
