"""Compiled code for a run, made by a second process while this one is at its first builds.

The first large run after an install compiles for a minute. numba does that under one lock, so threads cannot
share it, but it keeps what it compiled in files: a process of its own can compile what this one comes to
last, and this one then loads it. They take turns (`engines/jit`): nothing is compiled by both. A
mark in the cache folder says that it was done. Workers of a cluster compile before they get tasks.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import pickle
import platform
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import numpy as np

from buildsearch.files.atomic import write_whole
from buildsearch.files.user_cache import default_cache_path
from buildsearch.model.errors import UsageError
from buildsearch.model.scorer import BulkScorer, PartialScorer, quickly_solved
from buildsearch.model.space import Chunk
from buildsearch.search.cached_scorer import CachedScorer

# Below this most of what the other process would compile is never asked for.
_LARGE = 2_000
# Builds of each group that are tried: enough that all mechanics are met; and among so many they are found.
_TRIED, _LOOKED_AT = 8, 2_048
_PACKAGE = Path(__file__).resolve().parent.parent


class Ahead:
    """The other process. It begins when there is something to compute: a run from the cache needs none."""

    def __init__(
        self,
        scorer: CachedScorer,
        chunks: Sequence[Chunk],
        fights: Sequence[Any],
        size: int,
        *,
        everywhere: bool,
    ) -> None:
        self._given = (scorer.scorer, chunks, fights)
        self._everywhere = everywhere
        self._executor = scorer.executor
        is_large = self._executor.workers > 1 and len(fights) > 0 and size >= _LARGE
        self._wanted = self._executor.is_remote or ((os.cpu_count() or 1) > 1 and is_large)
        here = self._wanted and not self._executor.is_remote
        self._mark = _mark_of(type(scorer.scorer)) if here else None
        self._process: BaseProcess | None = None
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Start it, if this run is large and nobody has compiled before; once."""
        with self._lock:
            wanted, self._wanted = self._wanted, False
            if wanted and self._executor.is_remote:
                scorer, chunks, fights = self._given
                self._executor.warm_up(scorer, _few(chunks, _TRIED), list(fights))
                return
            if not wanted or self._mark is None or self._mark.exists():
                return
            scorer, chunks, fights = self._given
            context = multiprocessing.get_context("spawn")
            given = (scorer, _few(chunks, _LOOKED_AT), list(fights), self._everywhere)
            process = context.Process(target=compile_silently, args=given, daemon=True)
            # A scorer that cannot travel to another process is compiled for in this one, as ever.
            with suppress(OSError, TypeError, AttributeError, pickle.PicklingError), deaf_children():
                process.start()
                self._process = process

    def stop(self) -> None:
        """End it, whatever it is at; it is not begun any more."""
        with self._lock:
            self._wanted = False
        if self._process is not None:
            self._end(self._process)

    def _end(self, process: BaseProcess) -> None:
        """The next run needs no other process, if this one was done."""
        self._process = None
        if process.exitcode is None:
            process.terminate()
            process.join()
        elif process.exitcode == 0 and self._mark is not None:
            # A folder that cannot be written costs the next run a few seconds, and this one nothing.
            with suppress(OSError, UsageError):
                self._mark.parent.mkdir(parents=True, exist_ok=True)
                write_whole(self._mark, "")


@contextmanager
def compiling_ahead(
    scorer: CachedScorer, chunks: Sequence[Chunk], fights: Sequence[Any], size: int, *, everywhere: bool
) -> Iterator[Ahead]:
    """What compiles for a run of so many builds, which samples what is left open, or `everywhere`."""
    ahead = Ahead(scorer, chunks, fights, size, everywhere=everywhere)
    try:
        yield ahead
    finally:
        ahead.stop()


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes begun here never hear Ctrl-C: this one ends them, and none prints a traceback on its way.

    Nor do they import from the current folder, where they would look first: it may be anybody's.
    Windows has no such masks, and no tracker: there they are deaf from their first own line on.
    """
    was_safe = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    has_masks = hasattr(signal, "pthread_sigmask")
    if has_masks:
        resource_tracker.ensure_running()  # or it would begin in there, and let the signal through again
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if has_masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if was_safe is None:
            del os.environ["PYTHONSAFEPATH"]


def _mark_of(kind: type) -> Path | None:
    """The file that says that it was done; None where nothing can be kept, so that this would never end."""
    with suppress(UsageError):
        return default_cache_path() / "compiled" / _digest(kind)
    return None


def _digest(kind: type) -> str:
    """Of everything that numba looks at before it takes code from its files."""
    parts = [kind.__qualname__, platform.machine(), sys.version, version("numba"), version("llvmlite")]
    parts.append(os.environ.get("NUMBA_CACHE_DIR", ""))
    for path in sorted(_PACKAGE.rglob("*.py")):
        about = path.stat()
        parts.append(f"{path} {about.st_mtime_ns} {about.st_size}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _few(chunks: Sequence[Chunk], most: int) -> list[Chunk]:
    """Some builds of each group, from all over the first chunk of it."""
    groups: dict[str, Chunk] = {}
    for chunk in chunks:
        if len(chunk):
            groups.setdefault(chunk.group, chunk)
    return [
        Chunk(name, chunk.codes[:: max(1, len(chunk) // most)][:most].copy())
        for name, chunk in groups.items()
    ]


def compile_silently(
    scorer: BulkScorer, some: Sequence[Chunk], fights: Sequence[Any], everywhere: bool
) -> None:
    """What the other process does: nobody reads what it prints, tracebacks included.

    The stream stays open until the process ends, or Python would tell of that on the real one.
    """
    sys.stdout = sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    compile_kernels(scorer, some, fights, everywhere=everywhere)


def compile_kernels(
    scorer: BulkScorer, some: Sequence[Chunk], fights: Sequence[Any], *, everywhere: bool
) -> None:
    """Solve and sample a few builds, for what numba keeps of it. What goes wrong is the main run's to say.

    The main run begins with the rest of `solve`, then samples and then solves alone: this one goes the other
    way, so that they meet in the middle.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    scorer.compile_apart({chunk.group for chunk in some})
    solve_some_alone(scorer, some, fights)
    for fight in reversed(fights):
        sample_some(scorer, some[::-1], fight, everywhere=everywhere)


def _end_with(parent: BaseProcess) -> None:
    """End this process when the other one is gone, even if that was killed."""
    parent.join()
    os._exit(1)


def sample_some(scorer: BulkScorer, chunks: Sequence[Chunk], fight: Any, *, everywhere: bool) -> None:
    """A fight of some builds of each group, for what numba keeps of it: of those that will be sampled."""
    for chunk in _few(chunks, _LOOKED_AT):
        kinds = [np.ones(len(chunk), bool)]
        if isinstance(scorer, PartialScorer) and not everywhere:
            kinds = list(scorer.left_by_bulk(chunk, fight).values())
        for rows in kinds:
            for few in _few([chunk.some(rows)], _TRIED):
                scorer.sample(few, fight, 0, 1)


def solve_some_alone(scorer: BulkScorer, chunks: Sequence[Chunk], fights: Sequence[Any]) -> None:
    """A build of each of these, for what numba keeps of it."""
    for chunk in chunks:
        few = chunk.some(slice(1))
        scorer.solve_alone(quickly_solved(scorer, few, fights[0]), fights[0])
