"""Files and folders that change as a whole, or not at all."""

from __future__ import annotations

import ctypes
import errno
import io
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from buildsearch.model.errors import UsageError, reason_of

_ENDING = ".part"
OLD = ".old."  # in the name of what may be the only copy of something: never swept away
# What a killed process left is nobody's after this: no write takes so long.
_ABANDONED = 24 * 60 * 60
_PAUSES = (0.05, 0.1, 0.2, 0.4)  # seconds between two tries
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux
_HERE = -100  # AT_FDCWD


class Disk:
    """Every step of every write, a method each: tests have one that fails or dies at any of them."""

    def create(self, folder: Path, prefix: str) -> Path:
        """A new empty file that nobody else has."""
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=_ENDING, dir=folder)
        os.close(handle)
        return Path(name)

    def create_folder(self, folder: Path, prefix: str) -> Path:
        """The same for a folder."""
        return Path(tempfile.mkdtemp(prefix=prefix, suffix=_ENDING, dir=folder))

    def write(self, handle: int, data: object) -> int:
        """Some bytes."""
        return os.write(handle, data)  # type: ignore[arg-type]  # whatever has a buffer

    def sync(self, handle: int) -> None:
        """Wait until the disk has them."""
        os.fsync(handle)

    def rename(self, old: Path, new: Path) -> None:
        """In one step, over what is there. Windows refuses while a scanner looks at it: that is soon over."""
        for pause in _PAUSES if os.name == "nt" else ():
            with suppress(PermissionError):
                old.replace(new)
                return
            time.sleep(pause)
        old.replace(new)

    def link(self, old: Path, new: Path) -> None:
        """A second name for a file; a copy where the file system knows no such thing."""
        try:
            # Windows never follows, and does not know the question.
            asked = {"follow_symlinks": False} if os.link in os.supports_follow_symlinks else {}
            os.link(old, new, **asked)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
                raise
            shutil.copy2(old, new, follow_symlinks=False)

    def exchange(self, one: Path, other: Path) -> bool:
        """Swap two names in one step; False where the system cannot."""
        rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if os.name == "posix" else None
        return rename is not None and not rename(
            _HERE, os.fsencode(one), _HERE, os.fsencode(other), ctypes.c_uint(_EXCHANGE)
        )


DISK = Disk()


class _Raw(io.FileIO):
    def write(self, data: object, /) -> int:
        return DISK.write(self.fileno(), data)


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Gives a file beside the target to write to; it takes the target's place when the block ends well."""
    part = _part_beside(target)
    try:
        with io.BufferedWriter(_Raw(part, "wb")) as file:
            yield cast(BinaryIO, file)
            if not file.closed:
                file.flush()
        with part.open("rb+") as written:
            DISK.sync(written.fileno())
        # mkstemp's files are private; a result should be as readable as any other new file.
        part.chmod(0o666 & ~_umask())
        DISK.rename(part, target)
    except OSError as error:
        kept = " The file that was there is as it was." if target.is_file() else ""
        raise UsageError(f"cannot write {target}: {reason_of(error)}. Nothing was written.{kept}") from error
    finally:
        part.unlink(missing_ok=True)


def _part_beside(target: Path) -> Path:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target)
        return DISK.create(target.parent, f".{target.name}.")
    except OSError as error:
        raise UsageError(f"cannot write {target}: {reason_of(error)}. Choose another place.") from error


def sweep(target: Path) -> None:
    """Remove what processes that were killed left beside a target."""
    before = time.time() - _ABANDONED
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            ours = entry.name.startswith(f".{target.name}.") and entry.name.endswith(_ENDING)
            if ours and OLD not in entry.name and entry.stat(follow_symlinks=False).st_mtime < before:
                remove(Path(entry.path))


def remove(path: Path) -> None:
    """A file or a folder, as far as it can be."""
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


def open_up(folder: Path) -> None:
    """Give a folder of `create_folder`, which is private, the rights of any other new one."""
    folder.chmod(0o777 & ~_umask())


def write_whole(target: Path, text: str) -> None:
    """Write text to a file at once."""
    with whole_file(target) as file:
        file.write(text.encode("utf-8"))


def check_writable(target: Path) -> None:
    """Find out before the work, not after it, whether a file can be written; raises UsageError."""
    if target.is_dir():
        raise UsageError(f"cannot write {target}: it is a folder. Name a file.")
    _part_beside(target).unlink()


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
        return DISK.create_folder(real, f".{_INSIDE}."), False
    staged = DISK.create_folder(real.parent, f".{real.name}.")
    open_up(staged)
    return staged, True


def _stays(real: Path) -> bool:
    here = Path.cwd()
    if real == here or real in here.parents or os.path.ismount(real):
        return True
    guests = (name for _, folders, files in os.walk(real) for name in (*folders, *files))
    return any(number > _MOST_GUESTS for number, _ in enumerate(guests))


def _swap(staged: Staged, real: Path) -> None:
    disk = DISK
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
            DISK.link(entry, there)


def _move_in(staged: Staged, real: Path) -> None:
    disk = DISK
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
