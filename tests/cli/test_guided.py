"""`buildsearch optimize --search optuna` as a user meets it."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import numba
import pyarrow.parquet as pq
import pytest

from buildsearch.search.guided.study import without_password

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
DECKS = (
    *("-r", "armitage", "--scenario", "mirror", "--initial-fights", "4", "--ranking-fights", "0"),
    *("--top", "5"),
)
THREE = (
    *("--search", "optuna", "--trials", "3", "--initial-fights", "2", "--ranking-fights", "0", "--top", "1"),
)


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
    assert about["guidance"]["sampler"] == "tpe"
    assert about["guidance"]["trials"] == about["builds"] == about["scored"] == 70
    assert about["legal_builds"] > 50_000_000
    assert about["guidance"]["storage"] == "study.journal"
    table = pq.read_table(f"{about['folder']}/scores.parquet")
    assert table.num_rows == len(set(table["build"].to_pylist())) == 70
    with (Path(about["folder"]) / "leaderboard.csv").open(encoding="utf-8") as file:
        rates = [float(row["mirror_win_rate"]) for row in csv.DictReader(file)]
    assert rates == sorted(rates, reverse=True)
    assert len(rates) == 5
    # The study is there: nothing is tried again, and the answer is the same.
    again = json.loads(run("optimize", *arguments).out)
    assert again["builds"] == 70
    assert again["guidance"]["study"] == about["guidance"]["study"]
    # What a search likes says nothing about the rules.
    refused = run("analyze", about["folder"])
    assert refused.code == 2
    assert "guided search" in refused.err


def test_a_dry_run_says_what_will_be_done(run, place):
    ended = run("optimize", *DECKS, "-p", "status_cards=on", "--dry-run", "--stop-after", "3")
    assert ended.code == 0
    assert "a guided search (tpe) until 3 minutes are over" in ended.out
    asked = ("--search", "optuna", "--objective", "mean", "--objective", "rounds", "--dry-run", "--json")
    about = json.loads(run("optimize", *DECKS, *asked).out)
    assert about["sampler"] == "nsga2"
    assert about["trials"] == 3000
    assert not (place / "results").exists()


def test_passwords_are_not_shown():
    for address in (
        "postgresql://me:hunter22@host:5432/db",
        "postgresql://me:hunt@er22@host/db",
        "postgresql://me:hunter22@h@st/db",
        "postgresql://me:hu/nter22@host/db",
        "postgresql://me:hunt?er22@host/db",
        "postgresql://host/db?user=me&password=hunter22",
        "postgresql://host/db?password=hunt@er22",
        "postgresql://hunter22@host/db",
        "postgresql://me:hunter22",
        "mysql+pymysql://me:hunter22@host:port/db",
    ):
        shown = without_password(address)
        assert "hun" not in shown
        assert "er22" not in shown
        assert shown.startswith(address.partition("://")[0])
    assert without_password("postgresql://me:secret@host:5432/db") == "postgresql://me:***@host:5432/db"
    assert without_password("sqlite:///study.db") == "sqlite:///study.db"
    assert without_password("study.journal") == "study.journal"
    assert without_password("mysql://host:3306/db") == "mysql://host:3306/db"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:hunter22@127.0.0.1:1/db",
        "postgresql://me:hunt@er22@127.0.0.1:1/db",
        "postgresql://127.0.0.1:1/db?password=hunter22",
        "nosuchdatabase://me:hunter22@host/db",
        "sqlite:///missing/hunter22?password=hunter22",
        "mysql://me:hunter22@host:hunter22/db",
    ],
)
def test_no_error_and_no_file_shows_a_password(run, place, address, monkeypatch):
    monkeypatch.setenv("BUILDSEARCH_DEBUG", "1")
    ended = run(
        "optimize", *DECKS, "--search", "optuna", "--trials", "3", "--storage", address, "--out", "run"
    )
    assert ended.code == 2
    assert "cannot use the storage" in ended.err
    assert "hunter22" not in ended.err + ended.out
    assert "er22" not in ended.err + ended.out
    for path in place.rglob("*"):
        if path.is_file():
            assert b"hunter22" not in path.read_bytes()


def test_run_json_has_the_storage_without_its_password(run, place):
    address = f"sqlite:///{place}/study.db?timeout=7"
    ended = run(
        "optimize", *DECKS, *THREE, "--without", "heal", "--storage", address, "--out", "run", "--json"
    )
    assert ended.code == 0, ended.err
    record = json.loads((place / "run" / "run.json").read_text())
    assert record["guidance"]["storage"] == record["request"]["storage"] == "sqlite://***"
    assert "timeout=7" not in ended.out


JOURNALS = {
    "rubbish": b"\x00\xff" * 100 + b"\n",
    "other lines": b'{"a": 1}\n',
    "deep": b"[" * 5000 + b"]" * 5000 + b"\n",
    "endless": b"a" * (1 << 21),
    "means nothing": b'{"op_code": 4, "worker_id": "x"}\n',
    "wrong type": b'{"op_code": 0, "worker_id": "x", "study_name": 3, "directions": ["up"]}\n',
}


@pytest.mark.parametrize("content", [*JOURNALS, pytest.param("pipe", marks=pytest.mark.posix)])
def test_what_is_no_journal_is_told_at_once(run, place, content):
    if content == "pipe":
        os.mkfifo(place / "study")
    else:
        (place / "study").write_bytes(JOURNALS[content])
    ended = run("optimize", *DECKS, "--search", "optuna", "--trials", "3", "--storage", "study")
    assert ended.code == 2
    assert "cannot use the storage study" in ended.err


@pytest.mark.parametrize("address", ["/dev/full", "/dev/zero", "sqlite:////dev/full", "sqlite:////dev/zero"])
@pytest.mark.posix
def test_a_device_is_no_storage(run, place, address):
    ended = run("optimize", *DECKS, "--search", "optuna", "--trials", "3", "--storage", address)
    assert ended.code == 2
    assert "a pipe or a device, not a file" in ended.err


def test_what_a_kill_left_of_a_line_is_cut_off(run, place):
    again = ("optimize", *DECKS, *THREE, "--without", "heal", "--storage", "study", "--out", "run", "--json")
    assert run(*again).code == 0
    whole = (place / "study").read_bytes()
    (place / "study").write_bytes(whole + b'{"op_code": 5, "work')
    assert run(*again).code == 0
    assert (place / "study").read_bytes().startswith(whole)
    assert b'"work{' not in (place / "study").read_bytes()
