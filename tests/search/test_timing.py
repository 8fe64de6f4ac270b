"""The time left, under clocks that only the test moves, and what runs took as it is kept."""

from __future__ import annotations

import json
import platform
from types import SimpleNamespace

import pytest

from buildsearch.evaluate.threads import counted_task, tell
from buildsearch.search import timing as module
from buildsearch.search.scoring import Effort, no_bar
from buildsearch.search.timing import (
    TIMES,
    Forecast,
    Stages,
    Work,
    keep_run,
    past_runs,
    typical_runs,
)
from buildsearch.systems.registry import SYSTEMS

WORK = Work(builds=1_000, fights=2, effort=Effort((), 10, 64, 10**6, 0))
# A run like it took 10 s to solve, 4 to sample, 3 to race, 2 for contenders, 1 for details, 1 to write.
PAST = {
    "asked": "", "size": [2_000, 1_000], "solve": [2_000, 10], "floor": [64_000, 4], "race": [10**6, 3],
    "alone": [1_000, 2], "order": [20, 1], "write": [2_000, 1],
}  # fmt: skip


class Clock:
    """Seconds, and as much CPU times `threads`."""

    now = cpu = 0.0

    def __call__(self):
        return self.now, self.cpu

    def add(self, seconds, threads=1.0):
        self.now += seconds
        self.cpu += seconds * threads


def forecast(work=WORK, past=(PAST,), workers=1, typical=()):
    clock = Clock()
    return Forecast(work, past, typical, workers, clock), clock


def test_what_is_left_follows_from_a_run_like_it():
    run, clock = forecast()
    assert run.left == pytest.approx(21)
    bar = run.watching(no_bar)
    with bar("solving", 2_000) as advance:
        clock.add(5)
        assert run.left == pytest.approx(21)  # nothing is told yet
        advance(1_000)
        assert run.left == pytest.approx(16)
        assert run.share == pytest.approx(5 / 21)
        clock.add(5)
    assert run.left == pytest.approx(11)
    with bar("sampling 64 fights each", 1_000) as advance:
        clock.add(4)
    with bar("racing (fights)", 10**6):
        clock.add(3)
        with bar("contenders one by one", 1_000):
            clock.add(2)
            assert run.stage == "contenders one by one"
        assert run.stage == "racing (fights)"
    with bar("details", 10):
        clock.add(1)
    with run.doing("writing", 0):
        clock.add(1)
    assert run.left == 0
    assert run.took() == {name: pytest.approx(each) for name, each in PAST.items()}


def test_work_that_takes_longer_than_it_did_is_seen():
    run, clock = forecast()
    with run.watching(no_bar)("solving", 2_000) as advance:
        clock.add(20)
        advance(1_000)
        # 40 s by what is seen, which counts for five sixths at half of it, 10 s by the run before.
        assert run.left == pytest.approx(11 + 10 * 4 ** (0.5 / 0.6) / 2)


def test_pieces_tell_how_far_they_are():
    run, clock = forecast()
    with run.watching(no_bar)("solving", 2_000), counted_task():
        clock.add(5)
        tell(1_000)
        assert run.left == pytest.approx(16)
    tell(500)  # of no piece


def test_a_machine_that_is_busy_is_seen_before_anything_is_done():
    run, clock = forecast()
    with run.watching(no_bar)("solving", 2_000):
        clock.add(20, threads=0.25)
        assert run.left == pytest.approx(21 * (20 + 0.5) / (5 + 0.5))


def test_what_is_sampled_is_known_when_that_begins():
    run, _ = forecast()
    with run.watching(no_bar)("sampling 64 fights each", 10):
        less = 0.01**module._GROWTH
        # Solving was left out; a race of fewer than ten builds is shorter.
        assert run.left == pytest.approx(4 * less + 3 + 2 * less + 2)
    with run.watching(no_bar)("details", 10):
        assert run.left == pytest.approx(2)
    assert run.took()["size"] == [2_000, 10]


