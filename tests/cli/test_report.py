"""`buildsearch report` and `optimize --html` as a user meets them."""

from __future__ import annotations

import numba
import pytest

from tests.report.html.sources import data_of, loadout_folder

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
SMALL = (
    *("--type", "melee_dg", "--budget", "1", "--scenario", "boss", "--initial-fights", "16"),
    *("--ranking-fights", "0", "--no-cache", "--top", "5", "-q"),
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
    page = elsewhere / "results" / "after" / "report.html"
    assert "buildsearch workbench results/after</code>" in page.read_text(encoding="utf-8")
    assert not any("power_attack" in row["build"] for row in after["rows"])
    assert run("workbench", "after", "--out", "workbench.html", "-q").code == 0
    ended = run("report", "after", "--before", "before", "--out", "both.html", *QUICK)
    assert ended.code == 0, ended.err
    assert 'href="workbench.html">' in (elsewhere / "both.html").read_text(encoding="utf-8")
    found = {row["build"]: row for row in data_of(elsewhere / "both.html")["earlier"]["builds"]}
    assert data_of(elsewhere / "both.html")["compared"] is None
    assert found["melee_dg+power_attack"]["after"] is None
    assert found["melee_dg+power_attack"]["before"][0] >= 1


@needs_jit
def test_a_build_of_ones_own_is_compared_with(run, elsewhere, quick_reports):
    """It is on the page whatever its rank, and chosen already; one that the run does not have is refused."""
    assert run("optimize", *SMALL, "--out", "run").code == 0
    last = data_of_report(run, elsewhere, "--rows", "400")["rows"][-1]["build"]
    data = data_of_report(run, elsewhere, "--rows", "1", "--compare-with", last)
    assert data["rows"][data["compared"]]["build"] == last
    assert "card" in data["rows"][data["compared"]]
    refused = run("report", "run", "--compare-with", "ranged", *QUICK)
    assert refused.code == 2
    assert "ranged is not among the builds of this run" in refused.err
    assert run("report", "run", "--compare-with", "nonsense", *QUICK).code == 2


def data_of_report(run, elsewhere, *options):
    ended = run("report", "run", "--out", "report.html", *options, *QUICK)
    assert ended.code == 0, ended.err
    return data_of(elsewhere / "report.html")


def test_a_report_of_loadouts(run, elsewhere):
    folder = loadout_folder(elsewhere)
    ended = run("report", str(folder))
    assert ended.code == 0, ended.err
    assert data_of(folder / "report.html")["kind"] == "loadouts"
    ended = run("report", str(folder), "--before", str(folder))
    assert ended.code == 2
    assert "--before" in ended.err
    ended = run("analyze", str(folder))
    assert ended.code == 0, ended.err
    assert "Only the 3 best of 820 loadouts are judged (820 were scored)" in " ".join(ended.out.split())


@needs_jit
def test_loadouts_from_the_search_to_the_page(run, elsewhere):
    words = ("--archetype", "dual_natured", "--budget", "1", "--type", "direct_damage", "--scenario", "boss")
    ended = run("optimize", *words, "--top", "6", "--out", "results/pairs", "--html")
    assert ended.code == 0, ended.err
    assert "Report: results/pairs/report.html" in ended.out
    first = data_of(elsewhere / "results" / "pairs" / "report.html")
    assert first["member"] == "attack"
    assert len(first["rows"]) == 6
    for row in first["rows"]:
        assert sum(shares[0] for _, shares in row["usage"]) == pytest.approx(1, abs=1e-4)
        assert len(row["members"]) == 2
        # Neither attack alone is better than both, and the better one alone is what synergy is measured by.
        assert row["synergy"][0] == pytest.approx(min(each["gains"][0] for each in row["members"]), abs=1e-4)
    # It is the last run now, of which a report is made when none is named.
    (elsewhere / "results" / "pairs" / "report.html").unlink()
    assert run("report", "-q").code == 0
    assert data_of(elsewhere / "results" / "pairs" / "report.html") == first
