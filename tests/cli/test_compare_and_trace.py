from __future__ import annotations

import json
import shutil

import pytest

from buildsearch.report.run_files import board_rows

FEW = ("--fights", "40", "--jobs", "1", "--engine", "sampled")


def test_a_build_against_itself_is_even(run, elsewhere):
    ended = run("compare", "melee_dg", "melee_dg", "--scenario", "boss", "--json", *FEW)
    assert json.loads(ended.out)["scenarios"]["boss"]["a_beats_b"] == pytest.approx(0.5)


@pytest.mark.parametrize("command", [("score",), ("compare", "direct_damage+cooldown")])
def test_exact_numbers_have_no_seed(command, run, elsewhere):
    ended = run(*command, "direct_damage", "--enemies", "5")
    assert "(exact)" in ended.out.splitlines()[0]
    assert "seed" not in ended.out.lower()


def test_picked_fights_are_in_order(run, elsewhere):
    def value(*pick):
        return json.loads(run("trace", "melee_dg", "--scenario", "boss", "--json", *pick).out)["value"]

    values = sorted(value("--seed", str(seed)) for seed in range(20))
    picked = {pick: value("--pick", pick, "--of", "20") for pick in ("best", "median", "worst")}
    assert picked == {"best": values[0], "median": values[9], "worst": values[-1]}


def test_colours_on_a_terminal(run, elsewhere, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    ended = run("trace", "melee_dg+powerful_critical", "--scenario", "boss", "--seed", "1")
    assert "\x1b[" in ended.out


def test_a_rank_is_taken_for_a_build_of_the_latest_run(run, elsewhere, small_run):
    shutil.copytree(small_run("dungeoneers"), elsewhere / "results" / "mine-1f00beef")
    rows = board_rows(elsewhere / "results" / "mine-1f00beef")
    (found,) = json.loads(run("score", "2", "--json").out)["builds"]
    assert found["build"] == rows[1]["build"]
    assert found["score"] == pytest.approx(rows[1]["score"], abs=1e-5)
    both = json.loads(run("compare", "1", "3", "--json").out)
    assert (both["a"], both["b"]) == (rows[0]["build"], rows[2]["build"])
    assert json.loads(run("explain", "3", "--fights", "3", "--json").out)["build"] == rows[2]["build"]
    ended = run("score", "9999")
    assert ended.code == 2
    assert "has no rank 9999: its leaderboard ends at" in ended.err
    ended = run("score", "1", "--rules", "armitage-text")
    assert ended.code == 2
    assert "not of armitage-text. Write the build." in ended.err
