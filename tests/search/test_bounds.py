"""Bounds that hold at every moment: validity, not tightness, is what a race stands on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from buildsearch.search.bounds import lower_bounds, upper_bounds


def _capital(outcomes, stake, mean):
    """The gambler's wealth, played out outcome by outcome."""
    return math.prod(1 + stake * (x - mean) for x in outcomes)


def test_a_bound_rules_out_only_means_that_some_gambler_got_rich_on():
    rng = np.random.default_rng(3)
    for _ in range(50):
        outcomes = rng.integers(1, 21, size=int(rng.integers(2, 60))).astype(float)
        n, alpha = len(outcomes), 0.05
        bound = float(
            lower_bounds(n, np.array([outcomes.sum()]), np.array([(outcomes**2).sum()]), 1.0, 20.0, alpha)[0]
        )
        if bound <= 1.0:
            continue
        stakes = 2.0 ** np.arange(-10, 13) / (2 * 19.0)
        richest = max(_capital(outcomes, s, bound) for s in stakes if s * (bound - 1) <= 0.5 + 1e-12)
        assert richest >= len(stakes) / alpha * (1 - 1e-9)


@pytest.mark.parametrize("chance", [0.02, 0.3, 0.9])
def test_bounds_hold_at_every_moment_in_all_but_a_share_of_runs(chance):
    """500 runs of up to 4,096 fights, looked at after every doubling: misses stay below alpha = 10 %."""
    rng = np.random.default_rng(11)
    # Mostly quick fights, sometimes a long one: the shape that misleads a normal interval.
    outcomes = np.where(rng.random((500, 4096)) < chance, rng.integers(20, 100, (500, 4096)), 2).astype(float)
    mean = chance * np.arange(20, 100).mean() + (1 - chance) * 2
    missed = np.zeros(500, bool)
    for n in 2 ** np.arange(2, 13):
        seen = outcomes[:, :n]
        sums, squares = seen.sum(axis=1), (seen**2).sum(axis=1)
        missed |= lower_bounds(int(n), sums, squares, 1.0, 100.0, 0.05) > mean
        missed |= upper_bounds(int(n), sums, squares, 1.0, 100.0, 0.05) < mean
    assert missed.mean() <= 0.10


def test_bounds_close_in_on_the_mean():
    rng = np.random.default_rng(5)
    outcomes = rng.integers(1, 6, size=1 << 17).astype(float)
    sums, squares = np.array([outcomes.sum()]), np.array([(outcomes**2).sum()])
    low = lower_bounds(len(outcomes), sums, squares, 1.0, 100.0, 1e-8)[0]
    high = upper_bounds(len(outcomes), sums, squares, 1.0, 100.0, 1e-8)[0]
    assert 2.94 < low < 3.0 < high < 3.06


def test_a_slow_build_is_ruled_out_after_few_fights():
    """256 fights of 20 turns prove that the mean is far above 2, however small alpha is."""
    low = lower_bounds(256, np.array([256 * 20.0]), np.array([256 * 400.0]), 1.0, 100.0, 1e-9)[0]
    assert low > 10


def test_one_possible_outcome_needs_no_sampling():
    assert lower_bounds(3, np.array([3.0]), np.array([3.0]), 1.0, 1.0, 0.05)[0] == 1.0
