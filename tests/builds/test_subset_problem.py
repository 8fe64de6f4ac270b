from __future__ import annotations

import pickle

import numpy as np
import pytest

from buildsearch.builds.masks import indices_of, mask_of, word_count
from buildsearch.builds.subsets import SubsetProblem, count_subsets


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
