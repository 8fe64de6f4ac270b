"""Randomness by content, alias tables, blocks of fights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.evaluate.alias_tables import bits_for, fill_alias, integer_weights, table_weights
from buildsearch.evaluate.randomness import content_digest, next_word
from buildsearch.evaluate.sampling import BLOCK, Tally, sample
from buildsearch.model.evaluation import Sampling


def runner(log, spread=4):
    def run(block, fights):
        log.append((block, fights))
        outcomes = np.random.default_rng(block).integers(10, 10 + spread, fights)
        return Tally(np.bincount(outcomes, minlength=40).astype(np.int64), np.array([fights]))

    return run


def test_blocks_are_whole_but_for_the_last():
    log = []
    tally = sample(runner(log), Sampling(2 * BLOCK + 5))
    assert sorted(log) == [(0, BLOCK), (1, BLOCK), (2, 5)]
    assert tally.fights == tally.counts[0] == 2 * BLOCK + 5


@pytest.mark.parametrize("jobs", [2, 8, -1])
@pytest.mark.parametrize("target", [None, 0.001])
def test_workers_do_not_matter(jobs, target):
    one = sample(runner([]), Sampling(5 * BLOCK + 1, jobs=1, target_error=target))
    many = sample(runner([]), Sampling(5 * BLOCK + 1, jobs=jobs, target_error=target))
    assert one.histogram.tolist() == many.histogram.tolist()


def test_sampling_to_a_target_doubles_until_it_is_reached():
    log = []
    sample(runner(log, spread=25), Sampling(1, target_error=0.004))
    blocks = [block for block, _ in log]
    assert blocks == list(range(len(blocks)))
    assert len(blocks) in (4, 8, 16)
    assert all(fights == BLOCK for _, fights in log)


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


chances = st.lists(st.floats(0, 1), min_size=1, max_size=40).filter(lambda values: sum(values) > 1e-3)


def table(probabilities):
    weights = np.zeros(len(probabilities), np.int64)
    integer_weights(probabilities, weights)
    bits = bits_for(len(probabilities))
    row = np.zeros(1 << bits, np.int64)
    codes = np.arange(len(probabilities), dtype=np.int64) * 3 + 5
    fill_alias(weights, codes, bits, row)
    return weights, codes, bits, row


@given(chances)
def test_a_table_gives_back_the_weights_it_was_made_of(values):
    probabilities = np.array(values) / np.sum(values)
    weights, codes, bits, row = table(probabilities)
    assert weights.sum() == 1 << 32
    assert np.abs(weights / 2**32 - probabilities).max() < len(values) / 2**32
    wanted = {int(code): int(weight) for code, weight in zip(codes, weights, strict=True) if weight}
    assert table_weights(row, bits) == wanted


@given(chances, st.integers(0, 2**32 - 1))
def test_every_draw_is_one_of_the_outcomes(values, word):
    probabilities = np.array(values) / np.sum(values)
    weights, codes, bits, row = table(probabilities)
    shift = 32 - bits
    entry = int(row[word >> shift])
    low = word & ((1 << shift) - 1)
    code = entry & 0xFFFF if low < entry >> 32 else (entry >> 16) & 0xFFFF
    assert weights[codes.tolist().index(code)] > 0


def test_sizes():
    assert [bits_for(n) for n in (1, 2, 4, 5, 8, 9, 203)] == [2, 2, 2, 3, 3, 4, 8]
