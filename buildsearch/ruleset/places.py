"""Where in its file each option of a ruleset is written."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Collection

from buildsearch.ruleset.extending import read_extended


def option_places(path: pathlib.Path, ids: Collection[str]) -> dict[str, tuple[str, int]]:
    """File (as seen from here) and line of each id that is a key of a catalogue of the file."""
    found: dict[str, tuple[str, int]] = {}
    root = read_extended(path).root
    for catalogue in root.value.values() if isinstance(root.value, dict) else ():
        for key, position in catalogue.keys.items():
            if key in ids and position.line is not None:
                found.setdefault(key, (from_here(position.source), position.line))
    return found


def from_here(source: str) -> str:
    """A path as an editor or a code host wants it: relative where the file lies below the current folder."""
    absolute = os.path.abspath(source)  # noqa: PTH100 - links stay as they are
    here = os.path.join(os.getcwd(), "")  # noqa: PTH109, PTH118
    return absolute.removeprefix(here).replace(os.sep, "/")
