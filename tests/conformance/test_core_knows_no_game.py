"""The core speaks of builds, parts, metrics, scenarios and fights; words of one game stay in `systems/`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import buildsearch
from buildsearch.systems.registry import SYSTEMS

HOME = Path(buildsearch.__file__).parent
# The command line is left out: its short options and its examples are for users of the shipped games.
CORE = (
    "model",
    "ruleset",
    "builds",
    "evaluate",
    "engines",
    "search",
    "analysis",
    "meta",
    "diff",
    "gate",
    "report",
)
WORDS = [
    "tier",
    "archetype",
    "turn",
    "attack",
    "attacker",
    "enemy",
    "enemies",
    "enhancement",
    "upgrade",
    "boss",
    "minion",
    "swarm",
    "melee",
    "ranged",
    "bleed",
    "barrage",
    "power_attack",
    "retaliation",
    "tuf",
    "initiative",
    "deck",
    "hitpoint",
    "wound",
    "duel",
    "dungeon",
]
GAME_WORD = re.compile(
    rf"(?<![a-z])({'|'.join((*WORDS, *(system.id for system in SYSTEMS)))})s?(?![a-z])", re.IGNORECASE
)


# Examples in help texts and the default ruleset name the first game; a second one must not spread.
FIRST = SYSTEMS[0].id


def test_no_file_of_the_core_knows_a_game_by_name():
    for system in SYSTEMS:
        if system.id == FIRST:
            continue
        knowing = {
            path.relative_to(HOME).as_posix()
            for path in HOME.rglob("*.py")
            if system.id in path.read_text(encoding="utf-8").lower()
        }
        own = f"systems/{system.id}/"
        assert {name for name in knowing if not name.startswith(own)} == {"systems/registry.py"}


def python_files():
    return [path for layer in CORE for path in sorted((HOME / layer).rglob("*.py"))]


def said_by(source: str) -> list[tuple[int, str]]:
    """Names and texts of a module with their lines; docstrings and comments may give examples."""
    tree = ast.parse(source)
    docstrings = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            docstrings.add(id(body[0].value))
    said = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            said.append((node.lineno, node.value))
        for field in ("id", "attr", "name", "arg"):
            word = getattr(node, field, None)
            if isinstance(word, str):
                said.append((getattr(node, "lineno", 0), word))
    return said


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(HOME)))
def test_no_name_or_text_of_a_game(path):
    found = [(line, text) for line, text in said_by(path.read_text("utf-8")) if GAME_WORD.search(text)]
    # `--set power_attack.cost=2` shows how a path is written; a hint needs an example of something.
    found = [(line, text) for line, text in found if "path=value" not in text]
    assert not found, "move it into systems/, or let a system declare it"


def test_no_text_of_a_game_on_the_page():
    for path in sorted((HOME / "report" / "html" / "page").glob("*.js")):
        texts = re.findall(r'"([^"\n]*)"|`([^`]*)`', path.read_text("utf-8"))
        found = [one or other for one, other in texts if GAME_WORD.search(one or other)]
        assert not found, path.name


def test_the_words_are_found_where_they_are():
    source = '"""A turn."""\n# a turn\ntiers = [3]\nprint(f"the attacker of {x}")\n"turning"\n'
    assert [line for line, text in said_by(source) if GAME_WORD.search(text)] == [3, 4]
