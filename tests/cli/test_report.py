"""`buildsearch report` and `optimize --html` as a user meets them."""

from __future__ import annotations

import numba
import pytest

from tests.report.html.sources import data_of, loadout_folder

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
SMALL = (
    "--type",
    "melee_dg",
    "--budget",
    "1",
    "--scenario",
    "boss",
    "--floor",
    "16",
    "--race-fights",
    "0",
    "--no-cache",
    "--top",
    "5",
    "-q",
)
QUICK = ("--cards", "1", "--trigger-fights", "2", "-q")


@needs_jit
def test_a_report_of_the_last_run_and_of_two(run, elsewhere, quick_reports):
    ended = run("optimize", *SMALL, "--out", "results/before", "--html")
    assert ended.code == 0, ended.err
    before = elsewhere / "results" / "before"
    assert len(data_of(before / "report.html")["rows"]) == 22
    assert run("optimize", *SMALL, "--set", "power_attack.cost=2", "--out", "results/after").code == 0
    ended = run("report", *QUICK)
    assert ended.code == 0, ended.err
    after = data_of(elsewhere / "results" / "after" / "report.html")
    assert after["earlier"] is None
    assert not any("power_attack" in row["build"] for row in after["rows"])
    ended = run("report", "after", "--before", "before", "--out", "both.html", *QUICK)
    assert ended.code == 0, ended.err
    found = {row["build"]: row for row in data_of(elsewhere / "both.html")["earlier"]["builds"]}
    assert found["melee_dg+power_attack"]["after"] is None
    assert found["melee_dg+power_attack"]["before"][0] >= 1


def test_a_report_needs_a_run(run, elsewhere):
    ended = run("report")
    assert ended.code == 2
    assert "buildsearch optimize" in ended.err


def test_a_report_of_loadouts(run, elsewhere):
    folder = loadout_folder(elsewhere)
    ended = run("report", str(folder))
    assert ended.code == 0, ended.err
    assert data_of(folder / "report.html")["kind"] == "loadouts"
    ended = run("report", str(folder), "--before", str(folder))
    assert ended.code == 2
    assert "--before" in ended.err
    ended = run("analyze", str(folder))
    assert ended.code == 2
    assert "buildsearch report" in ended.err
