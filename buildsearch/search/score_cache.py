"""Scores that outlive a run, found by content: what a build does, in which fight, by which engine.

A context (all that decides a score but the build's own parts) is a folder; its shards are files that are
written whole, so a run that is killed loses at most what it was working on. A shard is a head and two arrays:
the keys of builds (two words each) and a row of numbers for each key. Its head holds a digest of everything,
the context included, which is compared whenever it is read: a shard that is damaged, or lies in the wrong
folder, is set aside and its scores are computed again. No score shows by itself that a bit of it has flipped.
What comes from another machine comes as such a shard too.
"""

from __future__ import annotations

import hashlib
import shutil
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.files.atomic import whole_file
from buildsearch.files.safe_reading import RefusedError, read_bytes
from buildsearch.model.arrays import Bools, Floats
from buildsearch.model.errors import UsageError, reason_of

# Bump when shards are laid out differently: old ones are then never looked at.
LAYOUT = "2"
_ENDING, _ASIDE = ".scores", ".damaged"
# So many shards of one context become one, so that a race does not leave thousands of small files.
_MOST_SHARDS = 32
# A mark, the number of keys, the numbers a key, and the digest. Numbers are little-endian everywhere.
_HEAD = struct.Struct("<8sQQ32s")
_MARK = b"scores2\n"
_MOST_BYTES = 1 << 34
# Of a cache that lies in ruins not every file need be named.
_MOST_NAMED = 10
# Bytes in memory of what is on disk too: beyond that, contexts that nobody asked about lately are let go.
MOST_HELD = 1 << 31

Told = Callable[[str], None]


def _nobody(_sentence: str) -> None:
    """Nobody listens."""


Keys = NDArray[np.uint64]
Numbers = Floats


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """How much is kept."""

    path: Path
    files: int
    size: int
    damaged: int


class ScoreCache:
    """A folder of scores. Without a path it remembers only for as long as it lives.

    `tell` hears what is wrong with the folder, a sentence each: nothing about a cache is worth an error.
    """

    def __init__(self, path: Path | None, tell: Told = _nobody, most_held: int = MOST_HELD) -> None:
        self.folder, self._most_held = path, most_held
        self.path = None if path is None else path / f"scores-{LAYOUT}"
        # By context, the one that was asked about last at the end.
        self._known: dict[bytes, _Runs] = {}
        self._lock = threading.Lock()
        self._tell = tell
        self._told = 0
        self._is_kept = path is not None

    def find(self, context: bytes, keys: Keys, width: int) -> tuple[Bools, Numbers]:
        """Which keys are known, and a row of `width` numbers for each (NaN where unknown)."""
        with self._lock:
            runs = tuple(self._context(context, width).runs)
        found = np.zeros(len(keys), bool)
        values = np.full((len(keys), width), np.nan)
        for known, numbers in runs:
            if len(known):
                at = np.minimum(np.searchsorted(known[:, 0], keys[:, 0]), len(known) - 1)
                here = (known[at] == keys).all(axis=1)
                found |= here
                values[here] = numbers[at[here]]
        return found, values

    def count(self, context: bytes, width: int) -> int:
        with self._lock:
            return sum(len(keys) for keys, _ in self._context(context, width).runs)

    def add(self, context: bytes, keys: Keys, numbers: Numbers) -> None:
        """Keep numbers for keys: in memory at once, on disk in a file of their own."""
        if len(keys) == 0:
            return
        if self._is_kept:
            self._write(context, keys, numbers)
        with self._lock:
            self._context(context, numbers.shape[1]).add(keys, numbers)

    def _context(self, context: bytes, width: int) -> _Runs:
        runs = self._known.pop(context, None) or _Runs([self._read(context, width)])
        self._known[context] = runs
        # What is forgotten is read again; without a folder, in a run of very many builds, computed again.
        held = sum(each.size for each in self._known.values())
        while held > self._most_held and len(self._known) > 1:
            oldest = next(iter(self._known))
            held -= self._known.pop(oldest).size
        return runs

    def _folder(self, context: bytes) -> Path:
        name = context.hex()
        assert self.path is not None  # noqa: S101 - only called where there is one
        return self.path / name[:2] / name

    def _read(self, context: bytes, width: int) -> tuple[Keys, Numbers]:
        parts = [(np.zeros((0, 2), np.uint64), np.zeros((0, width)))]
        shards = self._shards(context)
        for shard in shards:
            try:
                parts.append(_load(shard, context, width))
            except FileNotFoundError:
                pass  # another process has just put it together with others
            except (OSError, ValueError) as error:
                self._set_aside(shard, error)
        merged = _sorted(
            np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
        )
        written = self._write(context, *merged) if len(shards) > _MOST_SHARDS and self._is_kept else None
        if written is not None:
            for shard in shards:
                # What was set aside has another name now.
                if shard != written:
                    shard.unlink(missing_ok=True)
        return merged

    def _shards(self, context: bytes) -> list[Path]:
        if self.path is None:
            return []
        try:
            return sorted(self._folder(context).glob(f"*{_ENDING}"))
        except OSError as error:
            self._say(
                f"cached scores cannot be read: {self.path}: {reason_of(error)}. They are computed again."
            )
            return []

    def _set_aside(self, shard: Path, error: Exception) -> None:
        aside = shard.with_suffix(_ASIDE)
        try:
            shard.rename(aside)
            where = f"It is set aside as {aside.name}"
        except OSError:
            where = "It cannot be set aside"
        self._say(
            f"cached scores are damaged: {shard}: {reason_of(error)}. {where}; they are computed again."
        )

    def _say(self, sentence: str) -> None:
        self._told += 1
        if self._told <= _MOST_NAMED:
            self._tell(sentence)
        elif self._told == _MOST_NAMED + 1:
            self._tell(f"more cached scores are damaged, and are computed again: {self.path}.")

    def _write(self, context: bytes, keys: Keys, numbers: Numbers) -> Path | None:
        """Where it is now; None if it could not be: then nothing more is kept, and the run goes on."""
        digest = _digest(context, keys, numbers)
        # Named by content: whoever computes the same again writes the same file.
        target = self._folder(context) / f"{digest[:12].hex()}{_ENDING}"
        try:
            with whole_file(target) as file:
                for part in _shard(keys, numbers, digest):
                    file.write(part)
        except UsageError as error:
            if self._is_kept:
                self._is_kept = False
                self._tell(f"scores are no longer cached: {error} The run goes on without.")
            return None
        return target


