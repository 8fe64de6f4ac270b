"""One set of edits for several games: as small as brute force over all of them finds, and who binds."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numba
import numpy as np
import pytest

from buildsearch.balancing.answers import MINIMAL, MINIMAL_OF_RAISES, BalanceEffort
from buildsearch.balancing.build_pool import Pool
from buildsearch.balancing.edit_table import table_of
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.goals import read_goals
from buildsearch.balancing.levers import LeverRequest, choose
from buildsearch.balancing.search import Search
from buildsearch.document.blocks import Text
from buildsearch.model.space import Wanted
from buildsearch.views.balance import joint_document
from tests.balancing.benches import ABOUT, Game, _rows, lenient
from tests.balancing.test_proofs import OPTIONS, WIDER, within

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="thousands of verdicts")

WISH = LeverRequest(kinds=("cost-raises", "pair-bans"), only=OPTIONS[:4], max_change=2)
MOST = 2


def part(label, game, words, pool=None):
    limits = lenient()
    table = pool.table if pool is not None else game.table
    population = table.population
    goals = read_goals(words, WIDER, limits, population.names, population.scores.fights, counts_steps=False)
    chosen = choose(game.levers, table, WISH, "Vitality")
    return BalancedGame(table, limits, goals, chosen, None, label, len(game.scores), pool)


def joint(parts):
    return Search(parts, parts[0].levers, BalanceEffort(4, 60.0))


def smallest(games, edits, holds):
    for size in range(MOST + 1):
        for some in combinations(edits, size):
            if len({edit.lever for edit in some}) == size and all(_kept(g, some, holds) for g in games):
                return size
    return None


@cache
def _options(game):
    return {reach.choice.name for reach in game.judged((), lenient()).verdict.reaches}


def _kept(game, some, holds):
    judged = game.judged(some, lenient())
    return _options(game) <= {reach.choice.name for reach in judged.verdict.reaches} and holds(judged)


@pytest.mark.parametrize("seed", [3, 10, 11])
def test_the_fewest_edits_for_two_games(seed):
    """With seed 3 either game needs one edit, and both together three."""
    games = [Game(parameters={"budget": "3"}, seed=seed + more) for more in (0, 1)]
    parts = [part(label, game, ["wider"]) for label, game in zip("ab", games, strict=True)]
    answer = joint(parts).run()
    expected = smallest(games, parts[0].levers.edits, within(0.15))
    found = len(answer.proposals[0].edits)
    assert found == expected if expected is not None else found > MOST
    for proposal in answer.proposals:
        assert all(_kept(game, proposal.edits, within(0.15)) for game in games)
        _check_binding(proposal, dict(zip("ab", games, strict=True)))
    assert answer.proof in (MINIMAL, MINIMAL_OF_RAISES)
    page = joint_document(answer, ABOUT)
    assert "meets the goal in a and b" in page.data["headline"]
    assert page.data["proposals"]
    for _ in answer.proposals:
        assert any("tight" in block.text for block in page.blocks if isinstance(block, Text))


def _check_binding(proposal, games):
    """A game binds if it breaks as often as any other does once an edit goes a step less far."""
    counts = {label: sum(label in less.breaks for less in proposal.weaker) for label in games}
    assert set(proposal.binds) == {label for label, n in counts.items() if n and n == max(counts.values())}
    assert len(proposal.weaker) == len(proposal.edits)


def pool_of(game):
    """A pool over made-up scores, which the whole game knows."""

    def score(chunks):
        keys = [(chunk.group, code.tobytes()) for chunk in chunks for code in chunk.codes]
        return _rows(game.scores, np.array([game.by_key[key] for key in keys]))

    def tabled(scores):
        return table_of(game.subject(game.loaded.model, game.space, scores), game.table.accounts)

    return Pool(game.space, Wanted(), score, tabled, most=10_000)


@pytest.mark.parametrize("seed", range(2))
def test_a_pool_finds_the_best_with_each_part(seed):
    game = Game(parameters={"budget": "4"}, seed=seed)
    pool = pool_of(game)
    pool.start([], np.random.default_rng(seed))
    pool.grow()
    assert len(pool) <= len(game.scores)
    found, whole = _best_with(pool.table), _best_with(game.table)
    right = sum(found.get(name) == best for name, best in whole.items())
    assert right >= 0.9 * len(whole)
    # Whatever is found is a build with its own score.
    assert all(found[name] >= whole[name] - 1e-12 for name in found)
    assert min(found.values()) == min(whole.values())


def _best_with(table):
    scores, levels = table.population.scores.score, table.population.levels
    return {
        name: float(scores[np.flatnonzero(levels[place] > 0)[0]])
        for name, place in table.places.items()
        if (levels[place] > 0).any()
    }


def test_a_pool_learns_what_edits_bring_up_and_nothing_is_called_proved():
    game = Game(parameters={"budget": "3"}, seed=3)
    pool = pool_of(game)
    pool.start([], np.random.default_rng(0))
    pool.grow()
    with_pool = joint([part("pool", game, ["wider"], pool)]).run()
    whole = joint([part("whole", game, ["wider"])]).run()
    assert len(with_pool.proposals[0].edits) == len(whole.proposals[0].edits)
    assert "Not proved" in with_pool.proof
    assert _kept(game, with_pool.proposals[0].edits, within(0.15))
