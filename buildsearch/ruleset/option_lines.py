"""Where in its file each option of a ruleset is written."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Collection

from buildsearch.ruleset.extension import read_extended


def option_lines(path: pathlib.Path, ids: Collection[str]) -> dict[str, tuple[str, int]]:
    """File (as a code host names it) and line of each id that is a key of a catalogue of the file."""
    found: dict[str, tuple[str, int]] = {}
    root = read_extended(path).root
    for catalogue in root.value.values() if isinstance(root.value, dict) else ():
        for key, position in catalogue.keys.items():
            if key in ids and position.line is not None:
                found.setdefault(key, (from_here(position.source), position.line))
    return found


def from_here(source: str) -> str:
    """A path as a code host wants it: relative to the repository that the file is in, else to this folder."""
    absolute = pathlib.Path(os.path.abspath(source))  # noqa: PTH100 - links stay as they are
    here = pathlib.Path.cwd()
    roots = [folder for folder in absolute.parents if (folder / ".git").exists()]
    for root in (*roots[:1], here):
        if absolute.is_relative_to(root):
            return absolute.relative_to(root).as_posix()
    # A file that is shipped with the tool is in no repository of the reader's: its name says which it is.
    return f"rules/{absolute.name}" if absolute.parent.name == "rules" else absolute.as_posix()
