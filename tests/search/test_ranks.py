"""Ranks: the order of builds, ranges, and ideas with their variants."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.evaluate.statistics import estimate_of_error, mean_of_sums, within
from buildsearch.model.evaluation import TIE, Estimate
from buildsearch.model.space import Feature
from buildsearch.search.pareto import pareto_front
from buildsearch.search.race import is_open, rank_ranges
from buildsearch.search.ranks import RankedBuild, RankRanges, first_of_groups, order_top, say_rank, variants


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


PARTS = "abcdefg"


def row(parts, saves=(), group="x"):
    """`ab` has two parts; `aab` has one of them twice."""
    counted = tuple(Feature(name, parts.count(name)) for name in dict.fromkeys(parts))
    return RankedBuild(counted, group, dict(saves))


def swaps(parts):
    """Every multiset that one swap, one part more or one part less makes of this one, and itself."""
    fewer = {"".join(sorted(each)) for each in itertools.combinations(parts, len(parts) - 1)}
    more = {"".join(sorted(parts + new)) for new in PARTS}
    return (
        {"".join(sorted(parts))} | fewer | more | {"".join(sorted(f + new)) for f in fewer for new in PARTS}
    )


def naive(rows):
    """For each row the first idea that it is a variant of, by trying every idea and every swap."""
    found = []
    for i, (parts, _) in enumerate(rows):
        of = None
        for j in range(i):
            if of is not None or found[j] is not None:
                continue
            saving = sorted(
                (p for p, saved in saves_of(rows[j]) if saved > 0), key=lambda p: -dict(rows[j][1])[p]
            )
            is_variant = (
                set(saving[:2]) <= set(parts)
                if len(saving) > 1
                else "".join(sorted(parts)) in swaps(rows[j][0])
            )
            of = j if is_variant else None
        found.append(of)
    return found


def saves_of(row_):
    return row_[1]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("removable", [0, 2, 4])
def test_as_the_definition_says(seed, removable):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(40):
        parts = "".join(sorted(rng.choice(list(PARTS), 4)))
        names = list(dict.fromkeys(parts))[:removable]
        saves = [
            (name, float(saved)) for name, saved in zip(names, rng.normal(1, 1, len(names)), strict=True)
        ]
        rows.append((parts, sorted(saves, key=lambda each: -each[1])))
    assert variants([row(*each) for each in rows]) == naive(rows)


def test_a_variant_has_both_parts_that_save_the_most():
    best = row("abc", [("a", 7.0), ("b", 3.0), ("c", 1.0)])
    rows = [best, row("abd", [("d", 9.0), ("a", 8.0)]), row("acd", [("d", 9.0), ("a", 2.0)]), row("adef")]
    # The second is a variant of the first, so the fourth cannot be one of the second; it is one of the third.
    assert variants(rows) == [None, 0, None, 2]


def test_a_part_that_saves_nothing_is_no_key():
    assert row("ab", [("a", 7.0), ("b", -0.1)]).key_parts == ()


def test_decks_are_variants_one_swap_away():
    assert variants([row("aaab"), row("aaac"), row("aacc"), row("aaab"), row("aabcc")]) == [
        None,
        0,
        None,
        0,
        2,
    ]


def test_the_first_of_each_group():
    assert first_of_groups([row("a", group=each) for each in "xxyxz"]) == [True, False, True, False, True]
