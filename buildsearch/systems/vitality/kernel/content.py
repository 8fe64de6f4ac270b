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

from buildsearch.engines.jit import step
from buildsearch.evaluate.randomness import content_digest

WORDS = 4
_A, _B, _C, _D = (
    np.uint64(word)
    for word in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = (np.uint64(bits) for bits in (27, 30, 31, 32))
_ROUNDS = 3


@step
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
def _fill_digests(rows: NDArray[np.uint64], digests: NDArray[np.uint64]) -> None:
    for i in range(len(rows)):
        digest_into(rows[i], digests[i])


def digest_rows(rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    digests = np.zeros((len(rows), WORDS), np.uint64)
    # Only without the JIT (for coverage) would numpy warn that digests wrap around, as they must.
    with np.errstate(over="ignore"):
        _fill_digests(np.ascontiguousarray(rows), digests)
    return digests


def stream_states(seed: int, contents: NDArray[np.uint64], blocks: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The generator's first state, by plan and number of a block."""
    words = np.zeros((len(contents), len(blocks), 2 * WORDS + 1), np.uint64)
    words[:, :, :WORDS] = np.frombuffer(content_digest(str(seed).encode()), "<u8")  # a seed of any size
    words[:, :, WORDS : 2 * WORDS] = contents[:, None]
    words[:, :, 2 * WORDS] = blocks
    states = digest_rows(words.reshape(-1, 2 * WORDS + 1))
    states[~states.any(axis=1), 0] = 1  # xoshiro cannot leave all zeros; a matter of form at 2^-256
    return states.reshape(len(contents), len(blocks), WORDS)
