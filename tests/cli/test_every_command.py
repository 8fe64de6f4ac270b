"""What only some commands of a game do; `test_snapshots` puts each game through every command."""

from __future__ import annotations

import json
import shutil

import numba
import pytest

from buildsearch.model.evaluation import TIE
from buildsearch.report.run_files import board_rows
from tests.small_games import FEW, SMALL_GAMES

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

HEROES = SMALL_GAMES["dungeoneers"]


@pytest.fixture
def place(elsewhere, monkeypatch):
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    HEROES.write_files(elsewhere)
    return elsewhere


@pytest.mark.parametrize(
    ("name", "limit", "verdict"),
    [
        ("armitage-text", 0.9, "pass"),
        ("dungeoneers", 0.9, "pass"),
        ("animon-story", 0.9, "fail"),
    ],
)
def test_check_and_baseline(run, place, name, limit, verdict):
    config = f'[assertions.none-too-good]\nkind = "build-beats-limit"\nlimit = {limit}\n'
    (place / "buildsearch.toml").write_text(config, encoding="utf-8")
    words = ("check", "-r", name, *SMALL_GAMES[name].space, "--fights", "20000")
    found = run(*words, "--json")
    assert found.code in (0, 1), found.err
    assert json.loads(found.out)["status"] == verdict
    assert run(*words, "--update-baseline").code == 0
    again = run(*words, "--json")
    assert (again.code, json.loads(again.out)["findings"]) == (0, [])


def test_diff_of_editions(run, place):
    words = (
        *("diff", "vitality-v1", "vitality-v2", "--budget", "1", "--scenario", "boss"),
        *FEW,
        "--no-edit-effects",
    )
    found = run(*words, "--json")
    assert found.code == 0, found.err
    assert "leech" in found.out
    told = run(*words)
    assert told.code == 0
    assert ": the best build goes from 10 to 8.4 turns; " in told.out


def test_best_play_of_pets(run, place):
    build = "basic fire 4-4-2-2 / attack / overcharge@fire / none"
    words = ("score", build, "-r", "animon-story", "--play", "optimal")
    found = run(*words, "--enemies", "L3:basic:water", "--show-policy")
    assert found.code == 0, found.err
    assert "overcharge@fire" in found.out
    assert run(*words, "--scenario", "party").code == 2


def test_best_play_of_the_best(run, place, small_run):
    rules, narrowed, build = HEROES.rules, HEROES.space, HEROES.build
    shutil.copytree(small_run("dungeoneers"), place / "greedy")
    best = ("optimize", "-r", rules, *narrowed, "--play", "optimal", "--scenario", "duel", "--out", "best")
    ranked = run(*best, "--from-run", "greedy", "--candidates", "5")
    assert ranked.code == 0, ranked.err
    assert "5 builds tried (of" in ranked.out
    rows = board_rows(place / "best")
    assert len(rows) == 5
    scored = run("score", rows[0]["build"], "-r", rules, "--play", "optimal", "--scenario", "duel", "--json")
    assert json.loads(scored.out)["builds"][0]["score"] == pytest.approx(float(rows[0]["score"]), abs=TIE)
    assert run("analyze", "best").code == 2
    refused = run(*best, "--from-run", "greedy", "--with", "mace")
    assert refused.code == 2
    assert "Leave filters" in refused.err
    told = run("score", build, "-r", rules, "--play", "optimal", "--enemies", "knight", "--show-policy")
    assert "in a fight, in the mean" in told.out
    assert run("trace", build, "-r", rules, "--play", "optimal").code == 2
