"""What a search is said to take, on a game whose costs are known and under a clock that only they move."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from numba.core import event

from buildsearch.model.space import Chunk, Wanted
from buildsearch.search import pilot as module
from buildsearch.search.cache import ScoreCache
from buildsearch.search.cached import CachedScorer
from buildsearch.search.estimate import estimate
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import MEAN, Objective
from buildsearch.search.pilot import grown
from buildsearch.search.race import RaceRules, race
from buildsearch.search.scoring import sample_rows, solve_all
from buildsearch.search.stages import Stages
from tests.search.fakes import FIGHTS, METRICS, FakeBulk, FakeFight, FakeSpace, NoEvaluator

SOLVE, FIGHT, ALONE, DETAIL, COMPILE = 1e-3, 1e-5, 0.5, 0.25, 1_000.0


class Clock:
    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        return self.now

    thread_time = perf_counter


class TimedBulk(FakeBulk):
    """Each kind of work has its price, and the first of each kind compiles for a long time."""

    def __init__(self, clock, **more):
        super().__init__(**more)
        self.clock = clock
        self.compiled = set()

    def pay(self, what, seconds):
        self.clock.now += seconds + (0 if what in self.compiled else COMPILE)
        self.compiled.add(what)

    def solve(self, chunk, fight):
        self.pay("solve", SOLVE * len(chunk))
        return super().solve(chunk, fight)

    def solve_alone(self, chunk, fight):
        self.pay("alone", ALONE * len(chunk))
        return super().solve_alone(chunk, fight)

    def sample(self, chunk, fight, seed, fights):
        self.pay("fights", FIGHT * fights * len(chunk))
        return super().sample(chunk, fight, seed, fights)


class TimedEvaluator(NoEvaluator):
    def evaluate(self, build, fight, sampling):
        self.bulk.pay("detail", DETAIL)
        return super().evaluate(build, fight, sampling)


def sized(
    monkeypatch, bulk=None, scorer=None, *, everywhere=False, builds=128, jobs=1, budget=10_000, fights=FIGHTS
):
    clock = bulk.clock if bulk else Clock()
    bulk = bulk or TimedBulk(clock)
    monkeypatch.setattr(module, "time", clock)
    space = FakeSpace()
    return estimate(
        space,
        Wanted(),
        {"a": builds // 2, "b": builds - builds // 2},
        fights,
        scorer or CachedScorer(bulk, ScoreCache(None)),
        [TimedEvaluator(bulk, space)],
        words=1,
        rules=RaceRules(10, 64, budget, 0),
        jobs=jobs,
        everywhere=everywhere,
    )


def test_every_stage_has_its_price_and_compiling_has_none(monkeypatch):
    found = sized(monkeypatch)
    # 128 builds in two fights, half of them sampled, which nobody can solve alone: some are tried.
    assert found.exact_share == 0.5
    assert found.stages["solve"] == pytest.approx(256 * SOLVE)
    assert found.stages["floor"] == pytest.approx(128 * 64 * FIGHT, rel=0.02)
    assert found.stages["race"] == pytest.approx(10_000 * FIGHT + 20 * ALONE)
    most = sized(monkeypatch, budget=10**12)
    assert most.stages["race"] == pytest.approx(128 * 2**18 * FIGHT + 20 * ALONE)
    assert found.stages["order"] == pytest.approx(10 * 2 * DETAIL)
    assert found.seconds == pytest.approx(sum(found.stages.values()))


def test_what_has_passed_is_told_apart_from_what_comes(monkeypatch):
    found = sized(monkeypatch)
    # Solving, sampling and solving alone are compiled before anything is timed; describing is not.
    assert found.compiling == pytest.approx(3 * COMPILE, rel=0.01)
    assert COMPILE < found.stages["estimate"] < 1.1 * COMPILE
    assert found.passed == found.compiling + found.stages["estimate"]


def test_what_compiles_while_it_is_timed_is_timed_again():
    watch, tries = module._Stopwatch(), []

    def work():
        tries.append(1)
        if len(tries) == 1:
            with event.trigger_event("numba:compile"):
                time.sleep(0.01)
        return len(tries)

    assert watch.time(work)[0] == 2
    assert watch.time_once(work) == (3, pytest.approx(0, abs=0.005))
    tries.clear()
    assert watch.time_once(work) == (1, None)


def test_two_hands_take_half(monkeypatch):
    one, two = sized(monkeypatch), sized(monkeypatch, jobs=2)
    for stage in ("solve", "floor", "race", "order"):
        assert two.stages[stage] == pytest.approx(one.stages[stage] / 2)


def test_fights_that_no_pilot_looked_at_have_their_price(monkeypatch):
    """Of six fights a pilot looks at four; one of the others takes a hundred times as long."""

    class OneIsSlow(TimedBulk):
        def sample(self, chunk, fight, seed, fights):
            self.pay("fights", FIGHT * fights * len(chunk) * (99 if fight.name == "1" else 0))
            return super().sample(chunk, fight, seed, fights)

    six = {str(i): FakeFight(str(i), 1.0, 1.0) for i in range(6)}
    usual = sized(monkeypatch, fights=six, budget=10_000)
    slow = sized(monkeypatch, OneIsSlow(Clock()), fights=six, budget=10_000)
    assert usual.exact_share == slow.exact_share == 0.5
    alone = 60 * ALONE
    assert usual.stages["race"] == pytest.approx(10_000 * FIGHT + alone)
    assert slow.stages["race"] == pytest.approx(10_000 * FIGHT * (5 + 100) / 6 + alone)


def test_large_spaces_are_scaled_up(monkeypatch):
    found = sized(monkeypatch, builds=100_000)
    assert found.stages["solve"] == pytest.approx(200_000 * SOLVE, rel=0.01)
    assert found.stages["floor"] == pytest.approx(100_000 * 64 * FIGHT, rel=0.1)


def test_what_can_be_solved_alone_is_not_raced_for(monkeypatch):
    found = sized(monkeypatch, TimedBulk(Clock(), solvable_alone=True))
    assert found.stages["race"] == pytest.approx(20 * ALONE)


def test_objectives_that_need_fights_everywhere(monkeypatch):
    found = sized(monkeypatch, everywhere=True)
    assert found.stages["floor"] == pytest.approx(256 * 64 * FIGHT, rel=0.02)
    assert found.stages["race"] == pytest.approx(10_000 * FIGHT)


def test_what_the_cache_has_is_not_counted(monkeypatch, tmp_path):
    bulk = TimedBulk(Clock())
    scorer = CachedScorer(bulk, ScoreCache(tmp_path))
    ledger = Ledger.empty(FIGHTS, list(FakeSpace().chunks(None, 64)), bulk.outcomes)
    solve_all(scorer, ledger, 1, lambda _done: None)
    half = sized(monkeypatch, bulk, CachedScorer(bulk, ScoreCache(tmp_path)))
    assert half.stages["solve"] == 0
    assert half.stages["floor"] > 0
    ledger.begin_sampling(everywhere=False)
    sample_rows(scorer, ledger, range_of(ledger), 64, 0, 1, lambda _done: None)
    known = CachedScorer(bulk, ScoreCache(tmp_path))
    found = sized(monkeypatch, bulk, known)
    # Who has fought a floor has not raced.
    assert found.stages["floor"] == 0
    assert found.stages["race"] == half.stages["race"] > 0
    assert (known.hits, known.misses) == (0, 0)
    race(
        scorer,
        ledger,
        Objective(MEAN, METRICS[0], higher_is_better=False),
        RaceRules(10, 64, 10_000, 0),
        1,
        lambda _done: None,
    )
    assert sized(monkeypatch, bulk, CachedScorer(bulk, ScoreCache(tmp_path))).stages["race"] == 0


def range_of(ledger):
    import numpy as np

    return np.arange(len(ledger.sampled))


def test_work_that_grows_slower_than_its_size():
    assert grown([1.0, 2.0], [100, 200], 400) == pytest.approx(4.0)
    # Three times the time for four times as much goes on like that; no power is below 0.6.
    assert grown([1.0, 3.0], [100, 400], 1_600) == pytest.approx(9.0)
    assert grown([1.0, 2.0], [100, 400], 1_600) == pytest.approx(2 * 4**0.6)
    assert grown([1.0, 1.0], [100, 400], 1_600) == pytest.approx(4**0.6)
    # Never more than in proportion; a small space is its own pilot.
    assert grown([1.0, 9.0], [100, 200], 400) == pytest.approx(18.0)
    assert grown([1.0, 3.0], [50, 50], 50) == pytest.approx(3.0)


def test_stages_leave_no_gap(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("buildsearch.search.stages.time", SimpleNamespace(perf_counter=clock.perf_counter))
    clock.now = 5.0
    stages = Stages(1.0)
    stages.mark("read")
    clock.now = 12.0
    stages.take({"solve": 4.0, "order": 1.0}, rest="order")
    clock.now = 13.0
    stages.mark("write")
    assert stages.rounded() == {"read": 4.0, "solve": 4.0, "order": 3.0, "write": 1.0, "total": 12.0}


def test_chunks_keep_every_group():
    chunks = list(FakeSpace().chunks(None, 64))
    few = module._start([chunks[0], Chunk("b", chunks[1].codes[:1])], 8)
    assert [(each.group, len(each)) for each in few] == [("a", 8), ("b", 1)]


def test_some_of_a_thousand_scenarios_stand_for_all(monkeypatch):
    asked = set()

    class Counting(TimedBulk):
        def solve(self, chunk, fight):
            asked.add(fight.name)
            return super().solve(chunk, fight)

    fights = {f"f{i}": FakeFight(f"f{i}", 1.0, 1.0) for i in range(1000)}
    found = sized(monkeypatch, Counting(Clock()), fights=fights)
    assert {"f0", "f999"} <= asked
    assert len(asked) <= 16
    assert found.exact_share == 0.5
    few = {name: fights[name] for name in list(fights)[:4]}
    assert found.bytes > sized(monkeypatch, Counting(Clock()), fights=few).bytes
