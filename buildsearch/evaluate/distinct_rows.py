"""Equal rows of an array found once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.arrays import Bools, Ints

_MOST = 1 << 62


def distinct_rows(rows: NDArray[np.generic]) -> tuple[Ints, Ints]:
    """The index of one row of each kind, and the kind of every row."""
    keys = _as_one_number(rows)
    if keys is None:
        rows = np.ascontiguousarray(rows)
        keys = rows.reshape(len(rows), -1).view(np.dtype((np.void, rows[0].nbytes)))[:, 0]
    _, first, kinds = np.unique(keys, return_index=True, return_inverse=True)
    return first.astype(np.int64), kinds.astype(np.int64).ravel()


def _as_one_number(rows: NDArray[np.generic]) -> NDArray[np.generic] | None:
    """A number for every row that tells rows apart, as sorting these is fast; None: it would be too large."""
    if rows.shape[1] == 1:
        return rows[:, 0]
    if rows.dtype != np.int64 or len(rows) == 0:
        return None
    least = rows.min(axis=0)
    spans = [int(most) - int(low) + 1 for low, most in zip(least, rows.max(axis=0), strict=True)]
    keys, size = np.zeros(len(rows), np.int64), 1
    for i, span in enumerate(spans):
        if span == 1:
            continue
        size *= span
        if size > _MOST:
            return None
        keys = keys * span + (rows[:, i] - least[i])
    return keys


def bits_of(masks: NDArray[np.uint64], size: int) -> Bools:
    """The bits of each row as columns."""
    places = np.arange(size)
    words = masks[:, places // 64] >> (places % 64).astype(np.uint64)
    return (words & np.uint64(1)).astype(bool)


def mask_where(columns: Bools, words: int) -> NDArray[np.uint64]:
    """The words whose bits are set where the columns are."""
    mask = np.zeros(words, np.uint64)
    for i in np.flatnonzero(columns):
        mask[i // 64] |= np.uint64(1) << np.uint64(i % 64)
    return mask
