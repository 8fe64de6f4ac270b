"""One run, one place for a build: every view and command gives the ranks and numbers of leaderboard.csv."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
import pytest

from buildsearch.cli.main import exit_code_of
from buildsearch.library.fight_setup import setup_of
from buildsearch.library.runs import load_run
from buildsearch.library.stored_runs import facts_of, run_of
from buildsearch.library.watch import Scoring
from buildsearch.model.evaluation import TIE
from buildsearch.options.search import SearchOptions
from buildsearch.report.run_files import board_rows

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
# Survival is sampled for every build, and after so few fights most ranks stay open; means are exact.
# Without Ricochet, which alone takes longer to solve than all the others.
SMALL = (
    *("--type", "melee_dg", "--budget", "2", "--without", "ricochet"),
    *("--top", "12", "--initial-fights", "32", "--ranking-fights", "1000"),
)
SURVIVAL, MEAN = (*SMALL, "--objective", "survival"), (*SMALL, "--objective", "mean")
SCENARIOS = ("boss", "mixed", "swarm", "guard")


@dataclass(frozen=True)
class Finished:
    """A run: what was asked, its folder, the rows of its leaderboard."""

    asked: tuple[str, ...]
    folder: Path
    rows: list[dict[str, object]]


@pytest.fixture(scope="module", params=[SURVIVAL, MEAN], ids=["survival", "mean"])
def finished(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("places")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
        patch.chdir(place)
        patch.setenv("BUILDSEARCH_CACHE", str(place / "cache"))
        assert exit_code_of(["optimize", *request.param, "--json"]) == 0
    folder = place / json.loads(out.getvalue())["folder"]
    return Finished(request.param, folder, board_rows(folder))


@pytest.fixture
def ask(finished, run, monkeypatch):
    """Runs a command about the run."""
    monkeypatch.chdir(finished.folder.parent.parent)
    monkeypatch.setenv("BUILDSEARCH_CACHE", "cache")

    def asked(*arguments):
        ended = run(*arguments)
        assert ended.code == 0, ended.err
        return ended.out

    return asked


def range_of(row):
    return int(row["rank"]), int(row["rank_low"]), int(row["rank_high"])


@needs_jit
def test_there_are_open_ranks_where_scores_are_sampled(finished):
    is_open = ["rank_range" in row["flags"] and row["score_low"] < row["score_high"] for row in finished.rows]
    assert any(is_open) == (finished.asked == SURVIVAL)


@needs_jit
def test_explain_says_what_the_leaderboard_says(finished, ask):
    rows = finished.rows
    for row in rows:
        data = json.loads(ask("explain", row["build"], "--fights", 3, "--json"))
        assert (data["rank"], data["rank_low"], data["rank_high"]) == range_of(row)
        assert data["is_rank_range"] == ("rank_range" in row["flags"])
        assert data["tied_with"] + 1 == int(row["tied_builds"])
        for name in ("score", "score_low", "score_high"):
            assert data[name] == pytest.approx(float(row[name]), abs=TIE)
        for fight in SCENARIOS:
            each = data["scenarios"][fight]
            assert each["value"] == pytest.approx(float(row[f"{fight}_mean_turns"]), abs=TIE)
            assert each["low"] == pytest.approx(float(row[f"{fight}_low"]), abs=TIE)
            assert each["high"] == pytest.approx(float(row[f"{fight}_high"]), abs=TIE)


@needs_jit
def test_explain_says_it_in_words(finished, ask):
    rows = finished.rows
    row = rows[0]
    said = ask("explain", row["build"], "--fights", 3)
    rank, best, worst = range_of(row)
    if finished.asked == SURVIVAL:
        assert said.startswith(f"Rank {best:,}–{worst:,} of")
        ends = [f"{each + 0.0:.1%}" for each in (row["score_low"], row["score_high"])]
        assert f"({ends[0]} to {ends[1]})" in said.replace(">99.9%", "100.0%")
    else:
        assert said.startswith(f"Rank {rank}{'=' if int(row['tied_builds']) > 1 else ''} of")
    assert "about" not in said
    assert "±" not in said


@needs_jit
def test_the_report_says_what_the_leaderboard_says(finished, ask, tmp_path):
    rows = finished.rows
    target = tmp_path / "report.html"
    ask("report", "--out", target, "--rows", 20, "--cards", 1, "--trigger-fights", 2)
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', target.read_text(), re.S)
    shown = {each["build"]: each for each in json.loads(found.group(1))["rows"]}
    for row in rows:
        each = shown[row["build"]]
        assert (each["rank"], *each["ranks"]) == range_of(row)
        low, high = float(row["score_low"]), float(row["score_high"])
        assert each["bounds"] == (None if low == high else pytest.approx([low, high], rel=1e-5))
        for fight, ends in zip(SCENARIOS, each["intervals"], strict=True):
            low, high = float(row[f"{fight}_low"]), float(row[f"{fight}_high"])
            assert ends == (None if low == high else pytest.approx([low, high], rel=1e-5))


@needs_jit
def test_diff_gives_the_same_bounds_and_ranks(finished, ask, tmp_path, rules_text):
    """Of the side that nothing changed on."""
    rows = finished.rows
    other = tmp_path / "other.yaml"
    other.write_text(rules_text.replace("    cost: 2\n", "    cost: 3\n"), encoding="utf-8")
    found = ask("diff", "vitality-v2", other, *finished.asked, "--no-edit-effects", "--json")
    moves = {move["build"]: move["before"] for move in json.loads(found)["moves"] if move["before"]}
    compared = [row for row in rows if row["build"] in moves]
    assert len(compared) >= len(rows) // 2
    for row in compared:
        each = moves[row["build"]]
        assert each["rank_low"] == int(row["rank_low"])
        assert each["rank_high"] == int(row["rank_high"])
        assert each["score_low"] == pytest.approx(float(row["score_low"]), abs=TIE)
        assert each["score_high"] == pytest.approx(float(row["score_high"]), abs=TIE)


@needs_jit
def test_a_build_outside_the_run_is_scored_and_placed(finished, ask):
    rows = finished.rows
    if finished.asked == MEAN:
        data = json.loads(ask("explain", "ranged+power_attack", "--json"))
        assert not data["in_run"]
        better = sum(float(row["score_high"]) < data["score_low"] - TIE for row in rows)
        assert data["rank_low"] >= 1 + better
        said = ask("explain", "ranged+power_attack")
        assert said.startswith("It would rank ")
        assert "does not contain this build" in " ".join(said.split())


@needs_jit
def test_intervals_end_where_fights_do(finished, ask):
    """No fight takes less than a turn, and nobody survives more than every fight."""
    rows = finished.rows
    for row in rows:
        for fight in SCENARIOS:
            assert float(row[f"{fight}_low"]) >= 1.0
            assert 0.0 <= float(row[f"{fight}_survival"]) <= 1.0
    scored = json.loads(
        ask("score", "area+barrage+charges_1", "--engine", "sampled", "--fights", 64, "--json")
    )
    each = scored["builds"][0]["scenarios"]["mixed"]
    assert each["ci95"][0] >= 1.0
    assert 0.0 <= each["survival_ci95"][0] <= each["survival_ci95"][1] <= 1.0


# Several at a time, so that some builds are sampled, and fight on in the race for the first ranks.
SWARM = """
kind: scenarios
system: vitality
id: swarm
name: A few
enemies:
  grunt: {hp: 30}
