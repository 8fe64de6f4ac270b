"""Alias tables state exactly what they draw."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.evaluate.alias_tables import bits_for, fill_alias, integer_weights, table_weights

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
