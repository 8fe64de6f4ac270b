"""A study in PostgreSQL: two processes share it, a later one goes on, and nobody sees the password."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

from tests.search.fakes import FakeSpace
from tests.search.postgres import PASSWORD, Postgres
from tests.search.test_guided import GUIDANCE, codes, search, searched_by_two

DECKS = (
    *("-r", "armitage", "--search", "optuna", "--top", "3", "--initial-fights", "16"),
    *("--ranking-fights", "0"),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Postgres(tmp_path_factory.mktemp("postgres")) as running:
        yield running


def test_two_processes_share_a_study(server):
    guidance = replace(GUIDANCE, trials=24, storage=server.address)
    ended = searched_by_two(guidance, FakeSpace())
    assert max(builds for builds, _ in ended) >= 24
    later, _, _ = search(replace(guidance, trials=30), FakeSpace())
    assert later.builds >= 30
    assert later.scored_here < 30
    assert len(set(codes(later))) == later.builds
    again, _, _ = search(replace(guidance, trials=30), FakeSpace())
    assert again.scored_here == 0
    assert set(codes(again)) == set(codes(later))


def test_nobody_sees_the_password(server, run, elsewhere):
    words = ("--trials", "4", "--no-cache", "--out", "run")
    ended = run("optimize", *DECKS, *words, "--storage", server.address)
    assert ended.code == 0, ended.err
    shown = f"postgresql+psycopg://builds:***@127.0.0.1:{server.port}/postgres"
    text = Path("run/run.json").read_text()
    assert json.loads(text)["guidance"]["storage"] == shown
    wrong = server.address.replace(PASSWORD, PASSWORD + "x")
    refused = run("optimize", *DECKS, *words, "--storage", wrong)
    assert refused.code == 2
    assert "cannot use the storage" in refused.err
    for said in (text, ended.out, ended.err, refused.out, refused.err):
        assert PASSWORD not in said