@pytest.mark.parametrize(("work", "workers", "seconds"), [
    (Work(1_000, 2, WORK.effort, kept=1.0), 1, 2),
    (Work(1_000, 2, Effort((), 10, 64, 0, 0)), 1, 18),
    (Work(1_000, 2, WORK.effort, is_open=True), 1, 15 + 4 * 2**module._GROWTH),
    (Work(2_000, 2, WORK.effort), 1, 4 + 17 * 2**module._GROWTH),
])  # fmt: skip
def test_kept_scores_objectives_and_sizes_count(work, workers, seconds):
    assert forecast(work, workers=workers)[0].left == pytest.approx(seconds)


def test_workers_count_as_far_as_they_are_seen_to_work():
    run, clock = forecast(workers=2)
    assert run.left == pytest.approx(10.5)
    with run.watching(no_bar)("solving", 2_000) as advance:
        clock.add(5, threads=1)
        advance(1_000)
        assert run.left == pytest.approx(16 * (5 + 0.5) / (5 + 1))


def test_the_run_that_is_most_like_it_counts_and_then_the_last_one():
    def took(pairs, asked, seconds):
        return {"asked": asked, "size": [pairs, 0], "write": [pairs, seconds]}

    runs = [took(2_000, "", 5), took(2_000, "", 6), took(20_000, "", 7), took(2_000, "worst", 8)]
    assert forecast(past=runs)[0].left == 6
    assert forecast(past=runs[2:])[0].left == pytest.approx(7 * 0.1**module._GROWTH)
    assert forecast(past=runs[3:])[0].left == 8
    assert forecast(past=runs[2:3], typical=runs[:1])[0].left == pytest.approx(7 * 0.1**module._GROWTH)


def test_without_a_run_like_it_nothing_is_told():
    run, clock = forecast(past=())
    with run.watching(no_bar)("solving", 2_000) as advance:
        clock.add(50)
        advance(1_000)
        assert (run.left, run.share, run.is_known) == (None, 0, False)
    typical, _ = forecast(past=(), typical=[PAST])
    assert (typical.left, typical.is_known) == (21, False)


def test_a_guided_search_ends_with_its_time():
    work = Work(1_000, 2, Effort((), 10, 64, 0, 0), trials=10**6, limit=60.0)
    run, clock = forecast(work, [{**PAST, "search": [10**6, 1e4]}])
    rest = run.left - 60
    with run.watching(no_bar)("trying builds", 10**6) as advance:
        clock.add(30)
        advance(64)
        assert run.left == pytest.approx(rest + 30)
    assert "search" not in run.took()


def test_runs_are_kept_by_machine_and_rules(tmp_path):
    folder = tmp_path / "new"
    for number in range(12):
        keep_run(folder, "decks", {"asked": "", "size": [number % 10, 0], "solve": [1, number]})
    kept = past_runs(folder, "decks")
    assert [run["solve"][1] for run in kept] == [4, 5, 6, 7, 8, 9, 10, 11]
    assert past_runs(folder, "heroes") == past_runs(None, "decks") == []


def test_every_game_has_typical_runs():
    assert [system.id for system in SYSTEMS if not typical_runs(system.id)] == []


@pytest.mark.parametrize(
    "run", ['"no"', "[1]", "{", "null", "{}", *(f'{{"asked": "", "size": {each}}}' for each in (
        "[1]", "[-1, 1]", '["1", 1]', "[1e999, 1]", "[NaN, 1]", "3"))],
)  # fmt: skip
def test_what_cannot_be_read_is_not_there(tmp_path, run):
    key = json.dumps(f"{platform.node()} decks")
    (tmp_path / TIMES).write_text(f"{{{key}: [{run}]}}", encoding="utf-8")
    assert past_runs(tmp_path, "decks") == []
    keep_run(tmp_path, "decks", PAST)
    assert past_runs(tmp_path, "decks") == [PAST]


def test_stages_leave_no_gap(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    clock.now = 5.0
    stages = Stages(1.0)
    stages.mark("read")
    clock.now = 12.0
    stages.take({"solve": 4.0, "order": 1.0}, rest="order")
    clock.now = 13.0
    stages.mark("write")
    assert stages.rounded() == {"read": 4.0, "solve": 4.0, "order": 3.0, "write": 1.0, "total": 12.0}
