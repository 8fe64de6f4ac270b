"""Games of tests are named by the environment, and forgotten after each test."""

from __future__ import annotations

import pytest

from buildsearch.ruleset import locate


@pytest.fixture(autouse=True)
def own_games(monkeypatch):
    for name in ("BUILDSEARCH_GAME", "BUILDSEARCH_RULES"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(locate, "GAME_FOLDERS", [])
