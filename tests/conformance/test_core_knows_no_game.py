"""The core speaks of builds, metrics and fights; games live in their own folders."""

from __future__ import annotations

from pathlib import Path

import buildsearch
from buildsearch.systems.registry import SYSTEMS

PACKAGE = Path(buildsearch.__file__).parent
# Examples in help texts and the default ruleset name the first game; a second one must not spread.
FIRST = SYSTEMS[0].id


def test_no_file_of_the_core_knows_a_game_by_name():
    for system in SYSTEMS:
        if system.id == FIRST:
            continue
        knowing = {
            path.relative_to(PACKAGE).as_posix()
            for path in PACKAGE.rglob("*.py")
            if system.id in path.read_text(encoding="utf-8").lower()
        }
        own = f"systems/{system.id}/"
        assert {name for name in knowing if not name.startswith(own)} == {"systems/registry.py"}
