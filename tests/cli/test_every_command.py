"""Each game goes through every command, in its own words: a small space, few fights."""

from __future__ import annotations

import csv
import json
import re

import numba
import pytest

from buildsearch.model.evaluation import TIE
from tests.small_games import FEW, FILES

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

# What the space of a game is narrowed to, a build of it, and words that would be another game's.
V1 = ("vitality-v1", ("--budget", "1"), "direct_damage+power_attack", ("deck", "win rate", "stat line"))
DECKS = (
    "armitage-text",
    ("--set", "points=1", "--scenarios", "mirror.yaml"),
    "tuf+1 / light_attack*8,heal*4",
    ("turns to win", "tier", "archetype", "enhancement", "attacker", "enemy", "damage per turn"),
)
HEROES = (
    "dungeoneers",
    ("--set", "limits.points=1", "--set", "limits.gear=2", "--set", "limits.max_spells=1"),
    "prowess+1 / mace,boots",
    (
        "turns to win",
        "tier",
        "archetype",
        "enhancement",
        "attacker",
        "enemy",
        "damage per turn",
        "deck",
        "stat line",
    ),
)
PETS = (
    "animon-story",
    ("--set", "limits.stage=fledgling", "--set", "limits.elements=[fire]", "--scenarios", "pets.yaml"),
    "fledgling fire 3-2-2-1 / attack / none",
    (*HEROES[3], "hero", "gear"),
)
GAMES = [V1, DECKS, HEROES, PETS]


@pytest.fixture
def place(elsewhere, monkeypatch):
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    for name, text in FILES.items():
        (elsewhere / name).write_text(text, encoding="utf-8")
    return elsewhere


