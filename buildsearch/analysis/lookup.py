"""From a build's key to its row: an open hash table, because millions of builds are asked for at random."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]
# Two odd numbers below 2^30: the products of the key's halves stay within 63 bits, compiled or not.
_LOW = 1013904223
_HIGH = 668265261
_HALF = (1 << 31) - 1
_NOBODY = np.int32(-1)


def make_slots(keys: Ints) -> NDArray[np.int32]:
    """The hash table of some keys, at most half full; raises ValueError if two keys are the same."""
    bits = max(4, int(2 * len(keys)).bit_length())
    slots = np.full(1 << bits, _NOBODY, dtype=np.int32)
    if not _fill(keys, slots):
        raise ValueError("Two builds have the same key.")
    return slots


def find_rows(keys: Ints, slots: NDArray[np.int32], wanted: Ints) -> NDArray[np.int32]:
    """The row of each wanted key, -1 where nobody has it."""
    rows = np.empty(len(wanted), dtype=np.int32)
    _find_all(keys, slots, wanted, rows)
    return rows


@njit(cache=True, nogil=True)
def find(keys: Ints, slots: NDArray[np.int32], key: int) -> int:
    """The row of one key, -1 where nobody has it."""
    mask = len(slots) - 1
    mixed = (key & _HALF) * _LOW + (key >> 31) * _HIGH
    at = (mixed ^ (mixed >> 27)) & mask
    while slots[at] >= 0:
        if keys[slots[at]] == key:
            return int(slots[at])
        at = (at + 1) & mask
    return -1


@njit(cache=True, nogil=True)
def _fill(keys: Ints, slots: NDArray[np.int32]) -> bool:
    mask = len(slots) - 1
    for row in range(len(keys)):
        mixed = (keys[row] & _HALF) * _LOW + (keys[row] >> 31) * _HIGH
        at = (mixed ^ (mixed >> 27)) & mask
        while slots[at] >= 0:
            if keys[slots[at]] == keys[row]:
                return False
            at = (at + 1) & mask
        slots[at] = row
    return True


@njit(cache=True, nogil=True)
def _find_all(keys: Ints, slots: NDArray[np.int32], wanted: Ints, rows: NDArray[np.int32]) -> None:
    for i in range(len(wanted)):
        rows[i] = find(keys, slots, wanted[i])
