"""The search for loadouts on made-up values, against trying everything."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from buildsearch.search.loadouts.search import (
    BEST_FOUND,
    OPTIMAL,
    SWAP_OPTIMAL,
    LoadoutSearch,
    distinct,
    start_loadouts,
)


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

    replaced = 0
    extra = 0
    sampled = 0

    def floor_with_extra(self):
        return self.floor()

    def fight_values(self, fight, loadouts):
        return self.values(loadouts)[:, fight]

    def bounds(self, rest):
        # No candidate gains more than the highest synergy.
        best = np.minimum(self.singles, self.singles[list(rest)].min(axis=0, initial=np.inf))
        return best - self.together.max()

    def guesses(self, rest):
        return self.singles

    def floor_near(self, loadout):
        return np.full(self.singles.shape[1], -np.inf)

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
    swaps = [tuple(sorted((end[1 - place], one))) for place in range(2) for one in range(30)]
    assert (scorer.values(np.array(swaps)).mean(axis=1) >= search.score(end) - 1e-9).all()
    assert search.valued < search.total()
    found = {each.loadout: each.status for each in search.ranked(1000)}
    assert found[end] == SWAP_OPTIMAL
    assert BEST_FOUND in found.values()


def test_what_is_cut_short_is_not_proved():
    class Loose(MadeUp):
        def bounds(self, rest):
            return np.full(self.singles.shape, -100.0)

    scorer = Loose(300, 2, 2, seed=1, synergy=3.0)
    search = LoadoutSearch(scorer, (1.0, 1.0), most=1)
    end = search.respond((0, 1))
    assert {each.loadout: each.status for each in search.ranked(1000)}[end] == BEST_FOUND
    late = LoadoutSearch(scorer, (1.0, 1.0), seconds=-1.0)
    assert late.respond((0, 1)) == (0, 1)
    assert late.ranked(1)[0].status == BEST_FOUND


def test_a_loadout_at_the_floor_is_optimal():
    class Floored(MadeUp):
        def floor(self):
            return self.singles.min(axis=0)

    scorer = Floored(40, 2, 2, seed=3)
    search = LoadoutSearch(scorer, (1.0, 1.0))
    best = tuple(sorted(scorer.singles.argmin(axis=0).tolist()))
    assert search.respond(best) == best
    search.near(best, 5)
    statuses = [each.status for each in search.ranked(5)]
    assert statuses[0] == OPTIMAL
    assert set(statuses[1:]) == {BEST_FOUND}


def test_what_is_valued_does_not_depend_on_the_clock(monkeypatch):
    """Three clocks, on which other fights are slow: the same loadouts are valued."""

    class Loose(MadeUp):
        def bounds(self, rest):
            return super().bounds(rest) - 3.0

    def valued(slow):
        scorer, now = Loose(40, 2, 3, seed=2, synergy=1.0), [0.0]
        play = scorer.fight_values

        def fight_values(fight, loadouts):
            now[0] += 100.0 if fight == slow else 1.0
            return play(fight, loadouts)

        scorer.fight_values = fight_values
        monkeypatch.setattr("time.perf_counter", lambda: now[0])
        search = LoadoutSearch(scorer, (1.0, 1.0, 1.0))
        search.near(search.respond((0, 1)), 10)
        return [each.loadout for each in search.ranked(1000)]

    assert valued(0) == valued(1) == valued(2)


@pytest.mark.parametrize("seed", range(3))
def test_the_neighbourhood_of_the_best_is_complete(seed):
    scorer, weights = MadeUp(40, 2, 2, seed=seed, synergy=1.0), (1.0, 1.0)
    search = LoadoutSearch(scorer, weights)
    best = truth(scorer, weights)[0][0]
    search.respond(best)
    search.near(best, 5)
    loadouts, scores = truth(scorer, weights)
    beside = [score for loadout, score in zip(loadouts, scores, strict=True) if set(loadout) & set(best)]
    assert [each.score for each in search.ranked(5)] == pytest.approx(beside[:5])


def test_loadouts_without_a_value_come_last():
    class Partly(MadeUp):
        def values(self, loadouts):
            found = super().values(loadouts)
            found[(loadouts == 3).any(axis=1)] = np.nan
            return found

    search = LoadoutSearch(Partly(6, 2, 2, seed=4), (1.0, 1.0))
    assert search.respond((0, 1)) not in search._swapped
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
