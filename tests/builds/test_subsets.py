"""Budgeted subsets with exclusions, against brute force."""

from __future__ import annotations

import pickle
from math import comb

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from buildsearch.builds.masks import indices_of, mask_of, word_count
from buildsearch.builds.subset_search import SubsetParts, SubsetStream
from buildsearch.builds.subsets import (
    SubsetProblem,
    count_subsets,
    is_subset_legal,
    iter_subsets,
    sample_subsets,
    subset_costs,
    subset_neighbours,
)

from . import naive
from .helpers import choices, listed, problem_of, spread


def fields(**changes):
    """The parts of a sound problem of three options, with changes."""
    sound = {
        "costs": np.array([1, 2, 3], dtype=np.int64),
        "conflicts": np.array([[2], [1], [0]], dtype=np.uint64),
        "budget": 4,
        "allowed": np.array([7], dtype=np.uint64),
        "required": np.array([0], dtype=np.uint64),
    }
    return sound | changes


def test_pairs_and_arrays_state_the_same_problem():
    plain = SubsetProblem(**fields())
    paired = SubsetProblem.from_pairs([1, 2, 3], [(0, 1), (1, 0)], 4)
    assert np.array_equal(plain.conflicts, paired.conflicts)
    assert np.array_equal(plain.allowed, paired.allowed)
    assert (plain.options, plain.words) == (3, 1)


def test_a_problem_is_a_copy_that_cannot_be_changed():
    costs = np.array([1, 2, 3], dtype=np.int64)
    problem = SubsetProblem(**fields(costs=costs))
    costs[0] = -9
    assert problem.costs.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        problem.costs[0] = 5


def test_a_problem_can_travel_to_a_worker():
    problem = SubsetProblem(**fields())
    assert count_subsets(pickle.loads(pickle.dumps(problem))) == count_subsets(problem)  # noqa: S301


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"costs": np.array([1.0, 2.0, 3.0])}, "costs must be an array of int64"),
        ({"costs": np.array([1, -2, 3], dtype=np.int64)}, "option 1 costs -2"),
        ({"costs": np.full(3, 2**62, dtype=np.int64)}, "together must fit"),
        ({"conflicts": np.zeros((2, 1), dtype=np.uint64)}, r"conflicts must .* shape \(3, 1\)"),
        ({"conflicts": np.array([[2], [0], [0]], dtype=np.uint64)}, "options 0 and 1 do not"),
        ({"conflicts": np.array([[0], [2], [0]], dtype=np.uint64)}, "Option 1 excludes itself"),
        ({"conflicts": np.array([[8], [0], [0]], dtype=np.uint64)}, "conflicts names options beyond"),
        ({"budget": -1}, "budget must be 0 or more, not -1"),
        (
            {"allowed": np.array([8], dtype=np.uint64)},
            "allowed names options beyond the last one, which is 2",
        ),
        ({"allowed": np.array([7], dtype=np.int64)}, "allowed must be an array of uint64"),
        ({"required": np.array([0, 0], dtype=np.uint64)}, r"required must .* shape \(1,\)"),
    ],
)
def test_unsound_problems_are_refused_in_plain_words(changes, words):
    with pytest.raises(ValueError, match=words):
        SubsetProblem(**fields(**changes))


def test_a_broken_budget_or_cost_is_refused():
    with pytest.raises(ValueError, match=r"The budget must be a whole number, not 2\.5"):
        SubsetProblem(**fields(budget=2.5))
    with pytest.raises(ValueError, match="The cost of option 0 must be a whole number"):
        SubsetProblem.from_pairs([1.5], [], 2)


@pytest.mark.parametrize("pair", [(0, 3), (-1, 0)])
def test_pairs_beyond_the_options_are_refused(pair):
    with pytest.raises(ValueError, match="names an option beyond the 3 given"):
        SubsetProblem.from_pairs([1, 2, 3], [pair], 4)


def test_an_option_paired_with_itself_is_refused():
    with pytest.raises(ValueError, match="excludes itself"):
        SubsetProblem.from_pairs([1, 2], [(1, 1)], 4)


def test_masks_and_indices_are_inverse():
    indices = (0, 5, 63, 64, 127, 129)
    assert indices_of(mask_of(indices, 3)) == indices
    assert mask_of((), 2).tolist() == [0, 0]
    assert [word_count(n) for n in (0, 1, 64, 65, 128, 129)] == [1, 1, 1, 2, 2, 3]


@pytest.mark.parametrize("index", [-1, 128])
def test_an_index_outside_the_mask_is_refused(index):
    with pytest.raises(ValueError, match=f"Option {index} does not fit into a mask of 128 bits"):
        mask_of([index], 2)


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


