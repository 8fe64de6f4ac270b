"""Names of before: an error about one of them says what it is called now."""

from __future__ import annotations

# By argument of the library, flag without its dashes, or value.
_RENAMED = {
    "race_fights": "ranking_fights",
    "floor": "initial_fights",
    "headroom": "over_budget",
    "among": "from_run",
    "from": "from_run",
    "lock": "complete",
    "group": "type",
    "minutes": "stop_after",
    "time": "max_minutes",
    "trust": "ignore_checksums",
    "mc": "sampled",
    "explain": "try",
    "steps": "max_change",
    "proposals": "max_proposals",
    "hold_out": "also_check",
    "from_git": "history",
    "no_blame": "no_edit_effects",
    "blame": "edit_effects",
}


def new_name(argument: str) -> str | None:
    """What an argument is called now; None for one that never was."""
    return _RENAMED.get(argument)