class _Runs:
    """What is known of a context: sorted arrays, each at most half as long as the one before.

    So a piece that is added does not sort everything anew.
    """

    def __init__(self, runs: list[tuple[Keys, Numbers]]) -> None:
        self.runs = runs

    @property
    def size(self) -> int:
        return sum(keys.nbytes + numbers.nbytes for keys, numbers in self.runs)

    def add(self, keys: Keys, numbers: Numbers) -> None:
        """One more run, put together with those that are not much longer."""
        run = _sorted(keys, numbers)
        runs = list(self.runs)
        while runs and len(runs[-1][0]) < 2 * len(run[0]):
            known, old = runs.pop()
            run = _sorted(np.concatenate([known, run[0]]), np.concatenate([old, run[1]]))
        self.runs = [*runs, run]


def pack_shard(context: bytes, keys: Keys, numbers: Numbers) -> bytes:
    """Numbers for keys as they are kept in a file, for who is elsewhere."""
    return b"".join(_shard(keys, numbers, _digest(context, keys, numbers)))


def _shard(keys: Keys, numbers: Numbers, digest: bytes) -> tuple[bytes | memoryview, ...]:
    head = _HEAD.pack(_MARK, *numbers.shape, digest)
    return head, _bytes_of(keys, "<u8"), _bytes_of(numbers, "<f8")


def _bytes_of(array: NDArray[Any], order: str) -> memoryview:
    return np.ascontiguousarray(array, order).reshape(-1).view(np.uint8).data


def _digest(context: bytes, keys: Keys, numbers: Numbers) -> bytes:
    found = hashlib.blake2b(struct.pack("<QQQ", len(context), *numbers.shape) + context, digest_size=32)
    found.update(_bytes_of(keys, "<u8"))
    found.update(_bytes_of(numbers, "<f8"))
    return found.digest()


def _sorted(keys: Keys, numbers: Numbers) -> tuple[Keys, Numbers]:
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    keys, numbers = keys[order], numbers[order]
    fresh = np.ones(len(keys), bool)
    # Two builds may share the first word only by an accident of 2^-64: the second is then computed anew.
    fresh[1:] = keys[1:, 0] != keys[:-1, 0]
    return np.ascontiguousarray(keys[fresh]), np.ascontiguousarray(numbers[fresh])


def _load(shard: Path, context: bytes, width: int) -> tuple[Keys, Numbers]:
    """A shard as it was written; raises ValueError or OSError for anything else."""
    return unpack_shard(read_bytes(shard, _MOST_BYTES), context, width)


def unpack_shard(data: bytes, context: bytes, width: int) -> tuple[Keys, Numbers]:
    """The keys and numbers of a shard; raises ValueError for what is damaged or of another context."""
    if len(data) < _HEAD.size:
        raise RefusedError("it is too short")
    mark, count, wide, digest = _HEAD.unpack_from(data)
    if mark != _MARK:
        raise RefusedError("it is not a file of scores")
    if wide != width or len(data) - _HEAD.size != 8 * count * (2 + wide):
        raise RefusedError("it is not as long as it says")
    # An empty array has no place behind the head to begin at.
    keys = np.frombuffer(data, "<u8", 2 * count, _HEAD.size if count else 0).reshape(count, 2)
    numbers = np.frombuffer(data, "<f8", wide * count, _HEAD.size + 16 * count if count else 0)
    numbers = numbers.reshape(count, wide)
    if _digest(context, keys, numbers) != digest:
        raise RefusedError("its checksum does not fit")
    return keys.astype(np.uint64, copy=False), numbers.astype(np.float64, copy=False)


def cache_info(path: Path) -> CacheInfo:
    files = [file for root in path.glob("scores-*") for file in root.rglob("*") if file.is_file()]
    return CacheInfo(
        path=path,
        files=len(files),
        size=sum(file.stat().st_size for file in files),
        damaged=sum(file.suffix == _ASIDE for file in files),
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
