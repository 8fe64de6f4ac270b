"""Circles and ratings of games that are known."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.meta.structure import circular_order, structure
from tests.meta.toys import ROCK_PAPER_SCISSORS, ladder, random_game


def exact(wins):
    return structure(wins, wins, wins, np.zeros_like(wins))


def test_a_circle_has_no_ratings():
    found = exact(ROCK_PAPER_SCISSORS)
    assert found.ratings == pytest.approx([0, 0, 0])
    assert found.cyclic == pytest.approx(1)
    assert (found.triples, found.cycle_share) == (1, 1.0)
    (cycle,) = found.cycles
    assert all(ROCK_PAPER_SCISSORS[a, b] == 1 for a, b in zip(cycle, (*cycle[1:], cycle[0]), strict=True))


def test_a_ladder_has_no_circles():
    found = exact(ladder(5))
    assert found.cyclic == pytest.approx(0, abs=1e-12)
    assert (found.triples, found.cycles, found.undecided) == (10, (), 0)
    assert list(found.ratings) == sorted(found.ratings, reverse=True)
    assert found.order == (0, 1, 2, 3, 4)


def test_a_large_circle_shows():
    """Nine builds in a circle, each beating the four that follow: shuffled, the order finds it again."""
    around = np.arange(9)
    wins = np.where((around[None, :] - around[:, None]) % 9 == 0, 0.5, 0.0)
    wins[((around[None, :] - around[:, None]) % 9 > 0) & ((around[None, :] - around[:, None]) % 9 <= 4)] = 1.0
    shuffled = np.random.default_rng(3).permutation(9)
    found = exact(wins[shuffled][:, shuffled])
    places = shuffled[list(found.order)]
    assert {int(step) for step in np.diff(places) % 9} == {1}
    assert found.cyclic == pytest.approx(1)
    assert found.cycle_share == pytest.approx(30 / 84)  # 9 * 10 / 3 of them by counting


def test_random_games_have_a_quarter_of_circles():
    shares = [exact(random_game(20, seed)).cycle_share for seed in range(20)]
    assert np.mean(shares) == pytest.approx(0.25, abs=0.02)


def test_noise_is_not_taken_for_circles():
    """A ladder seen through fights: what ratings leave over is mostly noise, and is taken off."""
    truth, error = ladder(12, 0.03), 0.02
    found = []
    for seed in range(20):
        noise = np.triu(np.random.default_rng(seed).normal(size=truth.shape) * error, 1)
        wins = truth + noise - noise.T
        errors = np.full(truth.shape, error) * (1 - np.eye(len(truth)))
        found.append(structure(wins, wins - 0.1, wins + 0.1, errors).cyclic)
    assert np.mean(found) < 0.01


def test_what_is_not_decided_is_in_no_circle():
    wins = ROCK_PAPER_SCISSORS
    found = structure(wins, np.zeros((3, 3)), np.ones((3, 3)), np.ones((3, 3)))
    assert (found.triples, found.cycle_share, found.undecided) == (0, None, 3)


def test_order_of_nothing():
    assert circular_order(np.zeros((4, 4)), np.zeros(4)) == (0, 1, 2, 3)
