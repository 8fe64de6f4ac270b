"""A class name of the core (all but the games and the kit that they are made with) means one thing."""

from __future__ import annotations

import re
from collections import Counter

GAMES = ("systems", "kit")
# Still said twice: names of engines and of pages that the library has too.
TWICE = {"Desk", "Game", "Scoring", "Table"}


def test_no_class_name_of_the_core_is_defined_twice(repository):
    package = repository / "buildsearch"
    core = [path for path in package.rglob("*.py") if path.relative_to(package).parts[0] not in GAMES]
    texts = [path.read_text(encoding="utf-8") for path in core]
    names = Counter(name for text in texts for name in re.findall(r"^class (\w+)", text, re.M))
    assert {name for name, times in names.items() if times > 1} <= TWICE
