from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.builds.pointbuy import (
    PointBuy,
    count_point_buys,
    point_buy_trades,
    point_buys,
)

from . import naive
from .helpers import rows


@st.composite
def problems(draw):
    places = draw(st.integers(0, 4))
    numbers = st.lists(st.integers(0, 4), min_size=places, max_size=places).map(tuple)
    return PointBuy(draw(numbers), draw(numbers), draw(st.integers(0, 12)), draw(st.booleans()))


def space_of(problem):
    return naive.lines(problem.costs, problem.maxima, problem.points, problem.spend_all)


@settings(deadline=None, max_examples=120)
@given(problems())
def test_lines_are_the_twins_in_the_twins_order(problem):
    expected = space_of(problem)
    assert rows(point_buys(problem)) == expected
    assert count_point_buys(problem) == len(expected)


@pytest.mark.parametrize(("spend_all", "lines"), [(True, 60), (False, 150)])
def test_a_known_point_buy(spend_all, lines):
    problem = PointBuy((1, 3, 2, 1, 1), (5, 3, 3, 4, 10), 6, spend_all)
    assert count_point_buys(problem) == len(point_buys(problem)) == lines


def test_there_may_be_no_line():
    assert point_buys(PointBuy((2,), (3,), 5, True)).shape == (0, 1)


@pytest.mark.parametrize(
    ("costs", "maxima", "points", "words"),
    [
        ((1, -1), (1, 1), 2, "The cost of place 1 must be 0 or more, not -1"),
        ((1, 1), (1, -1), 2, "The maximum of place 1 must be 0 or more"),
        ((1, 1), (1, 1), -2, "The number of points must be 0 or more"),
        ((1, 1), (1,), 2, "2 costs but 1 maxima"),
    ],
)
def test_unsound_problems_are_refused(costs, maxima, points, words):
    with pytest.raises(ValueError, match=words):
        PointBuy(costs, maxima, points, False)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=4),
    st.integers(0, 9),
    st.booleans(),
)
def test_trades_are_legal_mutual_and_of_equal_sums(places, points, spend_all):
    problem = PointBuy(
        tuple(cost for cost, _ in places), tuple(most for _, most in places), points, spend_all
    )
    lines = [tuple(row) for row in point_buys(problem).tolist()]
    for line in lines[:30]:
        trades = [tuple(row) for row in point_buy_trades(problem, np.array(line)).tolist()]
        assert len(set(trades)) == len(trades)
        assert line not in trades
        for other in trades:
            assert other in lines
            assert line in [tuple(row) for row in point_buy_trades(problem, np.array(other)).tolist()]
            changed = [after - before for before, after in zip(line, other, strict=True)]
            assert sum(map(bool, changed)) <= 2
            if sum(map(bool, changed)) == 2:
                assert sum(step * cost for step, cost in zip(changed, problem.costs, strict=True)) == 0
