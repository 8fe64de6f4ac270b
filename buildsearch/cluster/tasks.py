"""A task as it travels, and what a worker does with it.

Versions must be the same everywhere, or scores might differ: our own code, and the libraries that compute.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from buildsearch.evaluate.randomness import content_digest
from buildsearch.search.executor import Task


class OtherVersionsError(Exception):
    """The worker and the client are not the same; says what differs."""


def name_of(task: Task[Any], of: Mapping[str, str]) -> str:
    """By content, so that whoever needs the same result waits for one task."""
    digest = content_digest(f"{sorted(of.items())}".encode(), task.key)
    return f"buildsearch-{digest.hex()[:32]}"


def wrapped(task: Task[Any], of: Mapping[str, str]) -> bytes:
    """A task as it travels: versions outside, as others may not be able to read what is inside."""
    return packed((dict(of), packed(task)))


def work(data: bytes) -> bytes:
    """What a worker runs. Raises OtherVersionsError before anything is computed by other code."""
    theirs, inside = pickle.loads(data)  # noqa: S301 - Dask runs whatever a client sends; see docs/cluster.md
    differs = difference(theirs, versions())
    if differs is not None:
        raise OtherVersionsError(differs)
    task: Task[Any] = pickle.loads(inside)  # noqa: S301 - the same
    return task.pack(task.run())


def packed(value: Any) -> bytes:
    return pickle.dumps(value, protocol=5)


_PACKAGE = Path(__file__).resolve().parent.parent
_CODE = "code of buildsearch"


@cache
def versions() -> dict[str, str]:
    """By name: the version, and of our own code a digest, as a clone may differ from the release it names."""
    # As they are installed: numba is not imported for it, as it may have to be told where to keep its code.
    return {
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        **{name: version(name) for name in ("buildsearch", "numpy", "numba", "llvmlite")},
        _CODE: _code(),
    }


def _code() -> str:
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str | None:
    """What differs between this machine and a worker, in words; None: nothing."""
    found = [
        f"{name} {there.get(name, 'missing')} instead of {own}"
        for name, own in here.items()
        if name != _CODE and there.get(name) != own
    ]
    if not found and there.get(_CODE) != here.get(_CODE):
        found = [f"other code under the same version of buildsearch ({here.get('buildsearch')})"]
    return ", ".join(found) or None
