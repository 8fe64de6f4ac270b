from __future__ import annotations

import io
import json

import pytest

# Few fights: without the JIT each takes a millisecond, and these tests are about the command.
FEW = ("--fights", "40", "--jobs", "1", "--engine", "sampled")


def scored(run, *arguments):
    ended = run("score", *FEW, *arguments, "--json")
    assert (ended.code, ended.err) == (0, "")
    return json.loads(ended.out)["builds"]


def test_weights_count(run, elsewhere, repository):
    text = (repository / "scenarios" / "default.yaml").read_text(encoding="utf-8")
    (elsewhere / "mine.yaml").write_text(
        text.replace("{name: Boss,", "{name: Boss, weight: 5,"), encoding="utf-8"
    )
    (row,) = scored(run, "melee_dg", "--scenarios", "mine.yaml")
    turns = {name: numbers["mean_turns"] for name, numbers in row["scenarios"].items()}
    assert row["score"] == pytest.approx((sum(turns.values()) + 4 * turns["boss"]) / 8)


def test_ad_hoc_enemies_and_stats(run, elsewhere):
    (row,) = scored(run, "direct_damage", "--enemies", "10,10", "--tier", "4")
    numbers = row["scenarios"]["ad_hoc"]
    # All fights were alike, and still what was not seen may happen: the rule of three.
    assert numbers["mean_turns"] == 4
    assert numbers["se"] == pytest.approx(3 / 1.96 / numbers["fights"], rel=1e-4)
    (row,) = scored(run, "direct_damage", "--enemies", "10,10", "--tier", "4", "--attacker", "power=6")
    assert row["scenarios"]["ad_hoc"]["mean_turns"] == 2
    (row,) = scored(run, "direct_damage", "--enemies", "10,10", "--tier", "4", "--enemy", "endurance=6")
    assert row["scenarios"]["ad_hoc"]["mean_turns"] == 8


def test_it_says_why_it_is_sampled(run, elsewhere):
    build = "melee_dg+barrage+explosive_critical+bleed"
    words = ("score", build, "--tier", "3", "--fights", "40", "--enemies", "9,8")
    data = json.loads(run(*words, "--json").out)["builds"][0]["scenarios"]["ad_hoc"]
    assert "bleed with explosive_critical only with one strike a turn" in data["why_sampled"]
    said = " ".join(run(*words).out.split())
    assert f"ad_hoc is sampled: {data['why_sampled']}." in said
    # Who asks for fights knows why, and what is exact has no reason.
    for others in (["--engine", "sampled"], ["--enemies", "9"]):
        assert "is sampled" not in run(*words, *others).out


def test_the_same_seed_gives_the_same_answer(run, elsewhere):
    first = scored(run, "melee_dg", "--seed", "3", "--scenario", "boss")
    assert first == scored(run, "melee_dg", "--seed", "3", "--scenario", "boss")
    assert first != scored(run, "melee_dg", "--seed", "4", "--scenario", "boss")


def test_engines(run, elsewhere):
    (row,) = scored(run, "melee_dg", "--engine", "reference", "--scenario", "boss")
    assert row["scenarios"]["boss"]["method"] == "reference"
    # Areas among several enemies are for the kernel when there is more than one attack.
    for play, method in (("greedy", "sampled"), ("optimal", "lookahead")):
        few = ("--play", play, "--fights", "500", "--json")
        ended = run("score", "area | melee_ac", "--enemies", "1,1", *few)
        numbers = json.loads(ended.out)["builds"][0]["scenarios"]["ad_hoc"]
        assert (numbers["method"], numbers["fights"]) == (method, 500)
    (row,) = scored(run, "direct_damage", "--engine", "auto", "--enemies", "3")
    numbers = row["scenarios"]["ad_hoc"]
    assert (numbers["method"], numbers["fights"], numbers["se"]) == ("exact", None, 0)
    assert numbers["ci95"] == [numbers["mean_turns"]] * 2
    ended = run("score", "melee_dg | melee_ac", *FEW, "--play", "optimal")
    assert ended.code == 2
    assert "plays greedily" in ended.err
    ended = run("score", "melee_dg", *FEW, "--engine", "sample")
    assert ended.code == 2
    assert "Did you mean `sampled`?" in ended.err
    assert "engine `mc` is called `sampled` now" in run("score", "melee_dg", "--engine", "mc").err


def test_policies_are_shown_where_there_are_some(run, elsewhere):
    """A scenario that is played with a look ahead says so; where all are, that is an error."""
    words = ("score", "area | melee_dg", "--play", "optimal", "--fights", "500", "--show-policy")
    ended = run(*words, "--scenario", "boss", "--scenario", "mixed")
    assert ended.code == 0
    assert "turns: B 100.0%" in ended.out
    assert "scored by lookahead, which works out no policy" in ended.out
    ended = run(*words, "--scenario", "mixed")
    assert ended.code == 2
    assert "in every scenario asked for" in ended.err


def test_target_error(run, elsewhere):
    words = ("direct_damage", "--scenario", "boss", "--engine", "sampled", "--json")
    ended = run("score", *words, "--target-error", "5%")
    numbers = json.loads(ended.out)["builds"][0]["scenarios"]["boss"]
    assert numbers["fights"] == 16384
    assert numbers["ci95"][1] - numbers["ci95"][0] <= 2 * 0.05 * numbers["mean_turns"]


def test_builds_from_a_file_and_from_standard_input(run, elsewhere, monkeypatch):
    (elsewhere / "builds.txt").write_text("melee_dg  # plain\n\n# nothing\nmelee_ac\n", encoding="utf-8")
    rows = scored(run, "ranged", "--builds", "builds.txt", "--scenario", "boss")
    assert [row["build"] for row in rows] == ["ranged", "melee_dg", "melee_ac"]
    monkeypatch.setattr("sys.stdin", io.StringIO("area\nmelee_ac\n"))
    rows = scored(run, "-", "--scenario", "boss")
    assert [row["build"] for row in rows] == ["area", "melee_ac"]


def test_the_budget_counts_only_when_asked_for(run, elsewhere):
    build = "melee_dg+bleed+double_tap+high_impact"
    assert scored(run, build, "--scenario", "boss")[0]["cost"] == 9
    for asked in (["--archetype", "focused"], ["--budget", "8"]):
        ended = run("score", build, *asked, *FEW)
        assert ended.code == 2
        assert "costs 9" in ended.err


def test_what_if_changes_the_score(run, elsewhere):
    (plain,) = scored(run, "direct_damage", "--scenario", "boss")
    (strong,) = scored(
        run, "direct_damage", "--scenario", "boss", "--set", "direct_damage.flat_damage.flat=30"
    )
    assert strong["score"] < plain["score"]
    (fewer,) = scored(run, "melee_dg", "--scenario", "mixed", "--ruling", "retaliation_cap=0")
    assert fewer["scenarios"]["mixed"]["survival"] == 1


def test_scenarios_that_would_be_columns_are_refused(run, elsewhere):
    head = "kind: scenarios\nsystem: vitality\nid: odd\nname: Odd\nenemies: {m: {hp: 10}}\nscenarios:\n"
    names = ("score", "boss", "boss_low", "boss_lower")
    rows = "".join(f"  {name}: {{name: X, enemies: [m]}}\n" for name in names)
    (elsewhere / "odd.yaml").write_text(head + rows, encoding="utf-8")
    ended = run("score", "melee_dg", "--scenarios", "odd.yaml")
    assert ended.code == 2
    assert "called like these scenarios: score, boss_low. Rename them." in ended.err
