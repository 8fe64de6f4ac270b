"""`buildsearch optimize --search optuna` as a user meets it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numba
import pyarrow.parquet as pq
import pytest

from buildsearch.cli.guiding import without_password

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
DECKS = ("-r", "armitage", "--scenario", "mirror", "--floor", "4", "--race-fights", "0", "--top", "5")


@pytest.fixture
def place(elsewhere, monkeypatch):
    monkeypatch.setenv("BUILDSEARCH_CACHE", str(elsewhere / "cache"))
    return elsewhere


@needs_jit
def test_decks_with_status_cards_are_searched_by_default(run, place):
    arguments = (*DECKS, "-p", "status_cards=on", "--trials", "70", "--storage", "study.journal", "--json")
    ended = run("optimize", *arguments)
    assert ended.code == 0, ended.err
    about = json.loads(ended.out)
    assert about["search"] == "optuna"
    assert about["sampler"] == "tpe"
    assert about["trials"] == about["builds"] == about["scored"] == 70
    assert about["out_of"] > 50_000_000
    assert about["storage"] == "study.journal"
    table = pq.read_table(f"{about['folder']}/scores.parquet")
    assert table.num_rows == len(set(table["build"].to_pylist())) == 70
    with (Path(about["folder"]) / "leaderboard.csv").open(encoding="utf-8") as file:
        rates = [float(row["mirror_win_rate"]) for row in csv.DictReader(file)]
    assert rates == sorted(rates, reverse=True)
    assert len(rates) == 5
    # The study is there: nothing is tried again, and the answer is the same.
    again = json.loads(run("optimize", *arguments).out)
    assert again["builds"] == 70
    assert again["study"] == about["study"]
    # What a search likes says nothing about the rules.
    refused = run("analyze", about["folder"])
    assert refused.code == 2
    assert "guided search" in refused.err


def test_a_dry_run_says_what_will_be_done(run, place):
    ended = run("optimize", *DECKS, "-p", "status_cards=on", "--dry-run", "--time", "3")
    assert ended.code == 0
    assert "a guided search (tpe) until 3 minutes are over" in ended.out
    asked = ("--search", "optuna", "--objective", "mean", "--objective", "rounds", "--dry-run", "--json")
    about = json.loads(run("optimize", *DECKS, *asked).out)
    assert about["sampler"] == "nsga2"
    assert about["trials"] == 3000
    assert not (place / "results").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--search", "optunia"), "optuna"),
        (("--search", "optuna", "--sampler", "tpa"), "tpe"),
        (("--trials", "5"), "--search optuna"),
        (("--search", "exhaustive", "--storage", "x"), "--search optuna"),
        (("--search", "optuna", "--trials", "0"), "--trials"),
    ],
)
def test_contradictions_are_told(run, place, arguments, says):
    ended = run("optimize", *DECKS, *arguments)
    assert ended.code == 2
    assert says in ended.err


def test_passwords_are_not_shown():
    assert without_password("postgresql://me:secret@host:5432/db") == "postgresql://me:***@host:5432/db"
    assert without_password("sqlite:///study.db") == "sqlite:///study.db"
    assert without_password("study.journal") == "study.journal"
