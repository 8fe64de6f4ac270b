"""Arrays in files are arrays like others, and nobody sees the files."""

from __future__ import annotations

import ctypes
import errno
import mmap
import sys
from pathlib import Path

import numpy as np
import pytest

from buildsearch.files import large_arrays
from buildsearch.files.large_arrays import columns_gathered, filled, gathered, put_aside, room, stretches
from buildsearch.model.errors import UsageError


@pytest.fixture
def in_files(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(large_arrays.tempfile, "tempdir", None)
    monkeypatch.setattr(large_arrays, "LARGE", 0)
    monkeypatch.setattr(large_arrays, "STRETCH", 8)
    return tmp_path


def test_what_is_put_aside_is_still_there(in_files):
    numbers = filled((30, 2), np.float64, lambda rows: np.arange(rows.start, rows.stop)[:, None] * [1, 10])
    assert not numbers.flags.owndata
    put_aside()
    np.testing.assert_array_equal(numbers[:, 1], 10 * np.arange(30))
    assert list(in_files.iterdir()) == []


def test_small_ones_stay_in_memory():
    assert room((10,), np.int16).flags.owndata


def test_stretches_are_all_rows_once(in_files):
    for rows in (0, 1, 7, 8, 9, 30):
        assert [i for some in stretches(rows) for i in range(some.start, some.stop)] == list(range(rows))


def test_gathering(in_files):
    values, rows = np.arange(60).reshape(20, 3), np.array([5, 5, 0, 19, 7, 1, 2, 3, 4, 6, 8])
    np.testing.assert_array_equal(gathered(values, rows), values[rows])
    np.testing.assert_array_equal(columns_gathered(values.T, rows), values.T[:, rows])


def test_a_full_disk_is_a_sentence(in_files, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(large_arrays.os, "posix_fallocate", full)
    with pytest.raises(UsageError, match=r"No space left on device\. Free space there") as caught:
        room((1000, 1000), np.float64)
    assert str(in_files) in str(caught.value)


@pytest.mark.skipif(sys.platform != "linux", reason="about glibc")
def test_freed_memory_goes_back_to_the_system():
    """100 MB in small pieces, all freed but the last, which keeps glibc from giving the rest back itself."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    pieces = [libc.malloc(2000) for _ in range(50_000)]
    for piece in pieces:
        ctypes.memset(piece, 1, 2000)
    for piece in pieces[:-1]:
        libc.free(piece)
    before = _resident()
    large_arrays.return_freed_memory()
    libc.free(pieces[-1])
    assert _resident() < before - 80_000_000


def _resident():
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE
