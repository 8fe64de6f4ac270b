"""Bounded caches: of anything by its key, and of numbers by rows of numbers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.randomness import content_digest

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Words = NDArray[np.uint64]
_WORDS = np.dtype([("first", np.uint64), ("second", np.uint64)])
_MISSING: Any = object()


class LruCache(Generic[Key, Value]):
    """At most `most` values; the least recently used goes first.

    Threads may share it. Two that ask for the same new key at once both make a value, and get the same one.
    A pickled cache arrives empty.
    """

    def __init__(self, most: int = 16) -> None:
        self.most = most
        self._lock = Lock()
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[type[LruCache[Key, Value]], tuple[int]]:
        return LruCache, (self.most,)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key, made if it is missing."""
        with self._lock:
            value = self._values.get(key, _MISSING)
            if value is not _MISSING:
                self._values.move_to_end(key)
                return value  # type: ignore[no-any-return]
        made = make()
        with self._lock:
            value = self._values.setdefault(key, made)
            self._values.move_to_end(key)
            if len(self._values) > self.most:
                self._values.popitem(last=False)
            return value


class RowCache:
    """Numbers by the words of rows, sorted; threads may share it.

    Beyond `most` rows it starts again with those that were added last: 24 bytes a row, so 96 MB at most.
    """

    def __init__(self, most: int = 1 << 22) -> None:
        self.most = most
        self._lock = Lock()
        self._known: tuple[NDArray[np.void], NDArray[np.float64]] = (np.empty(0, _WORDS), np.empty(0))

    def __len__(self) -> int:
        return len(self._known[0])

    def find(self, words: NDArray[np.void]) -> NDArray[np.float64]:
        """The numbers of sorted words; infinity where none is known."""
        known, values = self._known  # one reference: these arrays are replaced, never changed
        found = np.full(len(words), np.inf)
        if len(known):
            at = np.minimum(np.searchsorted(known["first"], words["first"]), len(known) - 1)
            same = known[at] == words
            found[same] = values[at[same]]
        return found

    def add(self, words: NDArray[np.void], values: NDArray[np.float64]) -> None:
        """Keep the numbers of sorted words that were not known."""
        with self._lock:
            known, old = self._known
            both, all_values = np.concatenate([known, words]), np.concatenate([old, values])
            if len(both) > self.most:
                both, all_values = words[: self.most], values[: self.most]
            _, first = np.unique(both["first"], return_index=True)
            self._known = both[first], all_values[first]


def distinct(words: Words) -> tuple[NDArray[np.void], NDArray[np.int64], NDArray[np.int64]]:
    """Different pairs of words in order, where each stands first, and the number of each row's pair."""
    pairs = np.ascontiguousarray(words).view(_WORDS)[:, 0]
    _, first, where = np.unique(words[:, 0], return_index=True, return_inverse=True)
    if not (pairs[first][where] == pairs).all():
        # One word would do but once in many millions of runs; comparing both takes ten times as long.
        _, first, where = np.unique(pairs, return_index=True, return_inverse=True)
    return pairs[first], first, where


def words_of(rows: NDArray[np.int64], digests: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Two words for each row that tell rows apart: multiplied and mixed (splitmix64), column by column."""
    words = np.zeros((len(rows), 2), np.uint64)
    for column in range(rows.shape[1]):
        value = rows[:, column].astype(np.uint64)[:, None]
        mixed = (words ^ value) * np.uint64(0x9E3779B97F4A7C15) + digests[column]
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = mixed ^ (mixed >> np.uint64(27))
    return words


def column_digests(columns: int) -> NDArray[np.uint64]:
    """Two words for each column, for `words_of`."""
    names = [i.to_bytes(1 if i < 256 else 2, "little") for i in range(columns)]
    words = [np.frombuffer(content_digest(b"column", name)[:16], "<u8") for name in names]
    return np.array(words, np.uint64)
