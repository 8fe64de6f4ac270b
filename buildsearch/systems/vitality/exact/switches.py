"""Which solvers are in use. The environment variable switches some off, to see what each is worth.

BUILDSEARCH_SOLVERS=-batch-bleed,-ricochet    all but these
BUILDSEARCH_SOLVERS=batch-single,forward      none but these
"""

from __future__ import annotations

import os
from functools import cache

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import suggest

SWITCH = "BUILDSEARCH_SOLVERS"
# Of many builds at once (`batch/solvers.py`), then of one build (`solving.py`).
NAMES = (
    *("batch-single", "batch-bleed", "batch-splinter", "batch-explosive", "batch-flat-area"),
    *("explosive", "ricochet", "area", "forward"),
)


def is_on(name: str) -> bool:
    """Whether a solver is in use; raises UsageError where the variable names one that does not exist."""
    return name not in switched_off()


def switched_off() -> frozenset[str]:
    """The solvers that are not in use."""
    return _read(os.environ.get(SWITCH, ""))


@cache
def _read(text: str) -> frozenset[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    off, only = [word[1:] for word in words if word[0] == "-"], [word for word in words if word[0] != "-"]
    for name in (*off, *only):
        if name not in NAMES:
            raise UsageError(f"{SWITCH}: there is no solver `{name}`. {suggest(name, NAMES)}")
    if off and only:
        raise UsageError(f"{SWITCH}: name solvers to leave out (with a `-`) or to keep, not both: {text}")
    return frozenset(set(NAMES) - set(only) if only else off)
