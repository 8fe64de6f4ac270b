"""Loadouts that must fight: made-up dice with known means, against those means."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from buildsearch.evaluate.sampling import BLOCK, blocks_of
from buildsearch.search.loadouts.race import LoadoutEffort, race_loadouts
from buildsearch.search.loadouts.search import BEST_FOUND, OPTIMAL, LoadoutSearch, explore
from tests.search.test_loadouts import MadeUp

MOST = 40.0


class Fighting(MadeUp):
    """Some builds behind the candidates: in the first fight best play is known, in the others they fight."""

    sampled_method = "dice"

    def __init__(self, candidates, sampled, size, fights, seed):
        super().__init__(candidates, size, fights, seed)
        self.sampled, self.played = sampled, 0
        means = np.random.default_rng(seed + 1).uniform(3, 16, (sampled, fights))
        self.all = np.concatenate([self.singles, means])

    def truth(self, loadouts):
        """The best member of each fight counts, and two different ones take a little less."""
        differ = (loadouts[:, 0] != loadouts[:, -1])[:, None]
        return self.all[loadouts].min(axis=1) * (1 - 0.05 * differ)

    def values(self, loadouts):
        return self.truth(loadouts)

    def outcome_range(self, fight):
        return 1.0, MOST

    def exact_values(self, fight, loadouts):
        return self.truth(loadouts)[:, fight] if fight == 0 else np.full(len(loadouts), np.nan)

    def fight_on(self, fight, loadouts, fights, first_block=0):
        self.played += fights * len(loadouts)
        chance = (self.truth(loadouts)[:, fight] - 1) / (MOST - 1)
        sums = np.zeros((2, len(loadouts)), np.int64)
        for row, loadout in enumerate(loadouts):
            for block, number in blocks_of(first_block, fights):
                # Long or short: outcomes of 1 and of the limit. A block's first fights are always the same.
                dice = np.random.default_rng([fight, block, *loadout])
                lengthy = int((dice.random(BLOCK)[:number] < chance[row]).sum())
                sums[:, row] += (
                    lengthy * int(MOST) + number - lengthy,
                    lengthy * int(MOST) ** 2 + number - lengthy,
                )
        return sums[0], sums[1]

    def floor(self):
        return 0.95 * self.singles.min(axis=0)

    def floor_with_extra(self):
        return np.ones(self.singles.shape[1])


def everything(scorer, weights):
    """Every loadout with a build that must fight, and its true score."""
    number = scorer.candidates + scorer.sampled
    rows = np.array(
        [
            loadout
            for loadout in combinations_with_replacement(range(number), scorer.size)
            if loadout[-1] >= scorer.candidates
        ]
    )
    return rows, scorer.truth(rows) @ (weights / weights.sum())


def raced_with(scorer, weights, fights, top=5, known=(), alpha=0.05):
    partners = list(range(scorer.candidates))
    return race_loadouts(scorer, weights, known, partners, LoadoutEffort(top, fights, alpha))


@pytest.mark.parametrize("size", [2, 3])
def test_the_best_is_found_within_its_bounds(size):
    scorer, weights = Fighting(4, 6, size, 3, seed=2), np.array([1.0, 2.0, 1.0])
    raced = raced_with(scorer, weights, 3_000_000)
    rows, scores = everything(scorer, weights)
    truth = dict(zip(map(tuple, rows.tolist()), scores, strict=True))
    own = np.array([truth[tuple(row)] for row in raced.field.loadouts.tolist()])
    assert (raced.low <= own + 1e-9).all()
    assert (own <= raced.high + 1e-9).all()
    best = int(np.argmin(raced.field.scores))
    assert own[best] == pytest.approx(scores.min(), abs=0.3)
    assert raced.fights == scorer.played <= 3_000_000
    # Where best play is known it is taken, and nobody fights for it.
    assert raced.field.is_exact(best) == (True, False, False)
    assert raced.field.means[best, 0] == scorer.truth(raced.field.loadouts[[best]])[0, 0]
    estimate = raced.field.estimate(best)
    assert estimate.low < estimate.value < estimate.high


def test_fights_are_not_overspent_and_nothing_depends_on_luck():
    weights = np.ones(3)
    first, second = (raced_with(Fighting(5, 8, 2, 3, seed=4), weights, 200_000) for _ in range(2))
    assert first.fights == second.fights <= 200_000
    np.testing.assert_array_equal(first.field.loadouts, second.field.loadouts)
    np.testing.assert_array_equal(first.field.scores, second.field.scores)
    assert first.open_ranks > 0
    # Enough for one look at everybody: those who did best are kept.
    scorer = Fighting(5, 8, 2, 3, seed=4)
    rows, _ = everything(scorer, weights)
    short = raced_with(scorer, weights, 64 * 3 * len(rows))
    assert (len(short.field), short.fights) == (48, 64 * 3 * len(rows))
    assert set(short.field.fought.tolist()) == {64}
    few = raced_with(Fighting(5, 8, 2, 3, seed=4), weights, 0)
    assert (len(few.field), few.fights) == (0, 0)


def test_bounds_are_honest():
    """All of them at once, in many races; alpha is a fifth, so about that share may miss at most."""
    missed = 0
    for seed in range(20):
        scorer, weights = Fighting(2, 3, 2, 2, seed), np.ones(2)
        raced = raced_with(scorer, weights, 40_000, top=3, alpha=0.2)
        truth = scorer.truth(raced.field.loadouts).mean(axis=1)
        missed += bool(((truth < raced.low - 1e-9) | (truth > raced.high + 1e-9)).any())
    assert missed <= 8  # 20 times a fifth, and twice as much


def test_loadouts_that_fought_enter_the_list():
    scorer, weights = Fighting(6, 5, 2, 2, seed=8), np.ones(2)
    search = LoadoutSearch(scorer, weights.tolist())
    partners = explore(search, scorer, weights, starts=2, top=10)
    assert search.ranked(1)[0].status == OPTIMAL
    known = [(each.loadout, each.score) for each in search.ranked(10)]
    raced = race_loadouts(scorer, weights, known, partners, LoadoutEffort(10, 2_000_000))
    search.take_in(raced)
    ranked = search.ranked(10)
    assert [each.score for each in ranked] == sorted(each.score for each in ranked)
    fought = [each for each in ranked if each.fights]
    assert fought
    for each in fought:
        assert each.status == BEST_FOUND
        assert each.span[0] <= each.estimate.value <= each.span[1]
        assert each.exact == (True, False)
        assert len(each.estimates) == len(each.values) == 2
    if search.is_beaten:
        assert {each.status for each in ranked} == {BEST_FOUND}
    ranges = search.rank_ranges([each.loadout for each in ranked])
    for place, (best, worst) in enumerate(ranges, start=1):
        assert best <= worst
        assert best <= place + 1