scenarios:
  few: {name: A few, enemies: [grunt, grunt, grunt]}
"""
# Builds that aim elsewhere than at the first are sampled.
AIM = "target=lowest_hp"
SPACE = ("--budget", "1", "--scenarios", "swarm.yaml", "--ruling", AIM)


@pytest.fixture
def place(elsewhere):
    (elsewhere / "swarm.yaml").write_text(SWARM, encoding="utf-8")
    return elsewhere


def asking(**more):
    asked = {"rules": "vitality-v2", "rulings": (AIM,), "scenarios": "swarm.yaml"}
    return SearchOptions(**asked, parameters={"budget": "1"}, **more)


@needs_jit
def test_the_commands_agree_on_one_run(run, place, monkeypatch):
    assert run("optimize", *SPACE, "--ranking-fights", "20000", "--quiet").code == 0
    # A run that is less sure than what is asked for is no answer; with as many fights it is.
    asked = asking(ranking_fights=20_000)
    with monkeypatch.context() as patch:
        patch.setattr("buildsearch.library.stored_runs._made", None)
        found = run_of(setup_of(asked), asked, Scoring())
    whole = load_run(None)
    assert (whole.scores.error > 0).any()
    assert np.array_equal(facts_of(found).scores.score, whole.scores.score)
    # The same run made again, kept nowhere: the same scores for every build, sampled ones included.
    other = asking(ranking_fights=20_000, seed=0, alpha=0.05, top=99)
    monkeypatch.setattr("buildsearch.library.stored_runs.stored_run", lambda *_: None)
    made = run_of(setup_of(asked), other.changed(top=100), Scoring())
    assert np.array_equal(made.run.scores.score, whole.scores.score)
