"""`buildsearch new`: what it writes runs at once, is tested, and says where its mistakes are."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

import pytest

from buildsearch.cli.main import exit_code_of
from buildsearch.testing import conformance

_HOME = Path(tempfile.mkdtemp(prefix="buildsearch-new-"))
assert exit_code_of(["new", "my-game", "--out", str(_HOME / "my-game")]) == 0
TestNewGame = conformance(_HOME / "my-game", gear=3, abilities=3)
BUILD = "sword / leather / fencer / strength+3,skill+2"


def teardown_module():
    shutil.rmtree(_HOME, ignore_errors=True)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(_HOME / "my-game", tmp_path / "game")
    monkeypatch.chdir(tmp_path / "game")
    return tmp_path / "game"


def said(capsys, *arguments):
    code = exit_code_of([*arguments, "--game", "."])
    return code, "".join(capsys.readouterr())


def changed(folder, old, new):
    path = folder / "game.py"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return 1 + text[: text.index(old)].count("\n")


def test_it_writes_into_no_folder_that_has_something(folder, capsys):
    assert exit_code_of(["new", "my-game", "--out", str(folder)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert exit_code_of(["new", "My Game"]) == 2


def test_the_readme_names_commands_that_work(folder, capsys):
    named = re.findall(r"^buildsearch (\w+)", (folder / "README.md").read_text("utf-8"), re.MULTILINE)
    assert named == ["optimize", "analyze", "balance", "report", "meta", "trace"]
    code, out = said(capsys, "trace", BUILD, "--scenario", "ogre")
    assert code == 0
    assert "hero" in out


def test_an_edit_of_the_game_counts_at_once(folder, capsys):
    _, before = said(capsys, "score", BUILD)
    changed(folder, '"hp": 12 +', '"hp": 30 +')
    code, after = said(capsys, "score", BUILD)
    assert code == 0
    assert before.splitlines()[0] != after.splitlines()[0]
    changed(folder, "chance(dice, faces / 20)", "chance(dice, 1.0)")
    _, third = said(capsys, "score", BUILD)
    assert third.splitlines()[0] != after.splitlines()[0]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('build.abilities["skill"]', 'build.abilities["skil"]', "KeyError: 'skil'"),
        ("points = roll(dice, g.damage, me)", "points = roll(dice, g.damages, me)", "damages"),
        ("c[me].rests = 0", "c[me].rest = nothing", "NameError"),
        ("me = t.who\n    if action", "me = t.whom\n    if action", "whom"),
        ("tell(dice, MISSES, me, it, 0)", 'name = f"{me}" + 1', "TypeError"),
        ("def two_hands(weapon, armour)", "def two_hands(weapons, armour)", "asks for `weapons`"),
        ("any_of(", "any_off(", "NameError"),
        ("c[me].rests = 0", 'c[me].rests = int(action == "rest")', "the text 'rest'"),
        ('"ac": build.armour.ac', '"ac": build.armour.ac + 0.5', "whole numbers"),
    ],
)
def test_a_mistake_has_a_line_and_no_traceback(folder, capsys, old, new, says):
    line = changed(folder, old, new)
    code, out = said(capsys, "score", BUILD)
    assert code == 2, out
    assert says in out
    assert "Traceback" not in out
    assert "numba" not in out
    if "asks for" not in says and "whole numbers" not in says:
        assert re.search(rf"game\.py:{line}", out) or f"game.py:{line + 1}" in out, out


def test_what_python_allows_and_the_compiler_does_not_has_its_line(folder, capsys):
    line = changed(folder, "points = roll(", "words = [str(me)]\n            points = len(words) * roll(")
    code, out = said(capsys, "score", BUILD)
    if code == 0:
        return  # a version of numba that can
    assert re.search(r"game\.py:\d+: this rule cannot be compiled", out), (line, out)


def test_a_rule_that_forgets_its_answer_is_told(folder, capsys):
    changed(folder, "    return ROUND if t.who == 0 else NEXT", "    if t.who == 0:\n        return ROUND")
    code, out = said(capsys, "score", BUILD)
    assert code == 2
    assert "return NEXT" in out


def test_a_field_beyond_its_most_is_reported(folder, capsys):
    changed(folder, "c[me].hp = min(g.who[me].hp, c[me].hp + g.who[me].heal)", "c[me].hp += 99")
    code, out = said(capsys, "score", "sword / leather / second_wind / strength+3,skill+2")
    assert code == 2
    assert "and it goes from 0 to" in out


def test_reading_rules_runs_no_code(folder, capsys):
    (folder / "game.py").write_text("from pathlib import Path\nPath('was_run').touch()\n", encoding="utf-8")
    for words in (
        "validate rules.yaml",
        "show rules.yaml",
        "list",
        "optimize --rules rules.yaml",
        "diff rules.yaml rules.yaml",
    ):
        exit_code_of(words.split())
        assert not (folder / "was_run").exists()
    assert "--game" in "".join(capsys.readouterr())


def test_a_game_is_named_by_its_file_its_folder_and_the_environment(folder, capsys, monkeypatch):
    for words in (["--game", "game.py"], ["--game=."]):
        assert exit_code_of(["enumerate", "--count", *words]) == 0
    monkeypatch.setenv("BUILDSEARCH_GAME", str(folder / "game.py"))
    assert exit_code_of(["enumerate", "--count"]) == 0
    assert capsys.readouterr().out.count("819 legal builds") == 3
    assert exit_code_of(["enumerate", "--count", "--game", "nowhere"]) == 2
    assert "no such file" in capsys.readouterr().err
    assert exit_code_of(["enumerate", "--game"]) == 2
