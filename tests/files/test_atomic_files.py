from __future__ import annotations

import errno
import os
import stat

import pytest

from buildsearch.files import atomic
from buildsearch.files.atomic import check_writable, whole_file, write_whole
from buildsearch.model.errors import UsageError


def test_a_file_takes_the_place_of_the_old_one(tmp_path):
    target = tmp_path / "a" / "b.txt"
    write_whole(target, "old")
    write_whole(target, "new ü")
    assert target.read_text(encoding="utf-8") == "new ü"
    assert [path.name for path in target.parent.iterdir()] == ["b.txt"]


def test_a_failed_block_keeps_the_old_file(tmp_path):
    target = tmp_path / "b.txt"
    write_whole(target, "old")

    def fail_midway():
        with whole_file(target) as part:
            part.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_midway()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


@pytest.mark.posix
def test_the_file_has_the_usual_permissions(tmp_path):
    umask = os.umask(0o027)
    try:
        write_whole(tmp_path / "b.txt", "x")
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "b.txt").stat().st_mode) == 0o640


def test_a_place_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match=r"cannot write .*Choose another place"):
        write_whole(tmp_path / "file" / "b.txt", "x")


def test_a_place_is_tried_before_the_work(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match=r"cannot write \S*file/b\.txt: "):
        check_writable(tmp_path / "file" / "b.txt")
    check_writable(tmp_path / "new" / "b.txt")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_folder_in_the_way(tmp_path):
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(UsageError, match="Nothing was written"):
        write_whole(tmp_path / "b.txt", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


@pytest.mark.parametrize("step", ["create", "write", "sync", "rename"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_failure_at_any_step_leaves_the_old_file(tmp_path, monkeypatch, step, code):
    target = tmp_path / "b.txt"
    write_whole(target, "old")

    def fail(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(atomic.DISK, step, fail)
    with pytest.raises(UsageError, match=rf"cannot write .*{os.strerror(code)}") as caught:
        write_whole(target, "new")
    assert "as it was" in str(caught.value) or step == "create"
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


def test_what_a_killed_process_left_is_removed_after_a_day(tmp_path):
    old, fresh, other = (tmp_path / name for name in (".b.txt.x1.part", ".b.txt.x2.part", ".c.txt.x1.part"))
    for path in (old, fresh, other):
        path.write_text("half")
    for path in (old, other):
        os.utime(path, (0, 0))
    write_whole(tmp_path / "b.txt", "x")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".b.txt.x2.part", ".c.txt.x1.part", "b.txt"]


def test_a_full_disk_is_told(tmp_path):
    with pytest.raises(UsageError, match="No space left"), whole_file(tmp_path / "b.txt"):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []
