"""Statistics against plain definitions, and intervals against the truth."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from buildsearch.evaluate.statistics import (
    _t95,
    chance_of_less,
    least_error,
    mean_estimate,
    quantile,
    ratio_estimate,
    share_estimate,
    stdev,
    weighted_mean,
)
from buildsearch.model.evaluation import Estimate

samples = st.lists(st.integers(1, 60), min_size=2, max_size=200)


def histogram(values, size=61):
    return np.bincount(values, minlength=size).astype(np.int64)


@given(samples)
def test_mean_and_deviation_are_the_plain_ones(values):
    found = mean_estimate(histogram(values))
    assert found.value == pytest.approx(statistics.fmean(values), rel=1e-12)
    assert stdev(histogram(values)) == pytest.approx(statistics.stdev(values), rel=1e-12, abs=1e-12)
    plain = statistics.stdev(values) / math.sqrt(len(values))
    assert found.se == pytest.approx(max(plain, least_error(len(values))), rel=1e-12)
    assert found.low < found.value < found.high


@given(samples)
def test_quantiles_are_order_statistics(values):
    ordered = sorted(values)
    for share in (0.1, 0.5, 0.9):
        wanted = ordered[max(0, math.ceil(share * len(values) - 1e-9) - 1)]
        assert quantile(histogram(values), share) == wanted


@given(samples, samples)
def test_chance_of_less_counts_pairs(first, second):
    wins = sum((a < b) + (a == b) / 2 for a in first for b in second)
    found = chance_of_less(histogram(first).astype(float), histogram(second, 80).astype(float))
    assert found == pytest.approx(wins / (len(first) * len(second)), abs=1e-12)


@pytest.mark.parametrize("freedom", [10, 30, 255, 10_000])
def test_student_quantile(freedom):
    assert _t95(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-4)


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_interval(case):
    successes, fights = case
    found = share_estimate(successes, fights)
    wanted = stats.binomtest(successes, fights).proportion_ci(0.95, "wilson")
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)


def test_fights_that_are_all_alike_leave_room_for_what_was_not_seen():
    found = mean_estimate(histogram([15] * 300))
    assert found.se == pytest.approx(3 / 300 / 1.96, rel=1e-4)
    assert share_estimate(300, 300).se > 0
    assert found.high - 15 == pytest.approx(3 / 300)


def test_ratio_turns_the_interval_round():
    found = ratio_estimate(100, Estimate(10, 0.1, 9.8, 10.2))
    assert found.value == 10
    assert found.low == pytest.approx(100 / 10.2)
    assert found.high == pytest.approx(100 / 9.8)


def test_weighted_mean_adds_independent_errors():
    found = weighted_mean([Estimate(10, 0.3, 9, 11), Estimate(20, 0.4, 18, 22)], [1, 3])
    assert found.value == 17.5
    assert found.se == pytest.approx(math.hypot(0.3, 1.2) / 4)
    assert found.high - found.value == pytest.approx(math.hypot(1, 6) / 4)
