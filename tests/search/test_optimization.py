"""The whole search against brute force, on a game whose true means are known."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest

from buildsearch.model.errors import Cancelled, UsageError
from buildsearch.model.evaluation import TIE
from buildsearch.model.space import Chunk
from buildsearch.report.leaderboard import BoardNaming, leaderboard, rank_text_of
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.details import Describer, contributions
from buildsearch.search.executor import Executor
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import read_objectives
from buildsearch.search.race import contending, promising_first, race, share_of_alpha
from buildsearch.search.ranking import optimize
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.scoring import Effort, no_bar, sample_rows, solve_all
from tests.search.fakes import FIGHTS, METRICS, FakeBulk, FakeSpace, NoEvaluator

NAMING = BoardNaming(METRICS[:1], (), {}, ())


def stopping(stage, after):
    """A bar under which Ctrl-C comes when so much of a stage is done; once."""
    heard = []

    @contextmanager
    def bar(what, total):
        done = 0

        def advance(more):
            nonlocal done
            done += more
            if what.startswith(stage) and done >= after and not heard:
                heard.append(stage)
                raise KeyboardInterrupt

        yield advance

    return bar


def search(
    bulk=None,
    *,
    objectives=(),
    top=10,
    budget=4_000_000,
    seed=0,
    jobs=2,
    cache=None,
    size=50,
    bar=no_bar,
    on_leaders=None,
):
    bulk, space = bulk or FakeBulk(), FakeSpace()
    scorer = CachedScorer(bulk, ScoreCache(cache), Executor(jobs))
    effort = Effort(read_objectives(objectives, METRICS), top, 64, budget, seed, bar=bar)
    chunks = list(space.chunks(None, size))

    def describer(ledger):
        return Describer(scorer, [NoEvaluator(bulk, space)], ledger)

    return optimize(space, chunks, FIGHTS, scorer, describer, effort, on_leaders=on_leaders), scorer


def true_scores(bulk=None):
    bulk, space = bulk or FakeBulk(), FakeSpace()
    found = {}
    for chunk in space.chunks(None, 64):
        means = {name: bulk.true_mean(chunk, fight) for name, fight in FIGHTS.items()}
        for i, build in enumerate(space.builds(chunk)):
            found[space.name(build)] = (means["short"][i] + 3 * means["long"][i]) / 4
    return found


def test_the_leaderboard_is_the_true_one_where_everything_is_exact():
    class Solvable(FakeBulk):
        def solve(self, chunk, fight):
            return self.true_mean(chunk, fight)

    answer, _ = search(Solvable(), top=30)
    truth = sorted(true_scores().items(), key=lambda item: (round(item[1], 8), item[0]))
    names = [FakeSpace().name(build) for build in answer.builds]
    assert [true_scores()[name] for name in names] == pytest.approx([score for _, score in truth[:30]])
    assert answer.race is None
    assert (answer.ranks[0] <= answer.ordered.rank).all()
    assert (answer.ordered.rank <= answer.ranks[1]).all()


@pytest.mark.parametrize("seed", range(12))
def test_the_true_top_is_never_lost(seed):
    """Every build of the true top 10 is still a contender when the race ends, in every one of 12 races."""
    bulk, space = FakeBulk(solvable=False), FakeSpace()
    ledger = Ledger.empty(FIGHTS, list(space.chunks(None, 64)), bulk.outcomes)
    scorer = CachedScorer(bulk, ScoreCache(None))
    solve_all(scorer, ledger)
    ledger.begin_sampling(everywhere=False)
    everyone = np.arange(len(ledger.sampled))
    sample_rows(scorer, ledger, everyone, 64, seed)
    (objective,) = read_objectives((), METRICS)
    effort = Effort((objective,), 10, 64, 3_000_000, seed)
    report = race(scorer, ledger, effort)
    low, high = objective.bounds(ledger, bulk, share_of_alpha(ledger, effort.alpha))
    truth = np.array(list(true_scores(bulk).values()))
    assert ((low <= truth) & (truth <= high)).all()
    assert contending(low, high, 10)[np.argsort(truth, kind="stable")[:10]].all()
    assert report.fights <= effort.budget
    # The race is worth its name: most builds are out early.
    assert report.contenders < 60


def test_slower_engines_settle_what_is_left_of_the_race():
    answer, _ = search(FakeBulk(solvable=False, solvable_alone=True))
    fought, _ = search(FakeBulk(solvable=False))
    assert (answer.race.open_ranks, answer.race.fights) == (0, 0)
    assert fought.race.fights > 0
    scores = true_scores()
    names = [FakeSpace().name(build) for build in answer.builds]
    assert [scores[name] for name in names] == pytest.approx(sorted(scores.values())[:10])
    assert answer.costs[0][answer.ordered.rows] == pytest.approx([scores[name] for name in names], abs=TIE)


def test_slower_engines_take_the_most_promising_when_too_many_are_left(monkeypatch):
    monkeypatch.setattr("buildsearch.search.race.ALONE", 6)
    answer, _ = search(FakeBulk(solvable=False, solvable_alone=True), budget=10_000)
    assert (~np.isnan(answer.ledger.exact)).sum() == 6


def test_what_takes_slower_engines_long_counts_for_more(monkeypatch):
    class Uneven(FakeBulk):
        def alone_costs(self, chunk, fight):
            return np.full(len(chunk), 3.0)

    monkeypatch.setattr("buildsearch.search.race.ALONE", 18)
    answer, _ = search(Uneven(solvable=False, solvable_alone=True), budget=10_000)
    assert (~np.isnan(answer.ledger.exact)).sum() == 6


def test_what_is_dear_to_solve_fights_before_and_is_solved_where_it_is_shown():
    class Dear(FakeBulk):
        tried = 0

        def alone_costs(self, chunk, fight):
            return np.full(len(chunk), 21.0)

        def solve_alone(self, chunk, fight):
            self.tried += len(chunk)
            return super().solve_alone(chunk, fight)

    class Cheap(Dear):
        def alone_costs(self, chunk, fight):
            return np.ones(len(chunk))

    (dear, asked), (cheap, asked_of_all) = (
        search(kind(solvable=False, solvable_alone=True), top=3) for kind in (Dear, Cheap)
    )
    assert asked.scorer.tried < asked_of_all.scorer.tried / 2
    assert dear.ordered.rows.tolist() == cheap.ordered.rows.tolist()
    for answer in (dear, cheap):
        assert answer.race.open_ranks == 0
        assert not np.isnan(answer.ledger.exact[:, answer.ordered.rows]).any()


def test_fights_of_who_was_solved_later_are_behind_no_score():
    answer, _ = search(FakeBulk(solvable_alone=True))
    ledger, used = answer.ledger, answer.ledger.fights_used()
    solved = ~np.isnan(ledger.exact[:, ledger.sampled]).any(axis=0)
    assert solved.any()
    assert not used[ledger.sampled[solved]].any()
    assert (used[ledger.sampled[~solved]] == ledger.fought[~solved]).all()
    assert not np.delete(used, ledger.sampled).any()
    # Where more than means is asked for, fights are behind every score.
    ledger.everywhere = True
    assert (ledger.fights_used()[ledger.sampled] == ledger.fought).all()


def test_fights_go_to_those_who_may_be_at_the_top():
    answer, _ = search(FakeBulk(solvable=False), budget=6_000_000)
    fought = answer.ledger.fought
    truth = np.array(list(true_scores().values()))
    assert fought[np.argsort(truth)[:5]].min() >= 8 * fought[np.argsort(truth)[-20:]].max()


def test_undecided_ranks_are_ranges_that_hold_the_truth():
    answer, _ = search(FakeBulk(solvable=False), budget=500_000)
    scores = true_scores()
    ranks = {
        name: 1 + sum(other < score - 1e-9 for other in scores.values()) for name, score in scores.items()
    }
    for place, build in enumerate(answer.builds):
        rank = ranks[FakeSpace().name(build)]
        assert answer.ranks[0][place] <= rank <= answer.ranks[1][place]


def test_exact_builds_among_open_sampled_ones_are_undecided_too():
    answer, _ = search(budget=200_000, top=30)
    kinds = set()
    for row in leaderboard(answer, FakeSpace(), NAMING):
        best, worst = row["rank_low"], row["rank_high"]
        is_open = worst - best >= row["tied_builds"]
        kinds.add((row["method"], is_open))
        assert ("rank_range" in row["flags"]) == is_open
        assert (rank_text_of(row) == f"{best}–{worst}") == is_open
    assert {("exact", True), ("sampled", True)} <= kinds

    class Solvable(FakeBulk):
        def solve(self, chunk, fight):
            return self.true_mean(chunk, fight)

    tied, _ = search(Solvable(), top=30)
    assert {row["flags"] for row in leaderboard(tied, FakeSpace(), NAMING)} == {"", "tied"}


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("size", [7, 64])
def test_workers_and_chunks_do_not_matter(jobs, size):
    answer, _ = search(jobs=jobs, size=size)
    expected, _ = search(jobs=1, size=64)
    names = [FakeSpace().name(build) for build in answer.builds]
    assert names == [FakeSpace().name(build) for build in expected.builds]
    assert np.array_equal(answer.costs, expected.costs)


def test_what_was_scored_is_not_scored_again(tmp_path):
    first, bulk = FakeBulk(), FakeBulk()
    before, _ = search(first, cache=tmp_path)
    after, scorer = search(bulk, cache=tmp_path)
    assert first.solved > 0
    assert first.sampled > 0
    assert (bulk.solved, bulk.sampled, scorer.misses) == (0, 0, 0)
    assert np.array_equal(before.costs, after.costs)


def test_fights_that_lack_the_same_builds_share_a_solver():
    """Also where some builds are known: what fights have in common is worked out once for the rest."""

    class Sharing(FakeBulk):
        shared = 0

        def solver(self, chunk, fights):
            asked = []

            def solve(number):
                self.shared += not asked
                asked.append(number)
                return self.solve(chunk, fights[number])

            return solve

    bulk, fights = Sharing(), list(FIGHTS.values())
    chunk = next(iter(FakeSpace().chunks(None, 64)))
    scorer = CachedScorer(bulk, ScoreCache(None))
    for fight in fights:
        scorer.solve(Chunk(chunk.group, chunk.codes[:7]), fight)
    bulk.shared = bulk.solved = 0
    solver = scorer.solver(chunk, fights)
    found = [solver(number) for number in range(len(fights))]
    assert (bulk.shared, bulk.solved) == (1, len(fights) * (len(chunk) - 7))
    for number, fight in enumerate(fights):
        assert np.array_equal(found[number], FakeBulk().solve(chunk, fight), equal_nan=True)


def test_an_interrupted_search_answers_about_what_it_has():
    class Interrupting(FakeBulk):
        def solve(self, chunk, fight):
            if chunk.group == "b":
                raise KeyboardInterrupt
            return super().solve(chunk, fight)

    answer, _ = search(Interrupting(), jobs=1, size=64)
    assert answer.is_partial
    assert 0 < answer.scored < 128
    assert all(build[0] == "a" for build in answer.builds)


def test_objectives_rank_by_themselves():
    worst, _ = search(objectives=("worst",))
    assert (np.diff(worst.costs[0][worst.ordered.rows]) >= -1e-9).all()
    wins, _ = search(objectives=("wins",), budget=0)
    assert wins.ledger.everywhere
    assert not np.isnan(wins.costs).any()
    assert (wins.costs <= 0).all()
    speed, _ = search(objectives=("speed",), budget=0)
    scores = speed.effort.objectives[0].shown(speed.costs[0])
    assert (np.diff(scores[speed.ordered.rows]) <= 1e-9).all()
    variance, _ = search(objectives=("variance",), budget=0)
    assert not np.isnan(variance.costs[0][variance.ordered.rows]).any()


def test_several_objectives_give_their_front():
    answer, _ = search(objectives=("mean", "wins"), budget=0, top=100)
    costs = answer.costs
    expected = [
        i
        for i in range(costs.shape[1])
        if not any(
            (costs[:, j] <= costs[:, i]).all() and (costs[:, j] < costs[:, i]).any()
            for j in range(costs.shape[1])
        )
    ]
    assert sorted(answer.ordered.rows) == expected


def test_ranks_on_a_front_are_places_on_it():
    class Rivals(FakeBulk):
        """What is quick in one fight is slow in the other, and group b is slower in both."""

        def solve(self, chunk, fight):
            codes = chunk.codes[:, 0].astype(float)
            slow = codes if fight.name == "short" else 63 - codes
            return 2.0 + slow / 12 + (0.1 if chunk.group == "b" else 0.0)

    answer, _ = search(Rivals(), objectives=("mean", "worst"), top=100)
    assert len(answer.builds) > 10
    assert np.array_equal(answer.ranks[0], answer.ordered.rank)
    assert np.array_equal(answer.ranks[1], answer.ordered.rank)


def test_unknown_and_repeated_objectives_are_refused():
    with pytest.raises(UsageError, match=r"unknown objective `wurst`.*worst"):
        read_objectives(("wurst",), METRICS)
    with pytest.raises(UsageError, match="twice"):
        read_objectives(("turns", "mean"), METRICS)


def test_contributions_are_losses_without_a_part():
    answer, _ = search(top=3, budget=0)
    space, build = FakeSpace(), ("a", 20)
    found = {each.feature: each.loss for each in contributions(space, answer.ledger, answer.costs[0], build)}
    scores = true_scores()
    assert found == {
        "bit2": pytest.approx(scores["a16"] - scores["a20"], abs=TIE),
        "bit4": pytest.approx(scores["a04"] - scores["a20"], abs=TIE),
    }


def test_of_those_that_may_win_every_fight_the_best_so_far_come_first():
    """After a few fights the bounds of many reach the end of the scale: that must not leave it to chance."""
    low, high = np.array([-1.0, -0.9, -1.0, -1.0]), np.array([-0.2, -0.8, -0.6, -0.4])
    assert promising_first(low, high).tolist() == [2, 3, 0, 1]


@pytest.mark.parametrize("stage", ["solving", "sampling", "racing", "details"])
def test_what_is_scored_when_ctrl_c_comes_is_ranked(stage):
    """At every stage: builds that are scored in every fight, the best first, with their true scores."""
    scores = true_scores()
    answer, _ = search(jobs=1, bar=stopping(stage, 150 if stage == "solving" else 1))
    assert answer.is_partial
    assert 0 < answer.scored <= len(scores)
    known = [FakeSpace().name(build) for build in answer.builds]
    exact = [
        scores[name] for name, detail in zip(known, answer.details, strict=True) if detail.method == "exact"
    ]
    assert len(exact) > 0
    assert exact == sorted(exact)


def test_ctrl_c_before_the_first_score_says_that_nothing_was_saved():
    with pytest.raises(Cancelled, match=r"Stopped before any build was scored. Nothing was saved."):
        search(jobs=1, bar=stopping("solving", 1))


def test_a_large_search_has_scores_of_each_group_soon(monkeypatch):
    """Some builds of each group are solved in every fight before the rest."""
    monkeypatch.setattr("buildsearch.search.scoring._FIRST", 10)
    monkeypatch.setattr("buildsearch.search.scoring._LARGE", 100)
    answer, _ = search(jobs=1, size=1_000, bar=stopping("solving", 2 * 10 * len(FIGHTS)))
    assert answer.is_partial
    assert 0 < answer.scored <= 20
    assert {build[0] for build in answer.builds} == {"a", "b"}


def test_the_best_so_far_are_told_while_it_goes_on(monkeypatch):
    """Whenever a bar moves: the best of what is scored by then, and at last the best of all."""
    monkeypatch.setattr("buildsearch.search.leaders._FIRST", 0.0)
    monkeypatch.setattr("buildsearch.search.leaders._EVERY", 0.0)
    monkeypatch.setattr("buildsearch.search.leaders._SHARE", 0)
    told, scores = [], true_scores()
    answer, _ = search(jobs=1, size=16, on_leaders=told.append)
    assert len(told) > 3
    assert [each.scored for each in told] == sorted(each.scored for each in told)
    assert told[0].scored < told[-1].scored == told[-1].total == len(scores)
    best = answer.builds[0]
    name, score = told[-1].builds[0]
    assert name == FakeSpace().name(best)
    assert score == pytest.approx(scores[name], abs=0.2)
    for each in told:
        found = [score for _, score in each.builds]
        assert found == sorted(found)
        assert len({name for name, _ in each.builds}) == len(found)


def test_a_floor_that_is_interrupted_keeps_who_has_fought_everywhere():
    """Sampled builds count once they have fought in each fight that is not solved for them."""
    answer, _ = search(jobs=1, size=16, bar=stopping("sampling", 40))
    whole, _ = search(jobs=1, size=16, budget=0)
    ledger = answer.ledger
    fought = ledger.sampled[ledger.fought > 0]
    assert answer.is_partial
    assert 0 < len(fought) < len(ledger.sampled)
    assert not np.isnan(answer.costs[0][fought]).any()
    assert np.array_equal(answer.costs[0][fought], whole.costs[0][fought])
