"""Answers that hang on sampled scores: who decides is looked at again, and what stays open is said."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.balancing import settle
from buildsearch.balancing.edit_table import scored
from buildsearch.balancing.measure import deciding
from buildsearch.balancing.settle import settled_scores
from buildsearch.model.evaluation import TIE
from buildsearch.model.space import Wanted
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.executor import Executor
from buildsearch.search.objectives import read_objectives
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.score_table import ScoreTable
from buildsearch.search.scoring import Effort, ScoringSetup
from buildsearch.views.balance import proposal_data
from tests.balancing.benches import Game
from tests.balancing.test_proofs import REMOVING, searched
from tests.search.fakes import FIGHTS, METRICS, FakeBulk, FakeSpace


class Known(FakeBulk):
    """All builds are sampled; asked one by one, engines solve every second of them, once they are there."""

    engines = False

    def solve_alone(self, chunk, fight):
        means = self.true_mean(chunk, fight)
        return np.where(self.engines & (chunk.codes[:, 0] % 2 == 0), means, np.nan)


@pytest.fixture
def arena():
    return _arena(Known(solvable=False))


def _arena(bulk, jobs=1):
    return ScoringSetup(FakeSpace(), FIGHTS, CachedScorer(bulk, ScoreCache(None), Executor(jobs)), Wanted())


EFFORT = Effort(read_objectives((), METRICS), 10, 64, 0, 0)
LIKE = ScoreTable((), *[np.zeros(0)] * 5, (), *[np.zeros(0)] * 3, False, False)


def _truth(arena, scores):
    bulk = arena.scorer.scorer
    means = np.zeros(len(scores))
    for rows, chunk in scores.chunks():
        short, long = (bulk.true_mean(chunk, fight) for fight in FIGHTS.values())
        means[rows] = (short + 3 * long) / 4
    return means


def test_bounds_are_those_that_ranks_follow_from(arena, monkeypatch):
    """Solved builds have the true score; others come nearer, between bounds that hold for all at once."""
    monkeypatch.setattr(settle, "_FIGHTS", 4096)
    before = scored(arena, list(FakeSpace().chunks(None, 64)), EFFORT, LIKE)
    truth = _truth(arena, before)
    assert (before.low <= truth).all()
    assert (truth <= before.high).all()
    rows = np.flatnonzero(before.error > 0)[:12]
    bulk = Known(solvable=False)
    bulk.engines = True
    arena = _arena(bulk)
    after, solved, fought = settled_scores(before, rows.tolist(), arena, EFFORT, 10**9)
    even = before.codes[rows, 0] % 2 == 0
    assert (solved, fought) == (int(even.sum()), int((~even).sum()))
    assert after.score[rows[even]] == pytest.approx(truth[rows[even]], abs=TIE / 2)
    assert (after.low[rows[even]] == after.high[rows[even]]).all()
    odd = rows[~even]
    assert (after.low[odd] <= truth[odd]).all()
    assert (truth[odd] <= after.high[odd]).all()
    assert (after.high[odd] - after.low[odd] < before.high[odd] - before.low[odd]).all()
    # Wider than what holds for one build alone.
    assert (after.high[odd] - after.low[odd] > 2 * 1.96 * after.error[odd]).all()
    others = np.setdiff1d(np.arange(len(before)), rows)
    assert (after.score[others] == before.score[others]).all()
    assert (after.high[others] == before.high[others]).all()


def test_a_proposal_that_hangs_on_a_sampled_build_says_so():
    game = Game(parameters={"budget": "3"}, seed=0, sampled=1.0)
    goal = [f"best >= {float(sorted(game.scores.score)[12]):.6f}"]
    search, answer = searched(game, goal, REMOVING)
    assert len(deciding(search.game.court.state(()), search.game.goals)) > 0
    assert answer.outcomes[0].sampled
    for each in answer.outcomes:
        assert proposal_data(each)["sampled"] == list(each.sampled)
    exact = searched(Game(parameters={"budget": "3"}, seed=0), goal, REMOVING)[1]
    assert not any(each.sampled for each in exact.outcomes)


class Slow(Known):
    """Every look at the clock sees an hour gone."""

    hours = 0.0

    def sample(self, chunk, fight, seed, fights):
        type(self).hours += 3600
        return super().sample(chunk, fight, seed, fights)


def test_a_slow_machine_looks_at_the_same_builds_again(arena, monkeypatch):
    """What is settled follows from the fights that may be spent, not from how long they take."""
    monkeypatch.setattr(settle, "_FIGHTS", 1024)
    monkeypatch.setattr(settle, "_AT_ONCE", 2)
    before = scored(arena, list(FakeSpace().chunks(None, 64)), EFFORT, LIKE)
    rows = np.flatnonzero(before.error > 0)[:12].tolist()
    found = []
    for bulk, jobs in ((Known(solvable=False), 2), (Slow(solvable=False), 1)):
        monkeypatch.setattr("time.monotonic", lambda: Slow.hours)
        found.append(settled_scores(before, rows, _arena(bulk, jobs), EFFORT, 10_000))
    (fast, *fast_counts), (slow, *slow_counts) = found
    # Two builds at a time take 2 x 2 x 1,024 fights: after three times 10,000 are spent.
    assert fast_counts == slow_counts == [0, 6]
    assert (fast.score == slow.score).all()
    assert (fast.fought == slow.fought).all()
