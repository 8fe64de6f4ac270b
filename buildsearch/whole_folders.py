"""Folders that change as a whole: written aside, then put in the place of the old one in one step."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from buildsearch import whole_files
from buildsearch.model.errors import UsageError, reason_of
from buildsearch.whole_files import OLD, open_up, remove, sweep

# More than this beside a run, and the folder is somebody's desk: it is not taken away, files change in it.
_MOST_GUESTS = 1000
_INSIDE = "run"
# Windows: a folder takes the place of no other, not even of an empty one.
NO_FOLDER_REPLACES_ANOTHER = os.name == "nt"


@dataclass(frozen=True, slots=True)
class Staged:
    """What is being written. `gone` names what the old folder has and the new one shall not take over."""

    path: Path
    gone: set[str] = field(default_factory=set)


@contextmanager
def whole_folder(target: Path) -> Iterator[Staged]:
    """Gives a folder to write files into; together they take the place of the target's.

    Whatever else lies in the target stays in it. Where folders cannot be renamed (a mount point, the current
    folder) files are moved one by one, and put back if one of them cannot be.
    """
    real = target.resolve()
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        sweep(real)
        staged, swaps = _stage(real)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {reason_of(error)}. Choose another place.") from error
    try:
        found = Staged(staged)
        yield found
        if swaps:
            _swap(found, real)
        else:
            _move_in(found, real)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {reason_of(error)}. {_what_is_there(real)}") from error
    except UsageError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        # A file of the new folder: its own sentence would name a place that nobody knows.
        reason = reason_of(error.__cause__)
        raise UsageError(f"cannot write {target}: {reason}. {_what_is_there(real)}") from error
    finally:
        remove(staged)


def _what_is_there(real: Path) -> str:
    with suppress(OSError):
        if any(real.iterdir()):
            return "What was there is as it was."
    return "Nothing was written."


def _stage(real: Path) -> tuple[Path, bool]:
    """A folder to write into, and whether it can be swapped for the real one."""
    if real.is_dir() and (_stays(real) or not os.access(real.parent, os.W_OK)):
        sweep(real / _INSIDE)
        return whole_files.DISK.create_folder(real, f".{_INSIDE}."), False
    staged = whole_files.DISK.create_folder(real.parent, f".{real.name}.")
    open_up(staged)
    return staged, True


def _stays(real: Path) -> bool:
    here = Path.cwd()
    if real == here or real in here.parents or os.path.ismount(real):
        return True
    guests = (name for _, folders, files in os.walk(real) for name in (*folders, *files))
    return any(number > _MOST_GUESTS for number, _ in enumerate(guests))


def _swap(staged: Staged, real: Path) -> None:
    disk = whole_files.DISK
    if not real.exists():
        disk.rename(staged.path, real)
        return
    _take_over(real, staged.path, staged.gone)
    if disk.exchange(staged.path, real):
        return
    old = disk.create_folder(real.parent, f".{real.name}{OLD}")
    try:
        if NO_FOLDER_REPLACES_ANOTHER:
            old.rmdir()
        disk.rename(real, old)
        try:
            disk.rename(staged.path, real)
        except OSError:
            old.replace(real)
            raise
    finally:
        if real.exists():
            remove(old)


def _take_over(old: Path, new: Path, gone: set[str]) -> None:
    """Second names for what the new folder does not have: both are whole until the old one is removed."""
    for entry in old.iterdir():
        there = new / entry.name
        if entry.name in gone or there.exists():
            continue
        if entry.is_dir() and not entry.is_symlink():
            there.mkdir()
            _take_over(entry, there, set())
        else:
            whole_files.DISK.link(entry, there)


def _move_in(staged: Staged, real: Path) -> None:
    disk = whole_files.DISK
    old = disk.create_folder(staged.path, "old.")
    names = sorted(path.name for path in staged.path.iterdir() if path != old)
    undo: list[tuple[Path | None, Path]] = []
    try:
        for name in sorted(staged.gone | set(names)):
            path = real / name
            if path.exists():
                disk.rename(path, old / name)
                undo.append((old / name, path))
            if name in names:
                disk.rename(staged.path / name, path)
                undo.append((None, path))
    except OSError:
        for kept, path in reversed(undo):
            if kept is None:
                remove(path)
            else:
                kept.replace(path)
        raise
