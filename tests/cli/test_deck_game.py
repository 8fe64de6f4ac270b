"""Every command on a game of decks and two-sided fights."""

from __future__ import annotations

import csv
import json

import pytest

BUILD = "hth+2,tuf+4 / light_attack*4,heavy_attack*4,heal*4"
RACER = "hth+2,tuf+4 / light_attack*12"
QUICK = ("--fights", 200, "--jobs", 1)


def answer(ended):
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_enumerate(run, elsewhere):
    counted = answer(run("enumerate", "-r", "armitage", "--count", "--json"))
    assert (counted["total"], len(counted["by_stats"])) == (2_100, 60)
    counted = answer(run("enumerate", "-r", "armitage", "-p", "status_cards=on", "--count", "--json"))
    assert counted["total"] == 60 * 975_338
    counted = answer(run("enumerate", "-r", "armitage-text", "--count", "--json"))
    assert counted["total"] == 5_460
    some = run(
        "enumerate", "-r", "armitage", "--type", "tuf+4,hth+2", "--with", "heal", "--out", "some.csv", "-q"
    )
    assert some.code == 0
    with (elsewhere / "some.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["stats"] for row in rows} == {"hth+2,tuf+4"}
    assert all(row["heal"] != "0" and row["build"].startswith("hth+2,tuf+4 / ") for row in rows)


def test_validate(run):
    ended = run("validate", "armitage")
    assert ended.code == 0
    assert "5/12" in ended.err
    assert run("validate", "-r", "armitage", "-b", BUILD).code == 0
    ended = run("validate", "-r", "armitage", "-b", "hth+2 / heal*12")
    assert ended.code == 1
    assert "unspent" in ended.err
    assert "12 of `heal`, and 4 is the most" in ended.err


def test_list_and_show(run):
    listed = answer(run("list", "--rules", "armitage-text", "--json"))
    assert {"armitage", "armitage-text"} <= {row["name"] for row in listed["rules"]}
    assert [row["id"] for row in listed["options"] if row["kind"] == "card"] == [
        "light_attack",
        "heal",
        "resolve",
    ]
    assert [row["system"] for row in listed["scenarios"] if row["name"] == "armitage"] == ["Armitage"]
    shown = run("show", "armitage", "heavy_attack", "quick", "eva")
    assert shown.code == 0
    assert "25.9% (7/27) at EVA 11" in shown.out
    assert "+2 one's own EVA" in shown.out
    assert run("show", "armitage").code == 0


def test_score(run):
    found = answer(run("score", BUILD, "-r", "armitage", *QUICK, "--json"))["builds"][0]
    assert found["build"] == BUILD
    assert set(found["scenarios"]) == {"sample", "brute", "dodger", "mirror", "pairs", "outnumbered"}
    for scenario in found["scenarios"].values():
        assert 0 <= scenario["win_rate"] <= 1
        assert scenario["method"] == "sampled"
        assert {"rounds", "hp_left", "draws"} <= set(scenario)
    ended = run(
        "score", BUILD, "-r", "armitage", "--scenario", "mirror", *QUICK, "--triggers", "--trigger-fights", 5
    )
    assert ended.code == 0
    assert "win rate" in ended.out
    assert "heavy_attack" in ended.out


def test_auto_prefers_the_exact_engine(run):
    arguments = ("-r", "armitage-text", "--scenario", "mirror", "--json", *QUICK)
    (found,) = answer(run("score", RACER, *arguments))["builds"]
    mirror = found["scenarios"]["mirror"]
    assert (mirror["method"], mirror["fights"], mirror["se"]) == ("exact", None, 0)
    assert mirror["win_rate"] == pytest.approx(0.5)
    (found,) = answer(run("score", RACER, *arguments, "--engine", "sampled"))["builds"]
    assert found["scenarios"]["mirror"]["method"] == "sampled"
    ended = run("score", BUILD, "-r", "armitage", "--engine", "exact", *QUICK)
    assert ended.code == 2
    assert "too many states" in ended.err
    assert run("score", RACER, "-r", "armitage-text", "--scenario", "mirror", *QUICK).code == 0


def test_play(run):
    arguments = ("-r", "armitage", "--scenario", "mirror", "--fights", 400, "--json")
    rates = [
        answer(run("score", BUILD, *arguments, "--play", play))["builds"][0]["scenarios"]["mirror"]["rounds"]
        for play in ("greedy", "lookahead", "lookahead,greedy")
    ]
    assert len(set(rates)) == 3
    ended = run("score", BUILD, *arguments, "--play", "gredy")
    assert ended.code == 2
    assert "Did you mean `greedy`?" in ended.err
    # Each game has its own ways to play.
    ended = run("score", "melee_dg", "--play", "lookahead,greedy")
    assert ended.code == 2
    assert "greedy" in ended.err


def test_options_of_other_games_are_refused(run):
    for option, value in (("--tier", 3), ("--enemies", "50"), ("--archetype", "focused")):
        ended = run("score", BUILD, "-r", "armitage", option, value)
        assert ended.code == 2
        is_of_fights = option == "--enemies"
        said = (
            "--enemies: Armitage has no such option" if is_of_fights else f"has no parameter `{option[2:]}`"
        )
        assert said in ended.err
        assert is_of_fights or "Known: spend, status_cards." in ended.err
    ended = run("score", BUILD, "-r", "armitage", "--scenarios", "default")
    assert ended.code == 2
    assert "is for Vitality" in ended.err


def test_points_bind_where_no_parameter_sets_them(run):
    ended = run("score", "hth+5,tuf+4 / light_attack*4,heavy_attack*4,heal*4", "-r", "armitage", *QUICK)
    assert ended.code == 2
    assert "costs 9 points" in ended.err


def test_compare(run):
    other = "eva+2 / light_attack*4,heavy_attack*4,resolve*4"
    arguments = ("compare", BUILD, other, "-r", "armitage", "--scenario", "sample", *QUICK)
    found = answer(run(*arguments, "--json"))
    assert 0 <= found["scenarios"]["sample"]["a_beats_b"] <= 1
    assert "A is better in" in run(*arguments).out


def test_trace(run):
    ended = run("trace", BUILD, "-r", "armitage", "--scenario", "outnumbered", "--seed", 3)
    assert ended.code == 0
    assert "Order by initiative" in ended.out
    assert "Fight " in ended.out
    again = run("trace", BUILD, "-r", "armitage", "--scenario", "outnumbered", "--seed", 3)
    assert again.out == ended.out
    data = answer(run("trace", BUILD, "-r", "armitage", "--play", "lookahead", "--json"))
    assert data["events"][0]["event"] == "order_set"
    picked = answer(run("trace", BUILD, "-r", "armitage", "--pick", "best", "--of", 5, "--json"))
    assert picked["value"] in (0, 0.5, 1)


def test_schema_and_init(run, elsewhere):
    assert json.loads(run("schema", "armitage", "rules").out)["title"] == "Armitage rules"
    for source in ("armitage", "armitage-text"):
        assert run("init", f"my-{source}", "--from", source).code == 0
        assert run("validate", f"my-{source}").code == 0
    counted = answer(run("enumerate", "-r", "my-armitage-text", "--count", "--json"))
    assert counted["total"] == 5_460


def test_a_variant_of_ones_own(run, elsewhere):
    (elsewhere / "rules").mkdir()
    path = elsewhere / "rules" / "mine.yaml"
    head = "kind: rules\nsystem: armitage\nid: mine\nname: Mine\n"
    path.write_text(f"extends: armitage\n{head}cards: {{heal: {{ap: two}}}}\n", encoding="utf-8")
    ended = run("validate", "mine")
    assert ended.code == 1
    assert f"{path.relative_to(elsewhere)}:6:" in ended.err
    path.write_text(f"extends: armitage\n{head}deck: {{size: 4}}\n", encoding="utf-8")
    assert answer(run("enumerate", "-r", "mine", "--count", "--json"))["total"] == 60 * 35


def test_scenarios_that_do_not_fit_the_rules(run, elsewhere):
    path = elsewhere / "mine.yaml"
    head = "kind: scenarios\nsystem: armitage\nid: mine\nname: Mine\n"
    text = head + "combatants: {a: {deck: %s}}\nscenarios: {s: {name: S, opponents: [a]}}\n"
    for deck, expected in (("gone", "has no preset `gone`"), ("{hael: 3}", "Did you mean `heal`?")):
        path.write_text(text % deck, encoding="utf-8")
        ended = run("score", BUILD, "-r", "armitage", "--scenarios", path)
        assert ended.code == 2
        assert expected in ended.err


def test_scenario_files_extend_too(run, elsewhere):
    path = elsewhere / "mine.yaml"
    path.write_text(
        "extends: armitage\nkind: scenarios\nid: mine\nname: Mine\n"
        "scenarios: {outnumbered: null, sample: {opponents: [grunt]}}\n",
        encoding="utf-8",
    )
    found = answer(run("score", BUILD, "-r", "armitage", "--scenarios", path, *QUICK, "--json"))
    assert set(found["builds"][0]["scenarios"]) == {"sample", "brute", "dodger", "mirror", "pairs"}
