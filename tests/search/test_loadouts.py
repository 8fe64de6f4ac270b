"""The search for loadouts on made-up values, against trying everything."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from buildsearch.search.facilities import start_loadouts
from buildsearch.search.loadouts import BEST_FOUND, OPTIMAL, SWAP_OPTIMAL, LoadoutSearch, distinct


class MadeUp:
    """The best candidate of each fight counts, and some pairs do better than that."""

    def __init__(self, candidates, size, fights, seed, synergy=0.0):
        rng = np.random.default_rng(seed)
        self.size, self.candidates, self.left_out = size, candidates, {}
        self.singles = rng.uniform(5, 20, (candidates, fights))
        self.together = synergy * rng.random((candidates, candidates))

    def values(self, loadouts):
        best = self.singles[loadouts].min(axis=1)
        gain = self.together[loadouts[:, 0], loadouts[:, -1]] * (loadouts[:, 0] != loadouts[:, -1])
        return best - gain[:, None]

    def floor(self):
        return self.singles.min(axis=0) - self.together.max()

    def build(self, loadout):
        return loadout


def truth(scorer, weights):
    everything = list(combinations_with_replacement(range(scorer.candidates), scorer.size))
    scores = scorer.values(np.array(everything)) @ (np.array(weights) / np.sum(weights))
    order = np.argsort(scores, kind="stable")
    return [everything[i] for i in order], scores[order]


@pytest.mark.parametrize("size", [2, 3])
def test_everything_valued_is_the_truth(size):
    scorer, weights = MadeUp(9, size, 3, seed=1, synergy=2.0), (1.0, 2.0, 1.0)
    search = LoadoutSearch(scorer, weights)
    search.enumerate(chunk=7)
    loadouts, scores = truth(scorer, weights)
    assert search.valued == search.total() == len(loadouts)
    found = search.ranked(10)
    assert [each.loadout for each in found] == loadouts[:10]
    assert [each.score for each in found] == pytest.approx(scores[:10])
    assert found[0].status == OPTIMAL
    assert {each.status for each in found[1:]} <= {SWAP_OPTIMAL, BEST_FOUND}


@pytest.mark.parametrize("seed", range(5))
def test_best_responses_end_where_no_swap_helps(seed):
    scorer, weights = MadeUp(30, 2, 2, seed=seed, synergy=3.0), (1.0, 1.0)
    search = LoadoutSearch(scorer, weights)
    end = search.respond((0, 1))
    for place in range(2):
        for one in range(30):
            other = tuple(sorted((end[1 - place], one)))
            assert search.score(other) >= search.score(end) - 1e-9
    assert search.valued < search.total()
    found = {each.loadout: each.status for each in search.ranked(1000)}
    assert found[end] == SWAP_OPTIMAL
    assert BEST_FOUND in found.values()


def test_loadouts_without_a_value_come_last():
    class Partly(MadeUp):
        def values(self, loadouts):
            found = super().values(loadouts)
            found[(loadouts == 3).any(axis=1)] = np.nan
            return found

    search = LoadoutSearch(Partly(6, 2, 2, seed=4), (1.0, 1.0))
    search.enumerate()
    order = [each.loadout for each in search.ranked(100)]
    assert all(3 in loadout for loadout in order[-6:])
    assert not any(3 in loadout for loadout in order[:-6])


@pytest.mark.parametrize("seed", range(3))
def test_starts_are_the_best_facilities(seed):
    scorer, weights = MadeUp(12, 2, 3, seed=seed), np.array([1.0, 2.0, 1.0])
    loadouts, scores = truth(scorer, weights)
    pairs = [pair for pair in loadouts if pair[0] != pair[1]]
    starts = start_loadouts(scorer.singles, weights, 2, 3, shortlist=12)
    assert len(set(starts)) == 3
    by_pair = dict(zip(loadouts, scores, strict=True))
    assert [by_pair[start] for start in starts] == pytest.approx(
        [by_pair[pair] for pair in pairs[:3]], abs=1e-4
    )


def test_distinct_loadouts_differ():
    scorer = MadeUp(8, 2, 1, seed=2)
    search = LoadoutSearch(scorer, (1.0,))
    search.enumerate()
    found = distinct(search.ranked(100), lambda each: frozenset(map(str, each.loadout)), 3, 5)
    for i, one in enumerate(found):
        for other in found[:i]:
            assert len(set(one.loadout) ^ set(other.loadout)) >= 3
    assert found[0] == search.ranked(1)[0]
