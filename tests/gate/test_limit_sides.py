"""Builds near a limit fight on until it is certain on which side they are."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.gate.checker import decide_limit
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.scoring import sample_rows, solve_all
from tests.search.fakes import FIGHTS, FakeBulk, FakeSpace


def ledger_of(bulk, floor=64):
    ledger = Ledger.empty(FIGHTS, list(FakeSpace().chunks(None, 64)), bulk.outcomes)
    scorer = CachedScorer(bulk, ScoreCache(None))
    solve_all(scorer, ledger)
    ledger.begin_sampling(everywhere=False)
    sample_rows(scorer, ledger, np.arange(len(ledger.sampled)), floor, 0)
    return ledger, scorer


@pytest.mark.parametrize("solvable", [True, False])
def test_only_builds_that_are_too_close_to_call_stay_open(solvable):
    bulk = FakeBulk(solvable=solvable)
    ledger, scorer = ledger_of(bulk)
    truth = np.concatenate([bulk.true_mean(chunk, FIGHTS["short"]) for chunk in ledger.chunks])
    limit = 3.03
    found = decide_limit(
        scorer,
        ledger,
        0,
        limit,
        higher_is_better=False,
        budget=6_000_000,
        seed=0,
        alpha=0.05,
        advance=lambda done: None,
    )
    assert (truth[found.better] < limit).all()
    others = np.setdiff1d(np.arange(len(truth)), np.concatenate([found.better, found.undecided]))
    assert (truth[others] >= limit).all()
    assert np.abs(truth[found.undecided] - limit).max(initial=0) < 1.0
    assert len(found.better) > 0
    if solvable:
        even = np.array([code % 2 == 0 for chunk in ledger.chunks for code in chunk.codes[:, 0]])
        assert not even[found.undecided].any()  # exact scores are never open


def test_nothing_is_spent_beyond_the_budget_nor_on_what_is_clear():
    bulk = FakeBulk(solvable=False)
    ledger, scorer = ledger_of(bulk)
    options = {"higher_is_better": True, "seed": 0, "alpha": 0.05, "advance": lambda done: None}
    assert decide_limit(scorer, ledger, 0, 49.999, budget=10**9, **options).fights == 0
    assert decide_limit(scorer, ledger, 0, 4.0, budget=1000, **options).fights <= 1000
