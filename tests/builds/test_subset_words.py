"""Masks of several words against masks of one, and both kernels against each other."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.builds.subset_search import SubsetStream
from buildsearch.builds.subsets import (
    SubsetProblem,
    count_subsets,
    indices_of,
    is_subset_legal,
    iter_subsets,
    mask_of,
    sample_subsets,
    subset_costs,
    subset_neighbours,
)

from .helpers import choices, listed, problem_of, spread


def shifted(subsets, offset):
    return [tuple(i + offset for i in subset) for subset in subsets]


@settings(deadline=None, max_examples=60)
@given(choices(), st.sampled_from([(0, 65), (60, 71), (54, 130), (64, 128), (120, 130)]), st.integers(1, 50))
def test_more_words_change_nothing(choice, place, chunk_size):
    offset, options = place
    narrow, wide = problem_of(choice), problem_of(spread(choice, offset, options))
    assert (narrow.words, wide.words) == (1, 2 if options <= 128 else 3)
    expected = listed(narrow)
    assert listed(wide, chunk_size) == shifted(expected, offset)
    assert count_subsets(wide) == len(expected)


@settings(deadline=None, max_examples=60)
@given(choices(), st.integers(1, 50))
def test_both_kernels_give_the_same_rows(choice, rows):
    rules = problem_of(choice).kernel_rules
    streams = SubsetStream(rules, one_word=True), SubsetStream(rules, one_word=False)
    while True:
        outs = [np.zeros((rows, 1), dtype=np.uint64) for _ in streams]
        written = [stream.fill(out) for stream, out in zip(streams, outs, strict=True)]
        assert written[0] == written[1]
        assert np.array_equal(*outs)
        if written[0] < rows:
            break
    assert [stream.fill(outs[0]) for stream in streams] == [0, 0]  # an exhausted stream stays so


@settings(deadline=None, max_examples=20)
@given(choices(most=7), st.integers(0, 2**7 - 1))
def test_neighbours_legality_and_costs_across_words(choice, bits):
    subset = tuple(i for i in range(len(choice.costs)) if bits >> i & 1)
    narrow, wide = problem_of(choice), problem_of(spread(choice, 61, 70))
    near, far = mask_of(subset, 1), mask_of(shifted([subset], 61)[0], 2)
    assert is_subset_legal(narrow, near) == is_subset_legal(wide, far)
    assert subset_costs(narrow, near[np.newaxis]) == subset_costs(wide, far[np.newaxis])
    found = [indices_of(row) for row in subset_neighbours(narrow, near)]
    assert [indices_of(row) for row in subset_neighbours(wide, far)] == shifted(found, 61)


@pytest.mark.parametrize("options", [64, 65, 130])
def test_many_options(options):
    # Neighbouring options exclude one another, so pairs are those at a distance of two or more.
    problem = SubsetProblem.from_pairs([1] * options, [(i, i + 1) for i in range(options - 1)], 2)
    pairs = (options - 1) * (options - 2) // 2
    assert count_subsets(problem) == 1 + options + pairs
    masks = np.concatenate(list(iter_subsets(problem, 1000)))
    found = [indices_of(row) for row in masks]
    assert found == sorted(set(found))
    assert (options - 1,) in found
    assert all(is_subset_legal(problem, row) for row in masks[:: len(masks) // 50])
    assert np.array_equal(subset_costs(problem, masks), [len(subset) for subset in found])
    drawn = sample_subsets(problem, 20, np.random.default_rng(1))
    assert {indices_of(row) for row in drawn} <= set(found)


def test_all_64_bits_of_a_word_can_be_taken():
    problem = SubsetProblem.from_pairs([1] * 64, [], 64, required=range(1, 64))
    assert listed(problem) == [tuple(range(1, 64)), tuple(range(64))]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="a million subsets take too long without the compiler")
def test_both_widths_agree_on_a_large_problem():
    rng = np.random.default_rng(11)
    costs = rng.integers(1, 4, size=40).tolist()
    exclusions = [tuple(rng.choice(40, size=2, replace=False).tolist()) for _ in range(50)]
    narrow = SubsetProblem.from_pairs(costs, exclusions, 12)
    wide = SubsetProblem.from_pairs(costs + [1] * 30, exclusions, 12, allowed=range(40))
    total = 0
    for near, far in zip(iter_subsets(narrow), iter_subsets(wide), strict=True):
        assert np.array_equal(near[:, 0], far[:, 0])
        assert not far[:, 1].any()
        assert subset_costs(narrow, near).max() <= 12
        total += len(near)
    assert total == count_subsets(narrow) == count_subsets(wide) > 10**6
