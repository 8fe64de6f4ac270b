"""What the command line calls the arguments of the library."""

from __future__ import annotations

# Where a flag is not just the argument with dashes.
_OTHERWISE = {
    "overrides": "--set",
    "rulings": "--ruling",
    "parameters": "-p",
    "groups": "--type",
    "with_features": "--with",
    "without_features": "--without",
    "only": "--scenario",
    "objectives": "--objective",
    "gigabytes": "--max-memory",
    "goals": "--goal",
    "levers": "--lever",
    "only_options": "--only",
}


def flag(argument: str) -> str:
    """`ranking_fights` is said --ranking-fights."""
    return _OTHERWISE.get(argument) or "--" + argument.replace("_", "-")
