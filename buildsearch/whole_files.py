"""Files that appear whole or not at all, whatever happens on the way."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from buildsearch.model.errors import UsageError, reason_of


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """Gives a path beside the target to write to; it takes the target's place when the block ends well."""
    part = _part_beside(target)
    try:
        yield part
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        # mkstemp's files are private; a result should be as readable as any other new file.
        umask = os.umask(0)
        os.umask(umask)
        part.chmod(0o666 & ~umask)
        part.replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {reason_of(error)}. Nothing was written.") from error
    finally:
        part.unlink(missing_ok=True)


def _part_beside(target: Path) -> Path:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {reason_of(error)}. Choose another place.") from error
    os.close(handle)
    return Path(name)


def write_whole(target: Path, text: str) -> None:
    """Write text to a file at once."""
    with whole_file(target) as part:
        part.write_text(text, encoding="utf-8")


def check_writable(target: Path) -> None:
    """Find out before the work, not after it, whether a file can be written; raises UsageError."""
    if target.is_dir():
        raise UsageError(f"cannot write {target}: it is a folder. Name a file.")
    _part_beside(target).unlink()
