"""Compiled code stays on the machine that needs it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from buildsearch.cluster import workers

MOUNTS = """\
22 1 0:21 / / rw shared:1 - overlay overlay rw
30 22 0:30 / /home rw shared:2 - nfs4 server:/home rw
31 30 0:31 / /home/local rw - ext4 /dev/sda1 rw
"""


def test_the_nearest_mount_counts():
    assert workers.file_system(MOUNTS, Path("/usr/lib/x")) == "overlay"
    assert workers.file_system(MOUNTS, Path("/home/me/x")) == "nfs4"
    assert workers.file_system(MOUNTS, Path("/home/local/x")) == "ext4"
    assert workers.file_system("", Path("/x")) == ""


@pytest.mark.parametrize(("kind", "is_own"), [("nfs4", True), ("ext4", False)])
def test_a_shared_disk_gets_no_compiled_code(monkeypatch, tmp_path, kind, is_own):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setattr(workers.tempfile, "gettempdir", lambda: str(tmp_path))
    mounts = tmp_path / "mounts"
    mounts.write_text(f"22 1 0:21 / / rw shared:1 - {kind} x rw\n")
    monkeypatch.setattr(workers, "_MOUNTS", mounts)
    workers.keep_code_here()
    found = workers.os.environ.get("NUMBA_CACHE_DIR")
    assert (found is not None) == is_own
    if found is not None:
        assert Path(found).stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_may_write_to_is_not_used(monkeypatch, tmp_path):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setattr(workers.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(workers, "_is_shared", lambda _path: True)
    (tmp_path / f"buildsearch-numba-{workers.os.getuid()}").mkdir()
    (tmp_path / f"buildsearch-numba-{workers.os.getuid()}").chmod(0o777)
    workers.keep_code_here()
    assert "NUMBA_CACHE_DIR" not in workers.os.environ
