"""Files that appear whole or not at all, whatever happens on the way."""

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
