from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.search.pareto import pareto_front
from buildsearch.search.race import is_open, rank_ranges
from buildsearch.search.ranks import order_top


def test_exact_ties_are_one_group_in_the_order_of_their_keys():
    costs = np.array([3.0, 1.0, 1.0 + 4e-10, 2.0, np.nan])
    found = order_top(costs, np.ones(5, bool), 4, lambda rows: [(-row,) for row in rows])
    assert found.rows.tolist() == [2, 1, 3, 0]
    assert found.group.tolist() == [1, 1, 2, 3]
    assert found.size.tolist() == [2, 2, 1, 1]
    assert found.rank.tolist() == [1, 2, 3, 4]


def test_sampled_scores_tie_only_when_they_are_the_same():
    costs = np.array([1.0, 1.0 + 1e-10, 1.0 + 1e-10])
    found = order_top(costs, np.zeros(3, bool), 3, lambda rows: [(row,) for row in rows])
    assert found.group.tolist() == [1, 2, 2]


def test_a_group_that_is_cut_says_how_large_it_is():
    found = order_top(np.ones(40), np.ones(40, bool), 3, lambda rows: [(-row,) for row in rows])
    assert found.rows.tolist() == [39, 38, 37]
    assert found.size.tolist() == [40, 40, 40]


def test_nothing_known_gives_nothing():
    assert len(order_top(np.full(3, np.nan), np.ones(3, bool), 2, lambda rows: []).rows) == 0


@given(st.lists(st.tuples(*[st.integers(0, 6)] * 3), min_size=1, max_size=40))
def test_the_front_is_what_nobody_dominates(points):
    costs = np.array(points, dtype=float)
    expected = [
        i
        for i, mine in enumerate(costs)
        if not any((other <= mine).all() and (other < mine).any() for other in costs)
    ]
    assert pareto_front(costs).tolist() == expected


def test_what_is_not_known_is_not_on_the_front():
    assert pareto_front(np.array([[np.nan, 0.0], [1.0, 1.0]])).tolist() == [1]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5)), min_size=1, max_size=30))
def test_open_intervals_are_those_that_overlap_another(pairs):
    low = np.array([start for start, _ in pairs], dtype=float)
    high = low + np.array([length for _, length in pairs], dtype=float)
    expected = [
        high[i] > low[i]
        and any(
            low[j] <= high[i] and low[i] <= high[j] and (low[j], high[j]) != (low[i], high[i])
            for j in range(len(low))
        )
        for i in range(len(low))
    ]
    assert is_open(low, high).tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5)), min_size=1, max_size=30))
def test_rank_ranges_hold_every_possible_rank(pairs):
    low = np.array([start for start, _ in pairs], dtype=float)
    high = low + np.array([length for _, length in pairs], dtype=float)
    best, worst = rank_ranges(low, high, np.arange(len(low)))
    for i in range(len(low)):
        others = [j for j in range(len(low)) if j != i]
        assert best[i] == 1 + sum(high[j] < low[i] for j in others)
        assert worst[i] == 1 + sum(low[j] <= high[i] for j in others)
