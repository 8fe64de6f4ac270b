"""Which code judges: what was found by other code is found anew."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from buildsearch.version import __version__

_PACKAGE = Path(__file__).parents[1]
_FOLDERS = ("analysis", "proposals", "views")


@cache
def code_state() -> str:
    """The version, and when the folders that judge last changed: a checkout keeps its version meanwhile."""
    files = (file for folder in _FOLDERS for file in (_PACKAGE / folder).glob("*.py"))
    return f"{__version__} {max(file.stat().st_mtime_ns for file in files)}"
