"""The double oracle on games whose equilibrium is known, exact and sampled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.meta.double_oracle import MetaLimits, find_meta
from buildsearch.meta.equilibrium import equilibrium, exploitability
from buildsearch.meta.matches import Cells
from buildsearch.meta.responses import Budget, Mixture, respond
from tests.meta.toys import ROCK_PAPER_SCISSORS, ladder, random_game, toy

FAST = MetaLimits(epsilon=0.1, budget=5_000_000)


def nobody(_done):
    pass


def true_exploitability(wins, meta):
    shares = np.zeros(len(wins))
    shares[list(meta.rows)] = meta.shares
    return exploitability(wins - 0.5, shares)


@pytest.mark.parametrize("exact", [True, False])
def test_rock_paper_scissors(exact):
    matches, _ = toy(ROCK_PAPER_SCISSORS, exact=exact)
    meta = find_meta(matches, [0], FAST, nobody)
    assert sorted(meta.names) == ["b0", "b1", "b2"]
    assert meta.shares == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert meta.effective == pytest.approx(3, abs=0.01)
    assert meta.structure.cycle_share == 1
    assert all(each.by is not None for each in meta.counters)
    beaten = dict(zip(meta.names, meta.counter_names, strict=True))
    assert beaten == {"b0": "b1", "b1": "b2", "b2": "b0"}
    assert meta.response.is_proved
    assert meta.is_sampled is not exact


@pytest.mark.parametrize("exact", [True, False])
def test_a_ladder_has_one_best_build_without_a_counter(exact):
    matches, _ = toy(ladder(20, 0.08), exact=exact)
    meta = find_meta(matches, [19, 7], FAST, nobody)
    assert meta.names[0] == "b0"
    assert meta.shares[0] == pytest.approx(1)
    assert meta.effective == pytest.approx(1)
    assert meta.counters[0].by is None
    assert meta.counters[0].is_proved
    assert meta.counters[0].most <= 0.5 + FAST.epsilon
    assert all(each.by is not None for each in meta.counters[1:])
    assert meta.structure.cycles == ()


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_what_the_whole_matrix_has(seed):
    """Exact: no build of the game has an edge over the mixture, and the pool is smaller than the game."""
    wins = random_game(40, seed)
    matches, _ = toy(wins)
    meta = find_meta(matches, [0], MetaLimits(epsilon=0.001), nobody)
    assert true_exploitability(wins, meta) <= 0.001
    assert meta.response.bound <= 0.001
    assert len(meta.names) < 40
    whole = equilibrium(wins - 0.5)
    shares = np.zeros(40)
    shares[list(meta.rows)] = meta.shares
    # A random game has one equilibrium, and an epsilon moves it by little.
    assert np.abs(shares - whole).max() < 0.1


@pytest.mark.parametrize("draws", [0.0, 0.8])
@pytest.mark.parametrize("seed", range(4))
def test_a_bound_on_exploitability_holds(seed, draws):
    wins = random_game(15, seed)
    matches, bulk = toy(wins, exact=False, draws=draws, seed=seed)
    meta = find_meta(matches, [0, 1], FAST, nobody)
    assert true_exploitability(wins, meta) <= meta.response.bound
    assert meta.response.is_proved
    assert meta.response.bound <= FAST.epsilon
    # Who is hopeless has only a floor of fights, and no pair was played both ways.
    assert not [pair for pair in bulk.played if pair[::-1] in bulk.played]
    assert min(bulk.played.values()) == FAST.floor


@pytest.mark.parametrize("exact", [True, False])
def test_both_sides_of_a_pair_add_up_to_one(exact):
    matches, _ = toy(random_game(12, 5), exact=exact, draws=0.5)
    meta = find_meta(matches, [0, 1, 2], FAST, nobody)
    assert meta.means + meta.means.T == pytest.approx(np.ones_like(meta.means))
    assert meta.low + meta.high.T == pytest.approx(np.ones_like(meta.means))
    assert np.diag(meta.means) == pytest.approx(0.5)
    assert np.array_equal(meta.fights, meta.fights.T)
    off = ~np.eye(len(meta.names), dtype=bool)
    assert (meta.errors[off] == 0).all() if exact else (meta.errors[off] > 0).all()
    assert (meta.low <= meta.means).all()
    assert (meta.means <= meta.high).all()


@pytest.mark.parametrize("exact", [True, False])
def test_of_all_equilibria_of_the_game_the_most_even_one(exact):
    """Two circles side by side, and builds that lose to both. Responses alone would never see the second."""
    wins = np.full((8, 8), 0.5)
    wins[:3, :3], wins[3:6, 3:6] = ROCK_PAPER_SCISSORS, ROCK_PAPER_SCISSORS
    wins[:6, 6:], wins[6:, :6] = 0.9, 0.1
    matches, _ = toy(wins, exact=exact, draws=1.0)
    meta = find_meta(matches, [0], FAST, nobody)
    # Found in both cases; proved where no edge can be too small to be seen.
    assert meta.is_most_even is exact
    assert meta.outside == 0
    assert meta.holding == 6
    assert meta.effective == pytest.approx(6, abs=0.01)
    assert meta.response.is_proved
    without_room = find_meta(toy(wins, exact=exact, draws=1.0)[0], [0], replace(FAST, most=4), nobody)
    assert not without_room.is_most_even
    assert without_room.effective == pytest.approx(3, abs=0.01)
    assert without_room.holding == 6
    assert without_room.outside == 3


@st.composite
def games_with_ties(draw):
    """Edges of a few sizes, so that many builds tie and many equilibria exist; and where to begin."""
    size = draw(st.integers(2, 8))
    unit = draw(st.sampled_from([0.5, 0.25, 0.03]))
    pairs = size * (size - 1) // 2
    edges = np.zeros((size, size))
    edges[np.triu_indices(size, 1)] = draw(
        st.lists(st.sampled_from([-unit, 0, unit]), min_size=pairs, max_size=pairs)
    )
    return 0.5 + edges - edges.T, draw(st.integers(0, size - 1))


@settings(max_examples=40)
@given(games_with_ties(), st.sampled_from([0.001, 0.1, 0.4]), st.sampled_from([2, 4, 100]))
def test_what_is_called_the_most_even_is_that_of_the_whole_matrix(game, epsilon, most):
    """However much an epsilon forgives, and wherever it begins. Without room for all it is not called so."""
    wins, first = game
    meta = find_meta(toy(wins)[0], [first], MetaLimits(epsilon=epsilon, most=most), nobody)
    assert meta.is_most_even or most < len(wins)
    if meta.is_most_even:
        shares = np.zeros(len(wins))
        shares[list(meta.rows)] = meta.shares
        assert shares == pytest.approx(equilibrium(wins - 0.5), abs=1e-3)


def test_one_build_that_surely_beats_all_others_is_all_there_is():
    sharp = replace(FAST, epsilon=0.02)
    meta = find_meta(toy(ladder(5, 0.4), exact=False)[0], [3], sharp, nobody)
    assert meta.is_most_even
    assert meta.holding == 1
    assert not find_meta(toy(ladder(5, 0.0005), exact=False)[0], [3], sharp, nobody).is_most_even


def test_the_last_digits_of_an_engine_are_no_edge():
    """A circle, and a build that all three tie with but for rounding: a quarter each, and no counter."""
    wins = np.full((4, 4), 0.5)
    wins[:3, :3] = 0.5 + 0.7 * (ROCK_PAPER_SCISSORS - 0.5)
    wins[3, :3], wins[:3, 3] = 0.5 - 8e-16, 0.5 + 8e-16
    meta = find_meta(toy(wins)[0], [0, 1, 2, 3], FAST, nobody)
    assert meta.shares == pytest.approx([0.25] * 4, abs=1e-3)
    assert meta.holding == 4
    assert meta.structure.undecided == 3
    assert [name for name, each in zip(meta.names, meta.counters, strict=True) if each.by is None] == ["b3"]


def test_the_same_for_any_number_of_jobs():
    wins = random_game(12, 8)
    found = [find_meta(toy(wins, exact=False, jobs=jobs)[0], [3], FAST, nobody) for jobs in (1, 2)]
    assert found[0].names == found[1].names
    for name in ("shares", "means", "low", "high", "fights", "share_low"):
        assert np.array_equal(getattr(found[0], name), getattr(found[1], name)), name
    assert found[0].matches.spent == found[1].matches.spent


def test_another_seed_is_another_sample():
    wins = random_game(10, 8)
    one, other = (find_meta(toy(wins, exact=False, seed=seed)[0], [3], FAST, nobody) for seed in (1, 2))
    assert one.shares.tolist() != other.shares.tolist()


def test_fights_that_run_out_leave_it_open():
    wins = random_game(30, 2)
    matches, _ = toy(wins, exact=False)
    meta = find_meta(matches, [0, 1], MetaLimits(epsilon=0.01, budget=20_000), nobody)
    assert matches.spent <= 20_000
    assert len(meta.response.open)
    assert not meta.response.is_proved
    assert true_exploitability(wins, meta) <= meta.response.bound


def test_pairs_of_the_pool_are_solved_where_an_engine_can():
    matches, bulk = toy(ROCK_PAPER_SCISSORS, exact=False, alone=True)
    meta = find_meta(matches, [0, 1, 2], FAST, nobody)
    assert not meta.is_sampled
    assert meta.shares == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert not [pair for pair in bulk.played if set(pair) <= {0, 1, 2}]


def test_shares_of_a_sampled_game_have_intervals_that_hold_the_truth():
    ab, bc, ca = 0.1, 0.2, 0.3
    wins = 0.5 + np.array([[0, ab, -ca], [-ab, 0, bc], [ca, -bc, 0]])
    truth = np.array([bc, ca, ab]) / (ab + bc + ca)
    held = 0
    for seed in range(20):
        meta = find_meta(toy(wins, exact=False, seed=seed)[0], [0, 1, 2], FAST, nobody)
        inside = (meta.share_low <= truth[list(meta.rows)]) & (truth[list(meta.rows)] <= meta.share_high)
        held += int(inside.sum())
        assert (meta.share_low <= meta.shares + 1e-9).all()
        assert (meta.shares <= meta.share_high + 1e-9).all()
    assert held >= 50  # of 60; 57 are meant


def test_ctrl_c_leads_to_what_is_known():
    pressed = []

    def impatient(_done):
        pressed.append(1)
        if len(pressed) == 6:
            raise KeyboardInterrupt

    matches, _ = toy(random_game(20, 4), exact=False)
    meta = find_meta(matches, [0, 1, 2], FAST, impatient)
    assert meta.is_partial
    assert meta.means + meta.means.T == pytest.approx(np.ones_like(meta.means))
    assert meta.shares.sum() == pytest.approx(1)
    assert true_exploitability(random_game(20, 4), meta) <= meta.response.bound


def test_a_response_that_must_be_sure_is():
    wins = np.array([[0.5, 0.48], [0.52, 0.5]])
    matches, _ = toy(wins, exact=False)
    matches.add_opponent(0)
    found = respond(
        matches, Mixture((0,), np.ones(1)), 0.01, 64, Budget(5_000_000), nobody, must_be_sure=True
    )
    assert found.row == 1
    assert matches.columns[0].low[1] > 0.505


def test_cells_that_are_exact_are_not_played():
    matches, bulk = toy(ROCK_PAPER_SCISSORS)
    matches.add_opponent(0)
    matches.play([Cells(0, np.arange(3), 100)], nobody)
    assert bulk.played == {}
    assert matches.spent == 0
