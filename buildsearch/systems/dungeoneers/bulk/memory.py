"""Values that were worked out before, by their two words."""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
_WORDS = np.dtype([("first", np.uint64), ("second", np.uint64)])


class Memory:
    """Sorted words with their values; threads may ask and add."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: tuple[NDArray[np.void], NDArray[np.float64]] = (np.empty(0, _WORDS), np.empty(0))

    def find(self, words: NDArray[np.void]) -> NDArray[np.float64]:
        """The values of sorted words; infinity where nothing is known."""
        known, values = self._known  # one reference: nobody changes these arrays, they are replaced
        found = np.full(len(words), np.inf)
        if len(known):
            at = np.minimum(np.searchsorted(known["first"], words["first"]), len(known) - 1)
            same = known[at] == words
            found[same] = values[at[same]]
        return found

    def add(self, words: NDArray[np.void], values: NDArray[np.float64]) -> None:
        """Keep values of words that were not known."""
        with self._lock:
            known, old = self._known
            both, all_values = np.concatenate([known, words]), np.concatenate([old, values])
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
