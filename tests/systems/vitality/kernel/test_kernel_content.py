"""Digests tell plans apart, and streams start from them."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.systems.vitality.kernel.content import digest_into, digest_rows, seed_words, stream_into


def digest(words):
    found = np.zeros(4, np.uint64)
    with np.errstate(over="ignore"):
        digest_into(np.array(words, np.uint64), found)
    return tuple(found.tolist())


@pytest.mark.parametrize("size", range(10))
def test_every_word_and_the_length_count(size):
    words = list(range(size))
    others = [[word + (i == j) for i, word in enumerate(words)] for j in range(size)]
    others += [[*words, 0], [*reversed(words)]] if size > 1 else [[*words, 0]]
    assert len({digest(words), *map(digest, others)}) == 1 + len(others)


def test_about_half_the_bits_change_with_one():
    changed = [
        sum((a ^ b).bit_count() for a, b in zip(digest([0] * 9), digest([0] * i + [1 << bit] + [0] * (8 - i)),
                                                strict=True))
        for i in range(9)
        for bit in (0, 31, 63)
    ]  # fmt: skip
    assert 128 - 50 < min(changed) <= max(changed) < 128 + 50


def test_rows_are_digested_one_by_one():
    rows = np.arange(12, dtype=np.uint64).reshape(3, 4)
    with np.errstate(over="ignore"):
        assert [tuple(row.tolist()) for row in digest_rows(rows)] == [digest(row) for row in rows]


def test_streams_depend_on_seed_content_and_block():
    def state(seed, content, block):
        found = np.zeros(4, np.uint64)
        with np.errstate(over="ignore"):
            stream_into(seed_words(seed), np.full(4, content, np.uint64), block, found)
        return tuple(found.tolist())

    states = {state(seed, content, block) for seed in (0, 1, 2**70) for content in (3, 4) for block in (0, 1)}
    assert len(states) == 12
    assert state(1, 3, 0) == state(1, 3, 0)
