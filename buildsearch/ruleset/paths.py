"""Paths into a document, written the way a person would point at a value."""

from __future__ import annotations

from collections.abc import Sequence

Path = Sequence[str | int]


def format_path(path: Path) -> str:
    """`("exclusions", 2, "group")` as `exclusions[2].group`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text
