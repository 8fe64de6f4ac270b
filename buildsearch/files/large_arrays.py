"""Arrays in memory or in a nameless file, worked on in blocks of rows.

A file has no name, so a killed process leaves nothing behind. The system may write its pages out and drop
them when memory is short; whatever works on such an array goes through it some rows at a time.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import DTypeLike, NDArray

from buildsearch.model.arrays import Ints
from buildsearch.model.errors import UsageError

# Bytes from which on an array lies in a file: a column of 16 million numbers.
LARGE = 1 << 27
# Rows that are worked on together: a multiple of eight, so that packed bits can be taken apart there.
STRETCH = 1 << 20
# For large files; /tmp may itself be memory.
_FOLDER = Path("/var/tmp")  # noqa: S108 - the files there have no name

_mapped: WeakSet[mmap.mmap] = WeakSet()


def room(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Room for numbers, to be filled; raises UsageError where the disk has none."""
    size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    if size < max(LARGE, 1):
        return np.empty(shape, dtype)
    folder = _folder()
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            # Reserved at once: a disk that is full later would end the process without a word.
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            else:
                file.truncate(size)
            mapped = mmap.mmap(file.fileno(), size)
    except OSError as error:
        raise UsageError(
            f"these builds need {size / 1e9:.1f} GB more in {folder}: {error.strerror}. Free space there, "
            "or set TMPDIR to a folder on a larger disk."
        ) from error
    _mapped.add(mapped)
    return np.frombuffer(mapped, dtype).reshape(shape)


def _folder() -> str:
    if "TMPDIR" not in os.environ and os.access(_FOLDER, os.W_OK):
        return str(_FOLDER)
    return tempfile.gettempdir()


def put_aside() -> None:
    """What lies in files need not stay in memory: the next question may be about other columns."""
    for mapped in list(_mapped):
        if hasattr(mapped, "madvise"):
            mapped.madvise(mmap.MADV_DONTNEED)


def return_freed_memory() -> None:
    """Give freed memory back to the system. glibc keeps what threads have freed: after 28 edits of a served
    run of budget 3 that was 1.4 of 2.0 GB."""
    with suppress(AttributeError, OSError, TypeError):  # no glibc
        ctypes.CDLL(None).malloc_trim(0)


def stretches(rows: int) -> Iterator[slice]:
    """All rows in order, some at a time."""
    for first in range(0, rows, STRETCH):
        yield slice(first, min(first + STRETCH, rows))


def filled(shape: tuple[int, ...], dtype: DTypeLike, work: Callable[[slice], Any]) -> NDArray[Any]:
    """An array whose rows are worked out some at a time."""
    found = room(shape, dtype)
    for rows in stretches(shape[0]):
        found[rows] = work(rows)
    return found


def gathered(values: NDArray[Any], rows: Ints) -> NDArray[Any]:
    """`values[rows]`."""
    return filled((len(rows), *values.shape[1:]), values.dtype, lambda some: values[rows[some]])


def columns_gathered(values: NDArray[Any], columns: Ints) -> NDArray[Any]:
    """`values[:, columns]`."""
    found = room((len(values), len(columns)), values.dtype)
    for some in stretches(len(columns)):
        found[:, some] = values[:, columns[some]]
    return found
