"""Scores that outlive a run, found by content: what a build does, in which fight, by which engine.

A context (all that decides a score but the build's own parts) is a folder; its shards are files that are
written whole, so a run that is killed loses at most what it was working on. Shards are arrays: the keys of
builds (two words each) and a row of numbers for each key.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.errors import UsageError
from buildsearch.whole_files import whole_file

# Bump when shards are laid out differently: old ones are then never looked at.
LAYOUT = "1"
_ENDING = ".npz"
# So many shards of one context become one, so that a race does not leave thousands of small files.
_MOST_SHARDS = 32

Keys = NDArray[np.uint64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """How much is kept."""

    path: Path
    contexts: int
    files: int
    size: int


class ScoreCache:
    """A folder of scores. Without a path it remembers only for as long as it lives."""

    def __init__(self, path: Path | None) -> None:
        self.path = None if path is None else path / f"scores-{LAYOUT}"
        self._known: dict[bytes, tuple[Keys, Numbers]] = {}
        self._lock = threading.Lock()

    def find(self, context: bytes, keys: Keys, width: int) -> tuple[NDArray[np.bool_], Numbers]:
        """Which keys are known, and a row of `width` numbers for each (NaN where unknown)."""
        with self._lock:
            known, numbers = self._context(context, width)
        found = np.zeros(len(keys), bool)
        values = np.full((len(keys), width), np.nan)
        if len(known):
            at = np.minimum(np.searchsorted(known[:, 0], keys[:, 0]), len(known) - 1)
            found = (known[at] == keys).all(axis=1)
            values[found] = numbers[at[found]]
        return found, values

    def add(self, context: bytes, keys: Keys, numbers: Numbers) -> None:
        """Keep numbers for keys: in memory at once, on disk in a file of their own."""
        if len(keys) == 0:
            return
        if self.path is not None:
            self._write(self._folder(context), keys, numbers)
        with self._lock:
            known, old = self._context(context, numbers.shape[1])
            self._known[context] = _sorted(np.concatenate([known, keys]), np.concatenate([old, numbers]))

    def _context(self, context: bytes, width: int) -> tuple[Keys, Numbers]:
        if context not in self._known:
            self._known[context] = self._read(context, width)
        return self._known[context]

    def _folder(self, context: bytes) -> Path:
        name = context.hex()
        assert self.path is not None  # noqa: S101 - only called where there is one
        return self.path / name[:2] / name

    def _read(self, context: bytes, width: int) -> tuple[Keys, Numbers]:
        parts = [(np.zeros((0, 2), np.uint64), np.zeros((0, width)))]
        shards = sorted(self._folder(context).glob(f"*{_ENDING}")) if self.path is not None else []
        for shard in shards:
            part = _load(shard, width)
            if part is not None:
                parts.append(part)
        merged = _sorted(
            np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
        )
        if len(shards) > _MOST_SHARDS:
            self._write(self._folder(context), *merged)
            for shard in shards:
                shard.unlink(missing_ok=True)
        return merged

    @staticmethod
    def _write(folder: Path, keys: Keys, numbers: Numbers) -> None:
        # Named by content: whoever computes the same again writes the same file.
        name = hashlib.blake2b(keys.tobytes() + numbers.tobytes(), digest_size=12).hexdigest()
        with whole_file(folder / f"{name}{_ENDING}") as part, part.open("wb") as file:
            np.savez(file, keys=keys, numbers=numbers)


def _sorted(keys: Keys, numbers: Numbers) -> tuple[Keys, Numbers]:
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    keys, numbers = keys[order], numbers[order]
    fresh = np.ones(len(keys), bool)
    # Two builds may share the first word only by an accident of 2^-64: the second is then computed anew.
    fresh[1:] = keys[1:, 0] != keys[:-1, 0]
    return np.ascontiguousarray(keys[fresh]), np.ascontiguousarray(numbers[fresh])


def _load(shard: Path, width: int) -> tuple[Keys, Numbers] | None:
    """A shard, or nothing if it is not one: a cache is never worth an error."""
    try:
        with shard.open("rb") as file, np.load(file, allow_pickle=False) as data:
            keys, numbers = data["keys"], data["numbers"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    fits = keys.ndim == 2 and keys.shape[1] == 2 and numbers.shape == (len(keys), width)
    typed = keys.dtype == np.uint64 and numbers.dtype == np.float64
    return (keys, numbers) if fits and typed else None


def default_cache_path() -> Path:
    """`BUILDSEARCH_CACHE`, or the usual place for caches."""
    named = os.environ.get("BUILDSEARCH_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "buildsearch"


def cache_info(path: Path) -> CacheInfo:
    """What a cache holds, all layouts together."""
    shards = [file for root in path.glob("scores-*") for file in root.rglob(f"*{_ENDING}")]
    return CacheInfo(
        path=path,
        contexts=len({shard.parent for shard in shards}),
        files=len(shards),
        size=sum(shard.stat().st_size for shard in shards),
    )


def clear_cache(path: Path) -> CacheInfo:
    """Delete the scores of a cache and nothing else; says what there was."""
    before = cache_info(path)
    for root in path.glob("scores-*"):
        try:
            shutil.rmtree(root)
        except OSError as error:
            raise UsageError(f"cannot clear {root}: {error.strerror or error}.") from error
    return before
