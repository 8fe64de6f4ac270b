"""Which way a game went: signs from two measures, and since when something is broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from buildsearch.analysis.findings import Finding, FindingCode, FindingSeverity
from buildsearch.analysis.reach import Freedom
from buildsearch.balancing.history import History, Point, Trend, signs, trend_of
from buildsearch.balancing.measure import Measure
from buildsearch.ruleset.git import FileState
from buildsearch.views.history import history_document, history_headline, remarks

GOOD = Measure(
    builds=1000,
    kept=1.0,
    shift=0.0,
    best=6.0,
    best_build="a+b",
    reference=7.0,
    freedom=(Freedom(0.9, 20, 50), Freedom(0.8, 40, 50)),
    overpowered=0,
    must_haves=(),
    decided=0,
    findings=(),
)


def finding(code):
    return Finding(code, FindingSeverity.ERROR, ("a",), "")


def point(name, measure=GOOD, **more):
    return Point(
        FileState(name, "2026-01-01T00:00:00", f"about {name}", "r.yaml"), measure, ahead=1.2, **more
    )


def history(*points):
    return History("mine", points, higher_is_better=False, scenarios=("boss",))


WORSE = {
    "overpowered": {"overpowered": 3},
    "must-haves": {"must_haves": ("a",)},
    "decided": {"decided": 2},
    "freedom": {"freedom": (Freedom(0.9, 20, 50), Freedom(0.8, 39, 50))},
    "fewer options, same number free": {"freedom": (Freedom(0.9, 20, 60), Freedom(0.8, 40, 60))},
}


@pytest.mark.parametrize("change", WORSE.values(), ids=WORSE.keys())
def test_each_sign_counts_both_ways(change):
    bad = replace(GOOD, **change)
    assert trend_of(signs(point("x"), point("y", bad))) is Trend.WORSE
    assert trend_of(signs(point("y", bad), point("x"))) is Trend.BETTER
    assert trend_of(signs(point("y", bad), point("y", bad))) is Trend.SAME


def test_faults_decide_before_freedom_and_a_hundredth_ahead_is_no_sign():
    free = (Freedom(0.9, 20, 50), Freedom(0.8, 41, 50))
    assert trend_of(signs(point("x"), point("y", replace(GOOD, overpowered=3, freedom=free)))) is Trend.WORSE
    one, other = replace(GOOD, overpowered=3), replace(GOOD, decided=3)
    assert trend_of(signs(point("x", one), point("y", other))) is Trend.MIXED
    freer = replace(point("y", replace(GOOD, freedom=free)), ahead=1.3)
    assert trend_of(signs(point("x"), freer)) is Trend.MIXED
    assert trend_of(signs(point("x"), replace(point("y"), ahead=1.205))) is Trend.SAME
    assert trend_of(signs(point("x"), replace(point("y"), ahead=1.3))) is Trend.WORSE


def test_counts_of_a_game_too_small_to_accuse_say_nothing():
    bad = replace(GOOD, overpowered=3)
    assert trend_of(signs(point("x"), point("y", bad, unjudged="Half of it"))) is Trend.SAME
    small = history(point("x"), point("y", bad, unjudged="Half of it"))
    assert any("Too small to judge in 1 revisions: Half" in note for note in remarks(small))


def test_what_is_broken_is_broken_since_the_start_of_its_last_streak():
    bad = replace(GOOD, overpowered=1, findings=(finding(FindingCode.OVERPOWERED),))
    worse = replace(bad, findings=(finding(FindingCode.OVERPOWERED), finding(FindingCode.MUST_HAVE)))
    unread = Point(FileState("u", "", "unread", "r.yaml"), why_not="no file")
    found = history(point("a", bad), point("b"), point("c", bad), unread, point("d", worse)).broken
    assert [(each.kind, each.since.state.hash) for each in found] == [
        (FindingCode.OVERPOWERED, "c"),
        (FindingCode.MUST_HAVE, "d"),
    ]
    always = history(point("a", bad), point("b", bad))
    assert always.broken[0].from_the_start
    assert "buildsearch balance" in str(history_document(always, ()).blocks)


def test_words_for_histories_without_a_comparison():
    unread = Point(FileState("u", "", "unread", "r.yaml"), why_not="no file")
    assert "No revision could be measured" in history_headline(history(unread))
    assert "nothing to compare" in history_headline(history(unread, point("a")))
    assert "Step" not in str(history_document(history(point("a"), point("b")), ()).blocks)
