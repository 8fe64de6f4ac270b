"""What must be the same everywhere, or scores might differ: our own code, and whoever computes for it."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

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
    told = [
        f"{name} {there.get(name, 'missing')} instead of {own}"
        for name, own in here.items()
        if name != _CODE and there.get(name) != own
    ]
    if not told and there.get(_CODE) != here.get(_CODE):
        told = [f"other code under the same version of buildsearch ({here.get('buildsearch')})"]
    return ", ".join(told) or None
