"""Options under the names of earlier versions: an error that names the new one, and no alias."""

from __future__ import annotations

# By command, then by old name.
RENAMED: dict[str, dict[str, str]] = {
    "balance": {
        "--explain": "--try",
        "--steps": "--max-change",
        "--proposals": "--max-proposals",
        "--hold-out": "--also-check",
        "--from-git": "--history",
    },
}


def new_name(command: str, option: str) -> str | None:
    """What an option of earlier versions is called now."""
    return RENAMED.get(command, {}).get(option)
