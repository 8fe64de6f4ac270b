"""The time left, under a clock that only the test moves, and rates as they are kept."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from buildsearch.search import timing as module
from buildsearch.search.race import RaceRules
from buildsearch.search.timing import RATES, Forecast, Stages, Work, keep_rates, kept_rates
from buildsearch.workflow.watch import no_bar

WORK = Work(builds=1_000, fights=2, rules=RaceRules(10, 64, 10**6, 0))
# So much that a few seconds at the default do not count: 10 s to solve, 4 s to race, 2 s for details.
KEPT = {
    "solve": (1e7, 2e9), "open": (0.5, 1.0), "floor": (1e6, 1.6e10), "race": (4e6, 1e12),
    "order": (1e6, 1e7), "write": (1e6, 2e9),
}  # fmt: skip


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_what_is_left_follows_from_rates_and_from_the_run():
    clock = Clock()
    run = Forecast(WORK, KEPT, 1, clock)
    assert run.seconds == pytest.approx(10 + 4 + 4 + 2 + 1, rel=0.01)
    bar = run.watching(no_bar)
    with bar("solving", 2_000) as advance:
        clock.now = 4.0
        assert run.left == pytest.approx(17, rel=0.01)
        clock.now = 10.0
        advance(1_000)
        # Twice as slow as its rate: so is the rest, but for what the rate weighs.
        assert run.left == pytest.approx(16 * (10 + 5.1) / (5 + 5.1), rel=0.01)
        clock.now = 20.0
        advance(1_000)
    # Nothing is sampled after all.
    with bar("details", 10) as advance:
        advance(5)
        assert run.left == pytest.approx(2 * (20 + 4.3) / (11 + 4.3), rel=0.01)
        assert run.share == pytest.approx(20 / (20 + run.left))
    assert run.taken["solve"] == (20.0, 2_000)
    assert run.taken["open"] == (0, 2_000)
    assert "floor" not in run.taken


@pytest.mark.parametrize(("work", "hands", "seconds"), [
    (WORK, 2, 10.5),
    (Work(1_000, 2, WORK.rules, kept=1.0), 1, 3.0),
    (Work(1_000, 2, WORK.rules, is_open=True), 1, 25.0),
    (Work(1_000, 2, RaceRules(10, 64, 0, 0)), 1, 17.0),
])  # fmt: skip
def test_hands_kept_scores_and_objectives_count(work, hands, seconds):
    assert Forecast(work, KEPT, hands, Clock()).seconds == pytest.approx(seconds, rel=0.01)


def test_a_few_seconds_count_as_much_as_the_default():
    rules = RaceRules(1, 2, 0, 0)
    solved = {kind: Forecast(Work(1_000, 1, rules), kept, 1, Clock()).seconds for kind, kept in {
        "default": {}, "short": {"solve": (module._FEW, 60)}, "long": {"solve": (1e6, 2e7)},
    }.items()}  # fmt: skip
    rest = solved["default"] - 0.05
    assert solved["short"] - rest == pytest.approx(1_000 * (0.05 * 5e-5) ** 0.5)
    assert solved["long"] - rest == pytest.approx(50, rel=0.01)


def test_without_rates_nothing_is_told_before_something_is_done():
    clock = Clock()
    run = Forecast(WORK, {}, 1, clock)
    assert not run.is_known
    with run.watching(no_bar)("solving", 2_000) as advance:
        clock.now = 50.0
        assert run.left is None
        advance(1_000)
        assert run.left > 5 * run.seconds


def test_a_guided_search_ends_with_its_time():
    clock = Clock()
    work = Work(1_000, 2, RaceRules(10, 64, 0, 0), trials=10**6, limit=60.0)
    run = Forecast(work, KEPT, 1, clock)
    with run.watching(no_bar)("trying builds", 10**6) as advance:
        clock.now = 30.0
        advance(64)
        assert run.left == pytest.approx(33, rel=0.01)
    assert "search" not in run.taken


def test_rates_are_kept_by_machine_and_rules(tmp_path):
    keep_rates(tmp_path / "new", "decks", {"solve": (4.0, 100)})
    keep_rates(tmp_path / "new", "decks", {"solve": (1.0, 50), "write": (1.0, 10)})
    assert kept_rates(tmp_path / "new", "decks") == {"solve": (3.0, 100), "write": (1.0, 10)}
    assert kept_rates(tmp_path / "new", "heroes") == kept_rates(None, "decks") == {}


@pytest.mark.parametrize("rates", ['"no"', "[1]", "[-1, 1]", "[1, 0]", '["x", 1]', "[1e999, 1]", "null", "{"])
def test_what_cannot_be_read_is_not_there(tmp_path, rates):
    text = f'{{"{module._key("decks")}": {{"solve": {rates}}}}}'
    (tmp_path / RATES).write_text(text, encoding="utf-8")
    assert kept_rates(tmp_path, "decks") == {}
    keep_rates(tmp_path, "decks", {"solve": (4.0, 100)})
    assert kept_rates(tmp_path, "decks") == {"solve": (4.0, 100)}


def test_stages_leave_no_gap(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=clock))
    clock.now = 5.0
    stages = Stages(1.0)
    stages.mark("read")
    clock.now = 12.0
    stages.take({"solve": 4.0, "order": 1.0}, rest="order")
    clock.now = 13.0
    stages.mark("write")
    assert stages.rounded() == {"read": 4.0, "solve": 4.0, "order": 3.0, "write": 1.0, "total": 12.0}
