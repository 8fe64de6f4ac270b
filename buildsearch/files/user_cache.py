"""The folder of a user in which scores are cached."""

from __future__ import annotations

import os
from pathlib import Path

from buildsearch.model.errors import UsageError


def default_cache_path() -> Path:
    """`BUILDSEARCH_CACHE`, or the usual place for caches."""
    named = os.environ.get("BUILDSEARCH_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    try:
        return (Path(base) if base else Path.home() / ".cache") / "buildsearch"
    except RuntimeError:  # a user whom the system does not know, as in a container
        raise UsageError(
            "there is no home folder for the cache. Set BUILDSEARCH_CACHE to a folder."
        ) from None
