"""What every command prints on a small run of each game, as text of 80 columns and as JSON, in its own words.

`scripts/test tests/cli/test_snapshots.py --bless` writes tests/snapshots/ anew. Read the diff.
"""

from __future__ import annotations

import difflib
import json
import re
import shutil
import zlib
from itertools import chain
from pathlib import Path

import numba
import pytest

from tests.report.html.sources import data_of
from tests.small_games import FEW, SMALL_GAMES

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

FOLDER = Path(__file__).parents[1] / "snapshots"
HEAD, TAIL = 30, 8
# Keys and lines whose values change with the machine, or from one run to the next.
OF_A_MACHINE = (
    *("seconds", "stages", "cache", "checksums"),
    *("Python", "System", "Cores", "Kernels", "Scores kept", "Results", "Free space"),
)
# Words that would be another game's; commands that name every game, or show a file.
OF_VITALITY = ("turns to win", "tier", "archetype", "enhancement", "attacker", "enemy", "damage per turn")
OTHERS = {
    "vitality": ("deck", "win rate", "stat line"),
    "armitage": OF_VITALITY,
    "dungeoneers": (*OF_VITALITY, "deck", "stat line"),
    "animon": (*OF_VITALITY, "deck", "stat line", "hero", "gear"),
}
OF_ALL_GAMES = ("list", "init", "schema", "validate", "show")


def commands(game):
    """By name: the words after it. `--json` is put behind them for the other form."""
    rules, fights = ("-r", game.rules), ("-r", game.rules, *game.space)
    return {
        "optimize": (*rules, *game.narrowed, *FEW, "--top", "5", "--out", "again"),
        "analyze": ("run", "--rows", "3"),
        "explain": (game.build, "--run", "run", "--fights", "5"),
        "report": ("run", "--rows", "20", "--cards", "1", "--trigger-fights", "2"),
        "workbench": ("run",),
        "check": (*fights, "--preset", "lenient", "--fights", "20000"),
        "diff": (game.rules, "mine.yaml", *game.narrowed, *FEW),
        "balance": ("run", "--max-proposals", "1"),
        "meta": (*fights, "--epsilon", "0.1", "--fights", "300000", "--start", "3", "--out", "found"),
        "enumerate": (*fights, "--count"),
        "score": (game.build, *fights, "--fights", "200", "--triggers", "--trigger-fights", "5"),
        "compare": (game.build, game.other, *fights, "--fights", "200"),
        "trace": (game.build, *fights),
        "validate": (game.rules, "mine.yaml"),
        "list": ("options", *rules),
        "show": (game.rules, game.option),
        "init": ("my-game", "--from", game.rules),
        "schema": (game.system,),
    }


CASES = {
    (name, command): words for name, game in SMALL_GAMES.items() for command, words in commands(game).items()
}
del CASES["vitality-v1", "schema"]  # the other edition's
# These say the same of every game.
CASES |= {("any", "cache"): ("info",), ("any", "doctor"): (), ("any", "list"): ()}
FILES = {case: FOLDER / case[0] / f"{case[1]}.txt" for case in CASES}


