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

    from buildsearch.library.check import Check, check
    from buildsearch.library.diff import Difference, diff
    from buildsearch.library.game import Builds, Game, enumerate_builds, load
    from buildsearch.library.meta import matchups
    from buildsearch.library.proposals import Balance, JointBalance, balance
    from buildsearch.library.run import Analysis, Run, analyze, open_run, optimize
    from buildsearch.library.score import ScoredBuilds, compare, score, trace
    from buildsearch.library.tables import Answer, Scores, Table
    from buildsearch.library.watch import BuildsearchWarning
    from buildsearch.model.errors import BuildsearchError, Cancelled, InputError, UsageError
    from buildsearch.options.output import Progress
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
    "buildsearch.library.check": ("Check", "check"),
    "buildsearch.library.diff": ("Difference", "diff"),
    "buildsearch.library.game": ("Builds", "Game", "enumerate_builds", "load"),
    "buildsearch.library.meta": ("matchups",),
    "buildsearch.library.proposals": ("Balance", "JointBalance", "balance"),
    "buildsearch.library.run": ("Analysis", "Run", "analyze", "open_run", "optimize"),
    "buildsearch.library.score": ("ScoredBuilds", "compare", "score", "trace"),
    "buildsearch.library.tables": ("Answer", "Scores", "Table"),
    "buildsearch.library.watch": ("BuildsearchWarning",),
    "buildsearch.options.output": ("Progress",),
    "buildsearch.model.errors": ("BuildsearchError", "Cancelled", "InputError", "UsageError"),
    "buildsearch.version": ("__version__",),
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