SMALL = naive.Choice((2, 1, 0, 3, 1), ((0, 1), (2, 3)), 4, (0, 1, 2, 3, 4), ())


@settings(deadline=None, max_examples=150)
@given(choices())
def test_listing_is_the_twins_in_the_twins_order(choice):
    problem = problem_of(choice)
    expected = naive.subsets(choice)
    assert listed(problem) == expected
    assert count_subsets(problem) == len(expected)


@settings(deadline=None, max_examples=80)
@given(choices(), st.integers(1, 20))
def test_chunks_are_full_but_the_last_and_join_to_the_same_listing(choice, chunk_size):
    problem = problem_of(choice)
    chunks = list(iter_subsets(problem, chunk_size))
    assert all(len(chunk) == chunk_size for chunk in chunks[:-1])
    assert all(0 < len(chunk) <= chunk_size for chunk in chunks)
    assert all(chunk.flags.owndata for chunk in chunks)
    assert [indices_of(row) for chunk in chunks for row in chunk] == naive.subsets(choice)


def test_streams_do_not_disturb_one_another():
    problem = problem_of(SMALL)
    pairs = list(zip(iter_subsets(problem, 3), iter_subsets(problem, 3), strict=True))
    assert all(np.array_equal(first, second) for first, second in pairs)
    assert np.array_equal(np.concatenate([first for first, _ in pairs]), next(iter_subsets(problem)))


@settings(deadline=None, max_examples=60)
@given(choices(most=7), st.data())
def test_neighbours_are_the_legal_subsets_at_one_change(choice, data):
    # Any mask may be asked about, also an illegal one.
    options = range(len(choice.costs))
    subset = tuple(i for i in options if data.draw(st.booleans()))
    problem = problem_of(choice)
    found = [indices_of(row) for row in subset_neighbours(problem, mask_of(subset, problem.words))]
    assert len(found) == len(set(found))
    assert set(found) == naive.subset_neighbours(choice, subset)


def test_neighbours_come_as_flips_then_swaps():
    problem = problem_of(SMALL)
    found = [indices_of(row) for row in subset_neighbours(problem, mask_of((0, 4), 1))]
    assert found == [(4,), (0, 2, 4), (0,), (1, 4), (2, 4), (3, 4), (0, 2)]


@settings(deadline=None, max_examples=60)
@given(choices(), st.integers(0, 2**10 - 1))
def test_legality_and_cost_are_the_twins(choice, bits):
    subset = tuple(i for i in range(len(choice.costs)) if bits >> i & 1)
    problem = problem_of(choice)
    mask = mask_of(subset, problem.words)
    assert is_subset_legal(problem, mask) == naive.is_legal(choice, subset)
    assert subset_costs(problem, mask[np.newaxis]).tolist() == [sum(choice.costs[i] for i in subset)]


@settings(deadline=None, max_examples=40)
@given(choices(), st.integers(0, 30), st.integers(0, 2**32), st.booleans())
def test_samples_come_from_the_space(choice, size, seed, replacement):
    problem = problem_of(choice)
    space = naive.subsets(choice)
    if size and (not space or (not replacement and size > len(space))):
        with pytest.raises(ValueError, match=r"no legal subset|different subsets"):
            sample_subsets(problem, size, np.random.default_rng(seed), replacement=replacement)
        return
    drawn = sample_subsets(problem, size, np.random.default_rng(seed), replacement=replacement)
    found = [indices_of(row) for row in drawn]
    assert len(found) == size
    assert set(found) <= set(space)
    assert replacement or len(set(found)) == size


def test_a_sample_without_replacement_can_take_everything():
    problem = problem_of(SMALL)
    space = naive.subsets(SMALL)
    drawn = sample_subsets(problem, len(space), np.random.default_rng(3), replacement=False)
    found = [indices_of(row) for row in drawn]
    assert sorted(found) == sorted(space)
    assert found != space  # in the order drawn, not in that of the listing


@pytest.mark.parametrize("replacement", [True, False])
def test_sampling_is_uniform(replacement):
    problem = problem_of(SMALL)
    space = naive.subsets(SMALL)
    rng = np.random.default_rng(20240)
    sizes = [4000] if replacement else [5] * 800
    draws = [sample_subsets(problem, size, rng, replacement=replacement) for size in sizes]
    found = [indices_of(row) for drawn in draws for row in drawn]
    assert chisquare([found.count(subset) for subset in space]).pvalue > 0.001


