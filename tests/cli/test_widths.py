"""Tables in windows of several widths: no number and no build is cut. Lines of a page fit 80 columns."""

from __future__ import annotations

import re
import shutil

import numba
import pytest

from buildsearch.model.text import count
from tests.cli.test_snapshots import FILES as SNAPSHOTS
from tests.small_games import FILES, SMALL_GAMES

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="whole spaces are scored and judged")
GAMES = ("vitality-v2", "dungeoneers", "armitage-text")
COMMANDS = ("optimize", "score", "compare", "explain", "enumerate", "runs")
# Lines to copy are never cut: commands, builds, files.
UNCUT = re.compile(r"^ *(Next |Look |buildsearch |Wrote )|^Wins|^[AB]  |^ *[^ ]+$|^.* / .*$")
SPACE = ("--budget", "3", "--scenarios", "boss.yaml")
HEAD = "system: vitality\nkind: rules\nid: mine\nname: Mine\nextends: vitality-v2\n"


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


@needs_jit
@pytest.mark.parametrize("width", [60, 120])
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


def test_pages_of_80_columns_fit():
    """As the snapshots have them; schemas and texts of rules go on."""
    for (_, command), path in SNAPSHOTS.items():
        page = path.read_text(encoding="utf-8").partition("\n$ buildsearch")[0].partition("\n--- ")[0]
        lines = [line for line in page.splitlines()[1:] if len(line) > 80 and not UNCUT.match(line)]
        assert command in ("schema", "show") or lines == [], path


def test_one_is_not_many():
    assert (count(1, "build"), count(0, "build"), count(1234, "build")) == (
        "1 build",
        "0 builds",
        "1,234 builds",
    )


@needs_jit
@pytest.mark.parametrize(
    "words",
    [
        ("check", *SPACE, "--verbose"),
        ("check", *SPACE, "--against", "mine.yaml"),
        ("diff", "vitality-v2", "mine.yaml", *SPACE, "--full"),
        ("diff", "vitality-v2", "--set", "bleed.cost=2", *SPACE),
    ],
    ids=lambda words: "-".join(word.strip("-") for word in words[:1]) + f"-{len(words)}",
)
def test_a_page_fits(run, elsewhere, words):
    (elsewhere / "boss.yaml").write_text(FILES["boss.yaml"], encoding="utf-8")
    options = "upgrades: {bleed: {cost: 2}, barrage: {cost: 2, name: Hail}}\n"
    (elsewhere / "mine.yaml").write_text(HEAD + options, encoding="utf-8")
    ended = run(*words)
    assert ended.code in (0, 1, 2)
    assert ended.out.strip()
    assert [line for line in ended.out.splitlines() if len(line) > 80 and " " in line.strip()] == []
