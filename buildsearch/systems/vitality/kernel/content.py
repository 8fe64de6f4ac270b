"""Digests of compiled plans, and the random streams that start from them.

Compiled code, since bulk runs digest hundreds of thousands of plans. Not cryptographic: it tells plans
apart, nobody attacks it. Each word goes through a bijection of one of four lanes, so two tables that differ
in one word never collide, and others do with a chance of about 2^-64 at worst.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.streams import content_digest

WORDS = 4
_A, _B, _C, _D = (
    np.uint64(word)
    for word in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = (np.uint64(bits) for bits in (27, 30, 31, 32))
_ROUNDS = 3


@njit(cache=True, nogil=True)
def digest_into(words: NDArray[np.uint64], digest: NDArray[np.uint64]) -> None:
    """Four words that stand for any number of words."""
    a = _A
    b = _B
    c = _C
    d = _D
    whole = len(words) // 4 * 4
    for i in range(0, whole, 4):
        a = (a ^ words[i]) * _A
        b = (b ^ words[i + 1]) * _B
        c = (c ^ words[i + 2]) * _C
        d = (d ^ words[i + 3]) * _D
        a ^= a >> _S32
        b ^= b >> _S32
        c ^= c >> _S32
        d ^= d >> _S32
    for i in range(whole, len(words)):
        a = (a ^ words[i]) * _A
        a ^= a >> _S32
    d ^= np.uint64(len(words))
    # SplitMix64's finisher (Steele, Lea and Flood 2014), round after round until every lane met every other.
    for _ in range(_ROUNDS):
        a += d
        a = (a ^ (a >> _S30)) * _MIX1
        a = (a ^ (a >> _S27)) * _MIX2
        a ^= a >> _S31
        b += a
        b = (b ^ (b >> _S30)) * _MIX1
        b = (b ^ (b >> _S27)) * _MIX2
        b ^= b >> _S31
        c += b
        c = (c ^ (c >> _S30)) * _MIX1
        c = (c ^ (c >> _S27)) * _MIX2
        c ^= c >> _S31
        d += c
        d = (d ^ (d >> _S30)) * _MIX1
        d = (d ^ (d >> _S27)) * _MIX2
        d ^= d >> _S31
    digest[0] = a
    digest[1] = b
    digest[2] = c
    digest[3] = d


@njit(cache=True, nogil=True)
def digest_rows(rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The digest of each row."""
    digests = np.zeros((len(rows), WORDS), np.uint64)
    for i in range(len(rows)):
        digest_into(rows[i], digests[i])
    return digests


@njit(cache=True, nogil=True)
def plan_digest(
    header: NDArray[np.uint64],
    setup: NDArray[np.uint64],
    foes: NDArray[np.uint64],
    rows: NDArray[np.uint64],
    digest: NDArray[np.uint64],
) -> None:
    """A plan's digest: version and retaliation, settings, foes, and the digests of the rows of its tables.

    Which rows there are follows from the settings.
    """
    words = np.zeros(len(header) + len(setup) + len(foes) + rows.size, np.uint64)
    at = 0
    for i in range(len(header)):
        words[at + i] = header[i]
    at += len(header)
    for i in range(len(setup)):
        words[at + i] = setup[i]
    at += len(setup)
    for i in range(len(foes)):
        words[at + i] = foes[i]
    at += len(foes)
    for i in range(len(rows)):
        for j in range(WORDS):
            words[at] = rows[i, j]
            at += 1
    digest_into(words, digest)


@njit(cache=True, nogil=True)
def stream_into(
    seed: NDArray[np.uint64], content: NDArray[np.uint64], block: int, state: NDArray[np.uint64]
) -> None:
    """The generator's first state for one block of one plan."""
    words = np.zeros(2 * WORDS + 1, np.uint64)
    for i in range(WORDS):
        words[i] = seed[i]
        words[WORDS + i] = content[i]
    words[2 * WORDS] = np.uint64(block)
    digest_into(words, state)
    if (state[0] | state[1] | state[2] | state[3]) == 0:
        state[0] = np.uint64(1)  # xoshiro cannot leave all zeros; a matter of form at 2^-256


def seed_words(seed: int) -> NDArray[np.uint64]:
    """A run's seed, of any size, as words."""
    return words_of(content_digest(str(seed).encode()))


def words_of(content: bytes) -> NDArray[np.uint64]:
    """Bytes of a digest as words."""
    return np.frombuffer(content, dtype="<u8").astype(np.uint64)
