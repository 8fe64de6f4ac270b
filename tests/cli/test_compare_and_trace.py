from __future__ import annotations

import json
import shutil

import pytest

from buildsearch.report.run_files import board_rows

FEW = ("--fights", "40", "--jobs", "1", "--engine", "sampled")


def test_compare_as_json(run, elsewhere):
    ended = run("compare", "direct_damage+cooldown", "direct_damage", "--scenario", "boss", "--json", *FEW)
    found = json.loads(ended.out)
    assert (found["a"], found["b"]) == ("direct_damage+cooldown", "direct_damage")
    boss = found["scenarios"]["boss"]
    assert boss["a"]["mean_turns"] < boss["b"]["mean_turns"]
    assert boss["a_beats_b"] == 1


def test_a_build_against_itself_is_even(run, elsewhere):
    ended = run("compare", "melee_dg", "melee_dg", "--scenario", "boss", "--json", *FEW)
    assert json.loads(ended.out)["scenarios"]["boss"]["a_beats_b"] == pytest.approx(0.5)


def test_compare_side_by_side(run, elsewhere):
    ended = run("compare", "direct_damage+cooldown", "direct_damage", "--scenario", "boss", *FEW)
    assert ended.code == 0
    for words in (
        "A is faster: ",
        "A  direct_damage+cooldown",
        "B  direct_damage",
        "A is faster in",
        "100%",
    ):
        assert words in ended.out


@pytest.mark.parametrize("command", [("score",), ("compare", "direct_damage+cooldown")])
def test_exact_numbers_have_no_seed(command, run, elsewhere):
    ended = run(*command, "direct_damage", "--enemies", "5")
    assert "(exact)" in ended.out.splitlines()[0]
    assert "seed" not in ended.out.lower()


def test_trace_tells_the_fight(run, elsewhere):
    ended = run("trace", "melee_dg+bleed+finale", "--scenario", "mixed", "--seed", "7")
    lines = ended.out.splitlines()
    assert (ended.code, lines[0]) == (0, "melee_dg+bleed+finale against mixed, seed 7")
    turns = [line for line in lines[1:] if not line.startswith(" ")]
    assert turns[0].startswith("Turn 1")
    assert any("finale does not hold" in line for line in lines)
    assert any("strikes back" in line for line in lines)
    assert ended.out == run("trace", "melee_dg+bleed+finale", "--scenario", "mixed", "--seed", "7").out
    assert "\x1b" not in ended.out


def test_trace_as_json(run, elsewhere):
    found = json.loads(run("trace", "melee_dg", "--scenario", "boss", "--seed", "7", "--json").out)
    assert (found["build"], found["scenario"], found["seed"]) == ("melee_dg", "boss", 7)
    assert found["events"][-1]["event"] == "fight_ended"
    assert found["events"][-1]["result"]["turns"] == found["value"]
    strikes = [event for event in found["events"] if event["event"] == "strike"]
    assert len(strikes) == found["value"]


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


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["trace", "melee_dgg"], "Did you mean `melee_dg`?"),
        (["trace", "melee_dg", "--scenario", "bosss"], "Did you mean `boss`?"),
        (["trace", "melee_dg", "--pick", "fastest"], "fastest"),
        (["compare", "melee_dg"], "Missing argument"),
        (["compare", "melee_dg", "melee_acc"], "Did you mean `melee_ac`?"),
    ],
)
def test_bad_input(arguments, expected, run, elsewhere):
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert expected in ended.err


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
