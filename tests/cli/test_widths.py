"""Every table in windows of several widths: no number and no build is cut, and no line is too long."""

from __future__ import annotations

import re
import shutil

import numba
import pytest

from buildsearch.model.text import count
from tests.small_games import SMALL_GAMES

GAMES = ("vitality-v2", "dungeoneers", "armitage-text")
COMMANDS = ("optimize", "score", "compare", "explain", "enumerate", "runs")
# Lines to copy are never cut: commands, builds, files.
UNCUT = re.compile(r"^ *(Next |Look |buildsearch |Wrote )|^Wins|^[AB]  |^ *[^ ]+$|^.* / .*$")


def words(game, command):
    """A command about the small run of a game."""
    fights = ("-r", game.rules, *game.space)
    return {
        "optimize": ("-r", game.rules, *game.narrowed, "--initial-fights", "16", "--ranking-fights", "0"),
        "score": (game.build, *fights, "--fights", "50"),
        "compare": (game.build, game.other, *fights, "--fights", "50"),
        "explain": ("1", "--run", "run", "--fights", "3"),
        "enumerate": ("-r", game.rules, "--count"),
        "runs": (),
    }[command]


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", GAMES)
def test_it_fits_into_the_window(run, elsewhere, small_run, monkeypatch, name, command, width):
    monkeypatch.setattr("buildsearch.document.terminal._WIDTH_IN_A_PIPE", width)
    shutil.copytree(small_run(name), elsewhere / "run")
    SMALL_GAMES[name].write_files(elsewhere)
    ended = run(command, *words(SMALL_GAMES[name], command))
    assert ended.code == 0, ended.err
    assert "…" not in ended.out
    assert not re.findall(r"[┃│━]", ended.out)
    long = [line for line in ended.out.splitlines() if len(line) > width and not UNCUT.match(line)]
    assert long == []


def test_one_is_not_many():
    assert (count(1, "build"), count(0, "build"), count(1234, "build")) == (
        "1 build",
        "0 builds",
        "1,234 builds",
    )
