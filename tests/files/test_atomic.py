"""Files and folders change as a whole, or not at all."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from itertools import count

import pytest

from buildsearch.files import atomic
from buildsearch.files.atomic import check_writable, whole_file, whole_folder, write_whole
from buildsearch.model.errors import UsageError
from tests.faults import FaultyDisk, WithoutExchange


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


OLD = {"a.csv": "old a", "b.csv": "old b", "notes.txt": "mine", "deep/more.txt": "mine too"}
NEW = {"a.csv": "new a", "c.csv": "new c", "notes.txt": "mine", "deep/more.txt": "mine too"}


def write_new(target):
    with whole_folder(target) as staged:
        write_whole(staged.path / "a.csv", "new a")
        write_whole(staged.path / "c.csv", "new c")
        staged.gone.add("b.csv")


def trouble(target):
    try:
        write_new(target)
    except UsageError as error:
        return str(error)
    return None


def content(folder):
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


@pytest.fixture
def target(tmp_path):
    for name, text in OLD.items():
        (tmp_path / "run" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "run" / name).write_text(text)
    return tmp_path / "run"


def test_a_new_folder(tmp_path):
    write_new(tmp_path / "deep" / "run")
    assert content(tmp_path / "deep" / "run") == {"a.csv": "new a", "c.csv": "new c"}
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["run"]


def test_what_is_not_of_the_run_stays(target):
    write_new(target)
    assert content(target) == NEW
    assert [path.name for path in target.parent.iterdir()] == ["run"]


def test_the_current_folder_keeps_its_place(target, monkeypatch):
    monkeypatch.chdir(target)
    node = target.stat().st_ino
    write_new(target)
    assert content(target) == NEW
    assert target.stat().st_ino == node
    assert not list(target.glob(".*"))


@pytest.mark.posix
def test_a_link_stays_a_link(target):
    link = target.parent / "link"
    link.symlink_to(target)
    write_new(link)
    assert link.is_symlink()
    assert content(target) == NEW


@pytest.mark.posix
def test_rights_are_those_of_any_new_folder(tmp_path):
    before = os.umask(0o027)
    try:
        write_new(tmp_path / "run")
    finally:
        os.umask(before)
    assert (tmp_path / "run").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("disk", [FaultyDisk, WithoutExchange])
@pytest.mark.parametrize("here", [False, True])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_every_step_that_fails_leaves_the_old_folder_and_says_so(target, monkeypatch, disk, here, code):
    if here:
        monkeypatch.chdir(target)
    seen = set()
    for step in count():
        faulty = disk(step, code)
        monkeypatch.setattr(atomic, "DISK", faulty)
        said = trouble(target)
        if said is None:
            break
        seen.add(faulty.steps[-1])
        assert os.strerror(code) in said
        assert "as it was" in said or faulty.steps == ["create folder"]
        assert content(target) == OLD, faulty.steps
        assert [path.name for path in target.parent.iterdir()] == ["run"]
        assert not list(target.glob(".*"))
    assert {"create", "create folder", "write", "sync", "rename"} <= seen
    assert content(target) == NEW


@pytest.mark.posix
def test_a_kill_at_every_step_leaves_one_of_the_two(target, repository):
    script = (
        "import sys; from pathlib import Path; from buildsearch.files import atomic;"
        "from tests import faults; from tests.files import test_atomic as here;"
        "atomic.DISK = faults.FaultyDisk(int(sys.argv[1]), faults.KILL);"
        "here.write_new(Path(sys.argv[2]))"
    )
    for step in count():
        words = [sys.executable, "-c", script, str(step), str(target)]
        ended = subprocess.run(words, cwd=repository, check=False)
        if ended.returncode == 0:
            break
        assert content(target) in (OLD, NEW), step
    assert step > 10
    assert content(target) == NEW
