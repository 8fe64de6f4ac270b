"""What only a game of decks and two-sided fights does; `test_snapshots` puts it through every command."""

from __future__ import annotations

import json

import pytest

BUILD = "hth+2,tuf+4 / light_attack*4,heavy_attack*4,heal*4"
RACER = "hth+2,tuf+4 / light_attack*12"
MIRROR = ("--scenario", "mirror", "--fights", 200, "--json")


def mirror(run, *words):
    ended = run("score", *words, *MIRROR)
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["builds"][0]["scenarios"]["mirror"]


def test_auto_prefers_the_exact_engine(run):
    found = mirror(run, RACER, "-r", "armitage-text")
    assert (found["method"], found["fights"], found["se"]) == ("exact", None, 0)
    assert found["win_rate"] == pytest.approx(0.5)
    assert mirror(run, RACER, "-r", "armitage-text", "--engine", "sampled")["method"] == "sampled"


def test_play(run):
    plays = ("greedy", "lookahead", "lookahead,greedy")
    assert len({mirror(run, BUILD, "-r", "armitage", "--play", play)["rounds"] for play in plays}) == 3


def test_a_variant_of_ones_own(run, elsewhere):
    (elsewhere / "rules").mkdir()
    path = elsewhere / "rules" / "mine.yaml"
    head = "kind: rules\nsystem: armitage\nid: mine\nname: Mine\n"
    path.write_text(f"extends: armitage\n{head}cards: {{heal: {{ap: two}}}}\n", encoding="utf-8")
    ended = run("validate", "mine")
    assert ended.code == 1
    assert f"{path.relative_to(elsewhere)}:6:" in ended.err
    path.write_text(f"extends: armitage\n{head}deck: {{size: 4}}\n", encoding="utf-8")
    assert json.loads(run("enumerate", "-r", "mine", "--count", "--json").out)["total"] == 60 * 35


def test_scenarios_that_do_not_fit_the_rules_and_those_that_extend_others(run, elsewhere):
    path = elsewhere / "mine.yaml"
    head = "kind: scenarios\nsystem: armitage\nid: mine\nname: Mine\n"
    text = head + "combatants: {a: {deck: %s}}\nscenarios: {s: {name: S, opponents: [a]}}\n"
    for deck, expected in (("gone", "has no preset `gone`"), ("{hael: 3}", "Did you mean `heal`?")):
        path.write_text(text % deck, encoding="utf-8")
        ended = run("score", BUILD, "-r", "armitage", "--scenarios", path)
        assert ended.code == 2
        assert expected in ended.err
    mine = f"extends: armitage\n{head}scenarios: {{outnumbered: null, sample: {{opponents: [grunt]}}}}\n"
    path.write_text(mine, encoding="utf-8")
    ended = run("score", BUILD, "-r", "armitage", "--scenarios", path, "--fights", 50, "--json")
    found = json.loads(ended.out)["builds"][0]["scenarios"]
    assert set(found) == {"sample", "brute", "dodger", "mirror", "pairs"}
