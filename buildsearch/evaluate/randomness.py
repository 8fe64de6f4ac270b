"""Random streams named by content, their generator, and dice."""

from __future__ import annotations

import hashlib
import random
from typing import Protocol

import numpy as np
from numba import njit


def content_digest(*parts: bytes) -> bytes:
    """A digest of parts; where one part ends and the next begins matters."""
    digest = hashlib.blake2b(digest_size=32)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


_R17, _R19, _R23, _R41, _R45 = (np.uint64(bits) for bits in (17, 19, 23, 41, 45))


@njit(inline="always")
def next_word(
    s0: np.uint64, s1: np.uint64, s2: np.uint64, s3: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """64 random bits and the state after them.

    Inlined into each kernel: called as a function, code that numba loads from its cache runs at half speed.
    """
    total = s0 + s3
    word = ((total << _R23) | (total >> _R41)) + s0
    shifted = s1 << _R17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << _R45) | (s3 >> _R19)
    return word, s0, s1, s2, s3


class Dice(Protocol):
    """A source of rolls."""

    def roll(self, sides: int) -> int: ...


class SeededDice:
    """Fair dice; the same seed gives the same rolls."""

    __slots__ = ("_random",)

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random  # noqa: S311 - dice, not secrets

    def roll(self, sides: int) -> int:
        return int(self._random() * sides) + 1
