"""Digests tell plans apart, and streams start from them."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.systems.vitality.kernel.content import digest_rows, stream_states


def digest(words):
    return tuple(digest_rows(np.array([words], np.uint64))[0].tolist())


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
    assert [tuple(row.tolist()) for row in digest_rows(rows)] == [digest(row) for row in rows]


def test_streams_depend_on_seed_content_and_block():
    def state(seed, content, block):
        return tuple(states[seed][content - 3, block].tolist())

    contents = np.array([[3] * 4, [4] * 4], np.uint64)
    states = {seed: stream_states(seed, contents, np.arange(2)) for seed in (0, 1, 2**70)}
    found = {state(seed, content, block) for seed in states for content in (3, 4) for block in (0, 1)}
    assert len(found) == 12
    np.testing.assert_array_equal(states[1][1:, 1:], stream_states(1, contents[1:], np.array([1])))
