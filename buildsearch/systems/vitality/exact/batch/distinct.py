"""Equal rows found once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def distinct_rows(rows: NDArray[np.generic]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The index of one row of each kind, and the kind of every row."""
    rows = np.ascontiguousarray(rows)
    if rows.ndim == 2 and rows.shape[1] == 1:
        keys: NDArray[np.generic] = rows[:, 0]
    else:
        keys = rows.reshape(len(rows), -1).view(np.dtype((np.void, rows[0].nbytes)))[:, 0]
    _, first, kinds = np.unique(keys, return_index=True, return_inverse=True)
    return first.astype(np.int64), kinds.astype(np.int64).ravel()


def bits_of(masks: NDArray[np.uint64], size: int) -> NDArray[np.bool_]:
    """The bits of each row as columns."""
    places = np.arange(size)
    words = masks[:, places // 64] >> (places % 64).astype(np.uint64)
    return (words & np.uint64(1)).astype(bool)


def mask_where(columns: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """The words whose bits are set where the columns are."""
    mask = np.zeros(words, np.uint64)
    for i in np.flatnonzero(columns):
        mask[i // 64] |= np.uint64(1) << np.uint64(i % 64)
    return mask
