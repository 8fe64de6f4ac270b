"""Streams follow from content; the generator is xoshiro256++."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.evaluate.randomness import content_digest, next_word, stream_state

MASK = (1 << 64) - 1


def rotated(word, by):
    return ((word << by) | (word >> (64 - by))) & MASK


def plain_xoshiro(s, steps):
    """The generator as its authors publish it, in Python's integers."""
    s, words = list(s), []
    for _ in range(steps):
        words.append((rotated((s[0] + s[3]) & MASK, 23) + s[0]) & MASK)
        shifted = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
    return words


@given(st.lists(st.integers(0, MASK), min_size=4, max_size=4))
def test_the_generator_is_the_published_one(state):
    now = [np.uint64(word) for word in state]
    words = []
    with np.errstate(over="ignore"):
        for _ in range(8):
            # Called from Python, compiled code gives plain integers back, which are not unsigned.
            word, *now = (np.uint64(value) for value in next_word(*now))
            words.append(int(word))
    assert words == plain_xoshiro(state, 8)


def test_parts_of_a_digest_do_not_run_together():
    assert content_digest(b"ab", b"c") != content_digest(b"a", b"bc")
    assert content_digest(b"ab") != content_digest(b"ab", b"")


def test_seed_content_and_block_each_give_another_stream():
    states = {
        tuple(stream_state(seed, content, block).tolist())
        for seed in (0, 1, -1)
        for content in (b"x", b"y")
        for block in range(5)
    }
    assert len(states) == 30
    assert stream_state(7, b"x", 3).tolist() == stream_state(7, b"x", 3).tolist()