@pytest.fixture
def place(elsewhere, monkeypatch, small_run):
    """A folder with a copy of the game's run, and a window of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)

    def place_(name):
        if game := SMALL_GAMES.get(name):
            shutil.copytree(small_run(name), elsewhere / "run")
            game.write_files(elsewhere)
        return elsewhere

    return place_


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_what_it_prints(run, place, case, pytestconfig, monkeypatch):
    folder = place(case[0])
    if case[0] == "any":
        monkeypatch.setenv("BUILDSEARCH_CACHE", str(folder / "kept"))
    # Trigger rates take fights of the reference: once is enough. A schema is JSON; a report is its page.
    as_json = ("--json", "--no-triggers") if case[1] == "analyze" else ("--json",)
    forms = [(), as_json] if case[1] not in ("schema", "report") else [()]
    found = "\n".join(chain.from_iterable(printed(run, folder, case, form) for form in forms))
    if pytestconfig.getoption("bless"):
        FILES[case].parent.mkdir(parents=True, exist_ok=True)
        FILES[case].write_text(found, encoding="utf-8")
    kept = FILES[case].read_text(encoding="utf-8") if FILES[case].exists() else ""
    diff = "\n".join(difflib.unified_diff(kept.splitlines(), found.splitlines(), "kept", "now", lineterm=""))
    assert not diff, f"{FILES[case]} (--bless writes it anew):\n{diff}"


def test_no_snapshot_is_left_over():
    assert set(FOLDER.glob("*/*")) <= set(FILES.values())


def printed(run, folder, case, form):
    """Lines of one form: the command, what it prints, how it ends."""
    shutil.rmtree(folder / "rules", ignore_errors=True)  # what `init` wrote the last time
    words = (case[1], *CASES[case], *form)
    ended = run(*words)
    page = folder / "run" / f"{case[1]}.html"
    shown = json.dumps(data_of(page)) if page.exists() else ""
    if case[0] in SMALL_GAMES and case[1] not in OF_ALL_GAMES:
        others = OTHERS[SMALL_GAMES[case[0]].system]
        assert not re.findall(rf"\b(?:{'|'.join(others)})s?\b", ended.out + shown, re.IGNORECASE)
    yield f"$ buildsearch {' '.join(words)}"
    yield from cut(masked(ended.out, folder))
    # How large a search is and how far it is go there, and change with the machine.
    if case[1] != "optimize" and ended.err:
        yield "--- stderr"
        yield from cut(masked(ended.err, folder))
    yield f"--- exit {ended.code}\n"
    if case[1] == "report":
        yield "--- what the page is told"
        yield from cut(masked(shown, folder))


def masked(text, folder):
    """The lines, without what another machine, day or version would say."""
    text = text.replace(str(folder), "FOLDER").replace(str(FOLDER.parents[1]), "CHECKOUT")
    text = re.sub(r"\b\d+\.\d+\.\d+(\.dev\d+\+[\w.]+)?", "VERSION", text)
    text = re.sub(r"\b\d+(\.\d+)? (s|ms|seconds|minutes|B|KB|MB|GB|bytes)\b", r"N \2", text)
    text = re.sub(r"\b20\d\d-\d\d-\d\d([T ]\d\d:\d\d[\d:.Z+]*)?", "DATE", text)
    text = re.sub(r'"[0-9a-f]{16,64}"', '"HASH"', text)
    text = re.sub(rf"^({'|'.join(OF_A_MACHINE)}):(\n  | ).*", r"\1: …", text, flags=re.MULTILINE)
    if text.startswith("{"):
        text = in_few_lines(json.loads(text))
    return [line.rstrip() for line in text.splitlines()]


def cut(lines):
    """At most some forty; of those between a checksum tells whether they changed."""
    if len(lines) <= HEAD + TAIL + 1:
        return lines
    between = lines[HEAD:-TAIL]
    checksum = zlib.crc32("\n".join(between).encode())
    return [*lines[:HEAD], f"[{len(between)} lines, checksum {checksum:08x}]", *lines[-TAIL:]]


def in_few_lines(value, indent=""):
    """JSON with what fits on one line; five digits of a number, the first two and the last of a long list."""
    if isinstance(value, float):
        return f"{value:.5g}" if abs(value) > 1e-9 else "0"
    if not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=False)
    more = indent + "  "
    if isinstance(value, dict):
        parts = [
            f'"{key}": {"…" if key in OF_A_MACHINE else in_few_lines(item, more)}'
            for key, item in value.items()
        ]
    else:
        parts = [in_few_lines(item, more) for item in value]
        if len(parts) > 4:
            parts[2:-1] = [f"[{len(parts) - 3} more]"]
    start, end = "{}" if isinstance(value, dict) else "[]"
    line = f"{start}{', '.join(parts)}{end}"
    if len(line) + len(indent) <= 110 and "\n" not in line:
        return line
    return f"{start}\n{more}" + f",\n{more}".join(parts) + f"\n{indent}{end}"
