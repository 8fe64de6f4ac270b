from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from buildsearch.builds.multisets import (
    MultisetProblem,
    count_multisets,
    iter_multisets,
    multiset_neighbours,
    sample_multisets,
)

from . import naive
from .helpers import rows

problems = st.builds(MultisetProblem, st.lists(st.integers(0, 3), max_size=5).map(tuple), st.integers(0, 8))


def space_of(problem):
    return naive.lines((1,) * len(problem.limits), problem.limits, problem.size, exact=True)


@settings(deadline=None, max_examples=120)
@given(problems, st.integers(1, 20))
def test_listing_is_the_twins_in_the_twins_order(problem, chunk_size):
    expected = space_of(problem)
    chunks = list(iter_multisets(problem, chunk_size))
    assert [row for chunk in chunks for row in rows(chunk)] == expected
    assert all(len(chunk) == chunk_size for chunk in chunks[:-1])
    assert all(len(chunk) and chunk.flags.owndata and chunk.dtype == np.uint8 for chunk in chunks)
    assert count_multisets(problem) == len(expected)


@settings(deadline=None, max_examples=60)
@given(problems, st.integers(0, 20), st.integers(0, 2**32))
def test_samples_come_from_the_space(problem, size, seed):
    space = space_of(problem)
    rng = np.random.default_rng(seed)
    if size and not space:
        with pytest.raises(ValueError, match="no legal line"):
            sample_multisets(problem, size, rng)
        return
    drawn = sample_multisets(problem, size, rng)
    assert drawn.shape == (size, len(problem.limits))
    assert set(rows(drawn)) <= set(space)


@settings(deadline=None, max_examples=60)
@given(problems, st.data())
def test_neighbours_are_the_legal_multisets_at_one_swap(problem, data):
    counts = tuple(data.draw(st.integers(0, 4)) for _ in problem.limits)
    space = space_of(problem)
    array = np.array(counts, dtype=np.uint8)
    found = rows(multiset_neighbours(problem, array))
    assert sorted(found) == [other for other in space if naive.is_swap(counts, other)]


def test_swaps_come_by_the_kind_that_leaves_then_the_kind_that_comes():
    problem = MultisetProblem((2, 2, 1), 3)
    assert rows(multiset_neighbours(problem, np.array([2, 1, 0]))) == [(1, 2, 0), (1, 1, 1), (2, 0, 1)]


def test_sampling_is_uniform():
    problem = MultisetProblem((3, 1, 2, 2), 4)
    found = rows(sample_multisets(problem, 4000, np.random.default_rng(77)))
    assert chisquare([found.count(line) for line in space_of(problem)]).pvalue > 0.001


def test_known_decks():
    free = MultisetProblem((12,) * 3, 12)
    assert count_multisets(free) == sum(map(len, iter_multisets(free))) == 91
    assert count_multisets(MultisetProblem((99, 12, 12), 12)) == 91
    deck = MultisetProblem((4,) * 12, 12)
    assert count_multisets(deck) == 975_338
    if not numba.config.DISABLE_JIT:
        assert sum(map(len, iter_multisets(deck))) == 975_338


def test_spaces_beyond_64_bits_are_counted_and_sampled():
    problem = MultisetProblem((4,) * 60, 60)
    assert count_multisets(problem) > 2**63
    drawn = sample_multisets(problem, 50, np.random.default_rng(4))
    assert (drawn <= 4).all()
    assert (drawn.sum(axis=1) == 60).all()
    # Each kind comes once on average; a crooked draw would favour one end of the line.
    assert 0.7 < drawn[:, :30].mean() < 1.3


@pytest.mark.parametrize(
    ("limits", "size", "words"),
    [
        ((1, -1), 2, "The limit of kind 1 must be 0 or more, not -1"),
        ((1,), -2, "The size must be 0 or more, not -2"),
        ((300, 1), 256, "at most 255 times"),
    ],
)
def test_unsound_problems_are_refused(limits, size, words):
    with pytest.raises(ValueError, match=words):
        MultisetProblem(limits, size)


def test_unsound_questions_are_refused():
    problem = MultisetProblem((2, 2), 2)
    with pytest.raises(ValueError, match="chunk size"):
        iter_multisets(problem, 0)
    with pytest.raises(ValueError, match="sample size"):
        sample_multisets(problem, -1, np.random.default_rng(0))
    for counts in ([1, 1, 0], [1.0, 1.0]):
        with pytest.raises(ValueError, match="2 whole numbers"):
            multiset_neighbours(problem, np.array(counts))