def speaks_only_its_own(text: str, others: tuple[str, ...]) -> bool:
    return not [word for word in others if re.search(rf"\b{word}s?\b", text, re.IGNORECASE)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
@pytest.mark.long
def test_from_optimize_to_report(run, place, game):
    rules, narrowed, build, others = game
    # Areas and Ricochets are solved one at a time, which takes longer than all the rest of this test.
    quick = ("--type", "direct_damage", "--without", "ricochet") if game is V1 else ()
    ranked = run("optimize", "-r", rules, *narrowed, *quick, *FEW, "--top", "10", "--out", "run")
    assert ranked.code == 0, ranked.err
    assert speaks_only_its_own(ranked.out, others)
    with (place / "run" / "leaderboard.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 10

    analysed = run("analyze", "run")
    assert analysed.code == 0, analysed.err
    assert "Saturation" in analysed.out
    assert speaks_only_its_own(analysed.out, others)

    explained = run("explain", build, "--run", "run", "--fights", "5")
    assert explained.code == 0, explained.err
    assert "rank" in explained.out
    assert speaks_only_its_own(explained.out, others)

    bench = run("workbench", "run", "--json")
    if game is PETS:
        assert bench.code == 2
        assert "declares no prices" in bench.err
    else:
        assert bench.code == 0, bench.err
        assert json.loads(bench.out)["left_out"] == 0
        assert speaks_only_its_own(_data(place / "run" / "workbench.html"), others)

    reported = run(
        "report", "run", "--rows", "20", "--cards", "1", "--trigger-fights", "2", "--out", "page.html"
    )
    assert reported.code == 0, reported.err
    assert speaks_only_its_own(_data(place / "page.html"), others)


def _data(path):
    """What a page was told."""
    page = path.read_text("utf-8")
    data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert data is not None
    return data.group(1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
def test_check_and_baseline(run, place, game):
    rules, narrowed, _, others = game
    config = '[assertions.none-too-good]\nkind = "no_build_beats"\nlimit = {}\n'
    (place / "buildsearch.toml").write_text(config.format(14 if game is V1 else 0.9), encoding="utf-8")
    found = run("check", "-r", rules, *narrowed, "--fights", "20000", "--json")
    assert found.code in (0, 1), found.err
    data = json.loads(found.out)
    assert data["verdict"] == ("fail" if game in (V1, PETS) else "pass")
    assert speaks_only_its_own(found.out, others)
    assert run("check", "-r", rules, *narrowed, "--fights", "20000", "--update-baseline").code == 0
    again = run("check", "-r", rules, *narrowed, "--fights", "20000", "--json")
    assert (again.code, json.loads(again.out)["new"]) == (0, [])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
def test_score_compare_and_trace(run, place, game):
    rules, narrowed, build, others = game
    narrowed = () if game is V1 else narrowed
    scored = run(
        "score",
        build,
        "-r",
        rules,
        *narrowed,
        "--triggers",
        "--trigger-fights",
        "5",
        "--fights",
        "50",
    )
    assert scored.code == 0, scored.err
    assert speaks_only_its_own(scored.out, others)
    other = (
        build.replace("power_attack", "cooldown")
        .replace("tuf+1", "hth+1")
        .replace("mace", "dagger")
        .replace("3-2-2-1", "2-3-2-1")
    )
    compared = run("compare", build, other, "-r", rules, *narrowed, "--fights", "50")
    assert compared.code == 0, compared.err
    assert speaks_only_its_own(compared.out, others)
    traced = run("trace", build, "-r", rules, *narrowed)
    assert traced.code == 0, traced.err
    assert speaks_only_its_own(traced.out, others)


def test_diff_of_editions(run, place):
    found = run(
        "diff",
        "vitality-v1",
        "vitality-v2",
        "--budget",
        "1",
        "--scenario",
        "boss",
        *FEW,
        "--no-blame",
        "--json",
    )
    assert found.code == 0, found.err
    assert "leech" in found.out
    told = run(
        "diff", "vitality-v1", "vitality-v2", "--budget", "1", "--scenario", "boss", *FEW, "--no-blame"
    )
    assert told.code == 0
    assert "The best score goes from" in told.out


def test_diff_of_decks(run, place):
    head = "kind: rules\nsystem: armitage\nextends: armitage-text\nid: mine\nname: Mine\n"
    text = head + "cards:\n  heal: {ap: 2}\n"
    (place / "mine.yaml").write_text(text, encoding="utf-8")
    found = run("diff", "armitage-text", "mine.yaml", *DECKS[1], *FEW)
    assert found.code == 0, found.err
    assert "heal" in found.out
    assert speaks_only_its_own(found.out, DECKS[3])


def test_diff_of_heroes(run, place):
    head = "kind: rules\nsystem: dungeoneers\nextends: dungeoneers\nid: mine\nname: Mine\n"
    text = head + "weapons:\n  mace: {wounds: 3}\n"
    (place / "mine.yaml").write_text(text, encoding="utf-8")
    found = run("diff", "dungeoneers", "mine.yaml", *HEROES[1])
    assert found.code == 0, found.err
    assert "mace" in found.out
    assert speaks_only_its_own(found.out, HEROES[3])


def test_diff_of_pets(run, place):
    head = "kind: rules\nsystem: animon\nextends: animon-story\nid: mine\nname: Mine\n"
    text = head + "effects:\n  heavy_strike: {extra: 9}\n"
    (place / "mine.yaml").write_text(text, encoding="utf-8")
    some = ("--set", "limits.stage=basic", "--set", "limits.elements=[fire]", "--type", "4-4-2-2")
    found = run("diff", "animon-story", "mine.yaml", *some, "--scenarios", "pets.yaml", *FEW)
    assert found.code == 0, found.err
    assert "heavy_strike" in found.out
    assert speaks_only_its_own(found.out, PETS[3])


def test_best_play_of_pets(run, place):
    build = "basic fire 4-4-2-2 / attack / overcharge@fire / none"
    found = run(
        "score", build, "-r", PETS[0], "--play", "optimal", "--enemies", "L3:basic:water", "--show-policy"
    )
    assert found.code == 0, found.err
    assert "overcharge@fire" in found.out
    assert run("score", build, "-r", PETS[0], "--play", "optimal", "--scenario", "party").code == 2


def test_best_play_of_the_best(run, place):
    rules, narrowed, build, _ = HEROES
    assert run("optimize", "-r", rules, *narrowed, "--out", "greedy").code == 0
    best = ("optimize", "-r", rules, *narrowed, "--play", "optimal", "--scenario", "duel", "--out", "best")
    ranked = run(*best, "--among", "greedy", "--candidates", "5")
    assert ranked.code == 0, ranked.err
    assert "5 builds tried (of" in ranked.out
    with (place / "best" / "leaderboard.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5
    scored = run("score", rows[0]["build"], "-r", rules, "--play", "optimal", "--scenario", "duel", "--json")
    assert json.loads(scored.out)["builds"][0]["score"] == pytest.approx(float(rows[0]["score"]), abs=TIE)
    assert run("analyze", "best").code == 2
    refused = run(*best, "--among", "greedy", "--with", "mace")
    assert refused.code == 2
    assert "Leave filters" in refused.err
    told = run("score", build, "-r", rules, "--play", "optimal", "--enemies", "knight", "--show-policy")
    assert "in a fight, in the mean" in told.out
    assert run("trace", build, "-r", rules, "--play", "optimal").code == 2