@given(choices(), st.integers(0, 2**32))
def test_a_problem_in_parts_is_the_same_problem(choice, seed):
    """What is never listed as a whole has the same subsets: counted, and drawn."""
    parts = SubsetParts(problem_of(choice).kernel_rules)
    space = naive.subsets(choice)
    assert parts.is_possible == bool(space)
    if space:
        assert parts.count() == len(space)
    if parts.makes_sense:
        drawn = parts.sample(20, np.random.default_rng(seed))
        assert {indices_of(row) for row in drawn} <= set(space)


def test_drawing_in_parts_is_uniform():
    parts = SubsetParts(problem_of(SMALL).kernel_rules)
    assert parts.makes_sense
    space = naive.subsets(SMALL)
    found = [indices_of(row) for row in parts.sample(4000, np.random.default_rng(20240))]
    assert chisquare([found.count(subset) for subset in space]).pvalue > 0.001


def test_more_subsets_than_anybody_could_list():
    problem = SubsetProblem.from_pairs([1] * 250, [(0, 1), (1, 2), (200, 249)], 12)
    free = [comb(245, taken) for taken in range(13)]
    together = [1, 5, 7, 2]  # of {0, 1, 2} and {200, 249}: (1 + 3x + x^2)(1 + 2x)
    expected = sum(free[i] * together[j] for i in range(13) for j in range(4) if i + j <= 12)
    assert count_subsets(problem) == expected > 10**19
    drawn = sample_subsets(problem, 100, np.random.default_rng(1))
    assert all(is_subset_legal(problem, row) for row in drawn)


def test_sampling_reaches_past_the_first_chunk():
    problem = SubsetProblem.from_pairs([0] * 17, [], 0)  # 131,072 subsets, two chunks of the default size
    drawn = sample_subsets(problem, 200, np.random.default_rng(5))
    assert drawn.min() < 2**16 < drawn.max()


def test_the_empty_problem_has_the_empty_subset():
    problem = SubsetProblem.from_pairs([], [], 0)
    assert listed(problem) == [()]
    assert subset_neighbours(problem, mask_of((), 1)).shape == (0, 1)


@pytest.mark.parametrize(
    ("exclusions", "budget", "allowed"), [([(0, 1)], 9, None), ([], 3, None), ([], 9, [0])]
)
def test_a_required_set_at_odds_with_the_rules_leaves_nothing(exclusions, budget, allowed):
    problem = SubsetProblem.from_pairs([2, 2, 1], exclusions, budget, allowed, required=[0, 1])
    assert count_subsets(problem) == 0
    assert list(iter_subsets(problem)) == []


def test_costs_and_budgets_may_be_large():
    huge = 2**61
    problem = SubsetProblem.from_pairs([huge, huge, 1], [], 2**80)
    assert count_subsets(problem) == 8
    assert count_subsets(SubsetProblem.from_pairs([huge, huge, 1], [], huge)) == 4


def test_masks_of_any_layout_are_taken():
    problem = problem_of(SMALL)
    masks = np.concatenate(list(iter_subsets(problem)))
    expected = subset_costs(problem, masks)
    frozen = masks[::-1]
    frozen.setflags(write=False)
    assert np.array_equal(subset_costs(problem, frozen), expected[::-1])
    assert is_subset_legal(problem, frozen[0])


@pytest.mark.parametrize(
    "mask", [np.zeros(1, dtype=np.int64), np.zeros((1, 1), dtype=np.uint64), np.zeros(2, dtype=np.uint64)]
)
def test_masks_of_the_wrong_form_are_refused(mask):
    with pytest.raises(ValueError, match="Masks must be an array of uint64"):
        is_subset_legal(problem_of(SMALL), mask)


def test_masks_with_bits_past_the_last_option_are_refused():
    with pytest.raises(ValueError, match="beyond the last one, which is 4"):
        subset_neighbours(problem_of(SMALL), mask_of((5,), 1))


def test_sizes_that_make_no_sense_are_refused():
    problem = problem_of(SMALL)
    with pytest.raises(ValueError, match="chunk size must be 1 or more, not 0"):
        iter_subsets(problem, 0)
    with pytest.raises(ValueError, match="sample size must be 0 or more, not -1"):
        sample_subsets(problem, -1, np.random.default_rng(0))


def test_samples_that_cannot_be_drawn_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="no legal subset"):
        sample_subsets(SubsetProblem.from_pairs([5], [], 1, required=[0]), 1, rng)
    with pytest.raises(ValueError, match="Cannot draw 3 different subsets; there are only 2"):
        sample_subsets(SubsetProblem.from_pairs([1], [], 1), 3, rng, replacement=False)
