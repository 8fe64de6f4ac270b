from __future__ import annotations

import io
import json

import pytest

# Few fights: without the JIT each takes a millisecond, and these tests are about the command.
FEW = ("--fights", "40", "--jobs", "1", "--engine", "sampled")
SCENARIO_KEYS = {
    "mean_turns",
    "se",
    "ci95",
    "stdev",
    "quantiles",
    "damage_per_turn",
    "damage_per_turn_ci95",
    "survival",
    "survival_ci95",
    "timeout_share",
    "timeout_share_ci95",
    "method",
    "fights",
    "seed",
}


def scored(run, *arguments):
    ended = run("score", *FEW, *arguments, "--json")
    assert (ended.code, ended.err) == (0, "")
    return json.loads(ended.out)["builds"]


def test_json_has_the_documented_keys(run, elsewhere):
    (row,) = scored(run, "melee_dg+bleed")
    assert set(row) == {"build", "cost", "score", "score_se", "score_ci95", "scenarios"}
    assert (row["build"], row["cost"]) == ("melee_dg+bleed", 3)
    assert list(row["scenarios"]) == ["boss", "mixed", "swarm", "guard"]
    for numbers in row["scenarios"].values():
        assert set(numbers) == SCENARIO_KEYS
        assert (numbers["method"], numbers["fights"], numbers["seed"]) == ("sampled", 40, 0)
        assert numbers["ci95"][0] < numbers["mean_turns"] < numbers["ci95"][1]
        assert set(numbers["quantiles"]) == {"p10", "p50", "p90"}
        assert numbers["damage_per_turn"] == pytest.approx(100 / numbers["mean_turns"])
    turns = [numbers["mean_turns"] for numbers in row["scenarios"].values()]
    assert row["score"] == pytest.approx(sum(turns) / 4)


def test_weights_count(run, elsewhere, repository):
    text = (repository / "scenarios" / "default.yaml").read_text(encoding="utf-8")
    (elsewhere / "mine.yaml").write_text(
        text.replace("{name: Boss,", "{name: Boss, weight: 5,"), encoding="utf-8"
    )
    (row,) = scored(run, "melee_dg", "--scenarios", "mine.yaml")
    turns = {name: numbers["mean_turns"] for name, numbers in row["scenarios"].items()}
    assert row["score"] == pytest.approx((sum(turns.values()) + 4 * turns["boss"]) / 8)


def test_one_scenario_of_another_set(run, elsewhere):
    (row,) = scored(
        run, "melee_dg", "--scenarios", "profiles", "--scenario", "boss_tanky", "--scenario", "boss_elite"
    )
    assert list(row["scenarios"]) == ["boss_tanky", "boss_elite"]


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
    ended = run(
        "score",
        "direct_damage",
        "--scenario",
        "boss",
        "--target-error",
        "5%",
        "--json",
        "--engine",
        "sampled",
    )
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


def test_triggers(run, elsewhere):
    (row,) = scored(
        run,
        "melee_dg+bleed+finale+power_attack",
        "--scenario",
        "boss",
        "--triggers",
        "--trigger-fights",
        "30",
    )
    triggers = row["scenarios"]["boss"]["triggers"]
    assert set(triggers) == {"bleed", "finale"}
    assert triggers["bleed"]["available"] is None
    assert 0 < triggers["finale"]["available"] < 1
    assert triggers["finale"]["fights"] == 30
    assert triggers["finale"]["method"] == "reference"


def test_what_if_changes_the_score(run, elsewhere):
    (plain,) = scored(run, "direct_damage", "--scenario", "boss")
    (strong,) = scored(
        run, "direct_damage", "--scenario", "boss", "--set", "direct_damage.flat_damage.flat=30"
    )
    assert strong["score"] < plain["score"]
    (fewer,) = scored(run, "melee_dg", "--scenario", "mixed", "--ruling", "retaliation_cap=0")
    assert fewer["scenarios"]["mixed"]["survival"] == 1


def test_the_table(run, elsewhere):
    ended = run(
        "score",
        "melee_dg+slaughter",
        "melee_ac",
        "--scenario",
        "boss",
        "--triggers",
        "--trigger-fights",
        "5",
        *FEW,
    )
    assert ended.code == 0
    for words in (
        "melee_dg+slaughter",
        "turns",
        "survival",
        "never",
        "10%/50%/90%",
        "Ranges are 95% intervals for each build alone (seed 0).",
        "Nothing in this build",
    ):
        assert words in ended.out


def test_a_narrow_terminal_keeps_the_primary_error_only(run, elsewhere, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    ended = run("score", "melee_dg", "--scenario", "boss", *FEW)
    assert ended.out.count(" to ") == 2  # the combined score and the turns
    assert "timeouts" not in ended.out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "no build was given"),
        (["melee_dgg"], "Did you mean `melee_dg`?"),
        (["melee_dg+quickdraw+patient"], "quickdraw does not go with patient"),
        (["melee_dg", "--scenario", "bos"], "Did you mean `boss`?"),
        (["melee_dg", "--scenarios", "defaul"], "Did you mean `default`?"),
        (["melee_dg", "--enemies", "10,x"], "must be a whole number from 1"),
        (["melee_dg", "--enemies", ",".join(["1"] * 61)], "at most 60"),
        (["melee_dg", "--attacker", "focus"], "write stat=number"),
        (["melee_dg", "--attacker", "fokus=3"], "Did you mean `focus`?"),
        (["melee_dg", "--attacker", "focus=1,focus=2"], "given twice"),
        (["melee_dg", "--enemy", "mobility=-1"], "must be a whole number from 0"),
        (["melee_dg", "--fights", "1"], "--fights must be"),
        (["melee_dg", "--jobs", "0"], "--jobs must be"),
        (
            ["area+bleed", "--engine", "exact", "--scenario", "swarm"],
            "does not follow bleed with an area that rolls dice. Try --engine auto.",
        ),
        (["melee_dg", "--target-error", "x"], "--target-error must be"),
        (["melee_dg", "--target-error", "200%"], "--target-error must be"),
        (["melee_dg", "--builds", "nothing.txt"], "cannot read builds from nothing.txt"),
        (["melee_dg", "--tier", "9"], "no tier 9"),
    ],
)
def test_bad_input(arguments, expected, run, elsewhere):
    ended = run("score", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert expected in ended.err


def test_every_bad_build_is_named_at_once(run, elsewhere):
    ended = run("score", "melee_dgg", "melee_dg+quickdraw+patient", "melee_ac+blead")
    assert ended.code == 2
    for words in ("melee_dgg", "quickdraw does not go with patient", "Did you mean `bleed`?"):
        assert words in ended.err


def test_scenarios_that_would_be_columns_are_refused(run, elsewhere):
    head = "kind: scenarios\nsystem: vitality\nid: odd\nname: Odd\nenemies: {m: {hp: 10}}\nscenarios:\n"
    names = ("score", "boss", "boss_low", "boss_lower")
    rows = "".join(f"  {name}: {{name: X, enemies: [m]}}\n" for name in names)
    (elsewhere / "odd.yaml").write_text(head + rows, encoding="utf-8")
    ended = run("score", "melee_dg", "--scenarios", "odd.yaml")
    assert ended.code == 2
    assert "called like these scenarios: score, boss_low. Rename them." in ended.err
