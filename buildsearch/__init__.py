"""Find the best, the dominant and the broken builds of a tabletop combat game.

    import buildsearch

    game = buildsearch.load("vitality-v2", budget=3)
    run = buildsearch.optimize(game)
    run.to_pandas().head()

Everything is imported when it is first used: `import buildsearch` itself takes a moment only.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # type checkers take it for true; importing typing would be most of the time this takes
if TYPE_CHECKING:
    from typing import Any

    from buildsearch.api.analyses import Analysis, analyze
    from buildsearch.api.answers import Answer
    from buildsearch.api.balances import Balance, balance
    from buildsearch.api.checks import Check, check
    from buildsearch.api.differences import Difference, diff
    from buildsearch.api.games import (
        Builds,
        Game,
        ScoredBuilds,
        compare,
        enumerate_builds,
        load,
        score,
        trace,
    )
    from buildsearch.api.joint_balances import JointBalance
    from buildsearch.api.matchups import matchups
    from buildsearch.api.runs import Run, open_run, optimize
    from buildsearch.api.scores import Scores
    from buildsearch.api.tables import Table
    from buildsearch.library.watch import BuildsearchWarning, Progress
    from buildsearch.model.errors import BuildsearchError, Cancelled, InputError, UsageError
    from buildsearch.version import __version__

__all__ = [
    "Analysis",
    "Answer",
    "Balance",
    "Builds",
    "BuildsearchError",
    "BuildsearchWarning",
    "Cancelled",
    "Check",
    "Difference",
    "Game",
    "InputError",
    "JointBalance",
    "Progress",
    "Run",
    "ScoredBuilds",
    "Scores",
    "Table",
    "UsageError",
    "__version__",
    "analyze",
    "balance",
    "check",
    "compare",
    "diff",
    "enumerate_builds",
    "load",
    "matchups",
    "open_run",
    "optimize",
    "score",
    "trace",
]

# Where each name lives. A new one goes here, above and into docs/api.md; a test compares the three.
_HOMES = {
    "buildsearch.api.analyses": ("Analysis", "analyze"),
    "buildsearch.api.answers": ("Answer",),
    "buildsearch.api.balances": ("Balance", "balance"),
    "buildsearch.api.joint_balances": ("JointBalance",),
    "buildsearch.api.checks": ("Check", "check"),
    "buildsearch.api.differences": ("Difference", "diff"),
    "buildsearch.api.games": (
        "Builds",
        "Game",
        "ScoredBuilds",
        "compare",
        "enumerate_builds",
        "load",
        "score",
        "trace",
    ),
    "buildsearch.api.matchups": ("matchups",),
    "buildsearch.api.runs": ("Run", "open_run", "optimize"),
    "buildsearch.api.scores": ("Scores",),
    "buildsearch.api.tables": ("Table",),
    "buildsearch.model.errors": ("BuildsearchError", "Cancelled", "InputError", "UsageError"),
    "buildsearch.version": ("__version__",),
    "buildsearch.library.watch": ("BuildsearchWarning", "Progress"),
}

# numba reads this when it is imported, and asks these in turn where kernels are kept: ours before its own.
_LOCATORS = ",".join(
    [
        *(
            f"{__name__}.engines.kernel_cache.{name}"
            for name in ("ProvidedFolder", "BesideSource", "FolderOfUser", "FolderOfProcess")
        ),
        "UserProvidedCacheLocator",
        "InTreeCacheLocator",
        "UserWideCacheLocator",
        "IPythonCacheLocator",
        "ZipCacheLocator",
    ]
)
if "numba" in sys.modules:
    sys.modules["numba"].config.CACHE_LOCATOR_CLASSES = _LOCATORS
else:
    os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", _LOCATORS)
    # Empty is numba's own default. Unset, a .numba_config.yaml in the current folder could name a folder, and
    # numba runs what it finds there.
    os.environ.setdefault("NUMBA_CACHE_DIR", "")


def __getattr__(name: str) -> Any:
    """Import what is asked for (PEP 562)."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
