"""Processes take turns: what one is compiling another one waits for, and loads.

A first run compiles in two processes, tests run in several, and so may a user's commands. numba knows nothing
of the others: each would compile whatever it comes to, and two that keep a kernel of one name at the same
moment can lose one of them. So whoever finds no kernel in the files locks its name, looks once more and
then compiles. The system takes the lock back when a process ends, however it ends. Kernels call others but
never in a circle, so nobody waits for somebody who waits for them.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import os
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from numba.core import dispatcher, event
from numba.core.caching import FunctionCache

# Whoever waits longer than this compiles as well: the other one may have been stopped in the middle.
_LONGEST = 600.0
_A_MOMENT = 0.02


class _Locks:
    """Locks of this process by path: its file, and how often it was taken. numba compiles under one lock."""

    def __init__(self) -> None:
        self._held: dict[Path, list[int]] = {}

    def take(self, path: Path) -> bool:
        """Whether it is taken, as soon as nobody else holds it; False where there are no locks."""
        if path in self._held:
            self._held[path][1] += 1
            return True
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return False
        if _waited(file):
            self._held[path] = [file, 1]
            return True
        os.close(file)
        return False

    def give_back(self, path: Path) -> None:
        """Once for each time that it was taken."""
        held = self._held.get(path)
        if held is None:
            return
        held[1] -= 1
        if held[1] == 0:
            del self._held[path]
            os.close(held[0])


def _waited(file: int) -> bool:
    try:
        fcntl: Any = import_module("fcntl")
    except ImportError:
        return False  # a system without such locks: everybody compiles for themselves
    begun = time.monotonic()
    while time.monotonic() - begun < _LONGEST:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_A_MOMENT)
        except OSError:
            return False  # a file system without locks
        else:
            return True
    return False


_locks = _Locks()


class SharedCache(FunctionCache):
    """numba's files of a function's kernels, for one process at a time."""

    @property
    def _lock(self) -> Path:
        return Path(self._cache_path) / f"{self._impl.filename_base}.lock"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept, or None: then this process holds the lock until `save_overload`, or a failure."""
        found = super().load_overload(sig, target_context)
        if found is not None or not (self._enabled and getattr(self._impl.locator, "is_locked", False)):
            return found
        self._impl.locator.ensure_cache_path()
        if _locks.take(self._lock):
            found = super().load_overload(sig, target_context)
            if found is not None:
                self.give_back()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep it; the others may look."""
        try:
            super().save_overload(sig, data)
        finally:
            self.give_back()

    def give_back(self) -> None:
        """Let the others compile it."""
        _locks.give_back(self._lock)


class _Failures(event.Listener):
    """What cannot be compiled is never saved."""

    def on_start(self, _event: event.Event) -> None:
        """Nothing to do."""

    def on_end(self, event: event.Event) -> None:
        """The name of the kernel is free again."""
        compiled: Any = (event.data or {}).get("dispatcher")
        cache = getattr(compiled, "_cache", None)
        if isinstance(cache, SharedCache) and event.data["args"] not in compiled.overloads:
            cache.give_back()


def use_locks() -> None:
    """From now on, for functions that are not decorated yet; where numba is not built so, as ever."""
    if getattr(dispatcher, "FunctionCache", None) is FunctionCache:
        dispatcher.FunctionCache = SharedCache  # type: ignore[attr-defined]
        event.register("numba:compile", _Failures())
