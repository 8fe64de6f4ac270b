"""Random streams that depend on what is computed, not on who computes it or when."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray


def content_digest(*parts: bytes) -> bytes:
    """A digest of parts; where one part ends and the next begins matters."""
    digest = hashlib.blake2b(digest_size=32)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


def stream_state(seed: int, content: bytes, block: int) -> NDArray[np.uint64]:
    """The generator's first state for one block of one evaluation.

    `content` is the digest of the compiled build and scenario: names, prices, worker counts and the order of
    work have no part in it, so they cannot move a result.
    """
    words = content_digest(str(seed).encode(), content, str(block).encode())
    state = np.frombuffer(words, dtype="<u8").astype(np.uint64)
    if not state.any():  # the one state that xoshiro cannot leave; a matter of form at 2^-256
        state[0] = np.uint64(1)
    return state
