"""Ranks among all builds, against plain counting and against the leaderboard's own ranges."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.evaluate.statistics import estimate_of_error, mean_of_sums, within
from buildsearch.model.evaluation import TIE, Estimate
from buildsearch.search.race import rank_ranges
from buildsearch.search.ranks import RankRanges, say_rank


@pytest.fixture(params=range(20))
def some(request):
    """Costs with ties between bounds, some of them exact, one without a score."""
    rng = np.random.default_rng(request.param)
    costs = rng.integers(1, 12, 40) / 2
    half = np.where(rng.random(40) < 0.5, 0.0, rng.random(40) * 2)
    low, high = costs - half, costs + half * rng.random(40)
    costs[3], low[3], high[3] = np.nan, np.inf, np.inf
    return costs, low, high


def test_places_are_those_of_the_leaderboard(some):
    costs, low, high = some
    ranges, rows = RankRanges(costs, low, high, higher_is_better=False), np.flatnonzero(~np.isnan(costs))
    best, worst = rank_ranges(low, high, rows)
    for i, row in enumerate(rows.tolist()):
        ranks = ranges.of(row)
        assert (ranks.best, ranks.worst) == (best[i], worst[i])
        assert ranks.rank == 1 + sum(cost < costs[row] - TIE for cost in costs)
        assert ranks.best <= ranks.rank <= ranks.worst
        assert (ranks.low, ranks.high, ranks.builds) == (low[row], high[row], 39)
        if ranks.is_exact:
            assert ranks.tied == sum(costs[(low == high) & ~np.isnan(costs)] == costs[row])


def test_more_may_be_better(some):
    costs, low, high = some
    ranks = RankRanges(costs, low, high, higher_is_better=True).of(0)
    assert (ranks.low, ranks.high) == (-high[0], -low[0])


def test_who_is_not_among_them_is_placed_as_one_more():
    costs = np.array([1.0, 2.0, 3.0])
    ranges = RankRanges(costs, costs, costs, higher_is_better=False)
    found = ranges.between(1.5, 1.4, 2.5, outside=True)
    assert (found.best, found.worst, found.builds, found.rank_text) == (2, 3, 4, "2–3")
    assert ranges.between(2.0, 2.0, 2.0, outside=True).rank_text == "2="
    assert ranges.between(9.0, 9.0, 9.0, outside=True).rank_text == "4"


@pytest.mark.parametrize(
    ("given", "exact", "text"),
    [
        ((4, 4, 4, 1), True, "4"),
        ((5, 4, 6, 3), True, "5="),
        ((5, 4, 6, 1), True, "4–6"),  # an exact build among sampled ones
        ((5, 4, 6, 3), False, "4–6"),
        ((5, 1, 90, 1), False, "1–90"),
    ],
)
def test_ranks_in_words(given, exact, text):
    assert say_rank(*given, is_exact=exact) == text


def test_an_interval_follows_from_its_error():
    for fights, total, squares in ((32, 96, 300), (256, 700, 2100), (256, 256, 256)):
        known, _ = mean_of_sums(fights, total, squares)
        found = estimate_of_error(known.value, known.se, fights)
        assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-12)


def test_intervals_end_where_what_they_measure_does():
    assert within(Estimate(1.0, 0.1, 0.8, 1.2), 1.0, None) == Estimate(1.0, 0.1, 1.0, 1.2)
    assert within(Estimate(0.99, 0.1, 0.8, 1.2), 0.0, 1.0) == Estimate(0.99, 0.1, 0.8, 1.0)
