"""Equilibria, ratings and cycles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.meta.equilibrium import entropy, equilibrium, exploitability
from buildsearch.meta.structure import circular_order, structure
from tests.meta.toys import ROCK_PAPER_SCISSORS, ladder, random_game

# Entropy is flat at its top: a gap of 1e-9 leaves shares open by its root.
CLOSE = 1e-4


def three(ab, bc, ca):
    """A beats B by ab, B beats C by bc, C beats A by ca."""
    return np.array([[0, ab, -ca], [-ab, 0, bc], [ca, -bc, 0]])


def test_rock_paper_scissors():
    assert equilibrium(ROCK_PAPER_SCISSORS - 0.5) == pytest.approx([1 / 3] * 3, abs=CLOSE)


@given(*(st.floats(0.01, 0.5) for _ in range(3)))
def test_biased_rock_paper_scissors(ab, bc, ca):
    """Each is played as often as the other two beat one another by."""
    expected = np.array([bc, ca, ab]) / (ab + bc + ca)
    assert equilibrium(three(ab, bc, ca)) == pytest.approx(expected, abs=CLOSE)


def test_who_beats_all_others_is_played_alone():
    assert equilibrium(ladder(6) - 0.5) == pytest.approx([1, 0, 0, 0, 0, 0])


def test_a_dominated_build_is_not_played():
    edges = np.zeros((4, 4))
    edges[:3, :3] = three(0.5, 0.5, 0.5)
    edges[:3, 3], edges[3, :3] = 0.2, -0.2
    assert equilibrium(edges) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=CLOSE)


@pytest.mark.parametrize("size", [1, 2, 7])
def test_where_nobody_beats_anybody_all_are_played_alike(size):
    assert equilibrium(np.zeros((size, size))) == pytest.approx([1 / size] * size, abs=CLOSE)


def test_of_several_equilibria_the_most_even_one():
    """Two circles side by side: any mixture of their equilibria is one. Entropy is greatest where each has
    its part by the exponential of its own entropy."""
    edges = np.zeros((6, 6))
    edges[:3, :3], edges[3:, 3:] = three(0.5, 0.5, 0.5), three(0.1, 0.2, 0.3)
    first, second = np.full(3, 1 / 3), np.array([0.2, 0.3, 0.1]) / 0.6
    parts = np.exp([entropy(first), entropy(second)])
    parts /= parts.sum()
    assert equilibrium(edges) == pytest.approx(
        np.concatenate([parts[0] * first, parts[1] * second]), abs=CLOSE
    )


def test_a_copy_shares_with_the_original():
    wins = ROCK_PAPER_SCISSORS[[0, 0, 1, 2]][:, [0, 0, 1, 2]]
    assert equilibrium(wins - 0.5) == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=CLOSE)


@given(st.integers(2, 12), st.integers(0, 10_000))
def test_nobody_beats_an_equilibrium(size, seed):
    edges = random_game(size, seed) - 0.5
    for shares in (equilibrium(edges), equilibrium(edges, any_=True)):
        assert shares.sum() == pytest.approx(1)
        assert (shares >= 0).all()
        assert exploitability(edges, shares) < 1e-5


def test_what_is_no_such_game_is_refused():
    with pytest.raises(ValueError, match="antisymmetric"):
        equilibrium(np.full((2, 2), 0.5))


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
