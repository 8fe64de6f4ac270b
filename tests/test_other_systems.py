"""What other systems lack or do otherwise, as far as it can be played here."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import pytest

from buildsearch import untrusted_files, whole_files, whole_folders
from buildsearch.ruleset.locate import looks_like_path
from buildsearch.search import compiling_ahead

PACKAGE = Path(whole_files.__file__).parent
# Modules and names that Windows or macOS does not have. Whoever needs one asks with hasattr, or suppresses.
POSIX_ONLY = {"fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "posix"}


def test_nothing_of_one_system_alone_is_imported():
    found = []
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            found += [(file.name, name) for name in names if name.split(".")[0] in POSIX_ONLY]
    assert found == []


def test_processes_are_spawned():
    """fork does not exist on Windows, and breaks on macOS: whoever starts a process says how."""
    text = "".join(file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py"))
    assert "os.fork" not in text
    assert "multiprocessing.Process(" not in text
    assert "ProcessPoolExecutor" not in text
    assert 'get_context("spawn")' in text


def test_children_begin_where_signals_have_no_masks(monkeypatch):
    monkeypatch.delattr(signal, "pthread_sigmask")
    monkeypatch.setattr(compiling_ahead.resource_tracker, "ensure_running", None)  # as good as not there
    with compiling_ahead._deaf_children():
        pass


def test_ctrl_c_is_listened_for_where_pipes_cannot_be_told_not_to_block():
    script = (
        "import os, signal; del os.set_blocking; signal.set_wakeup_fd = lambda *_, **__: -1\n"
        "from buildsearch.cli.interrupts import listening\n"
        "with listening(): print('heard')"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("heard\n", "")


def test_a_second_name_where_links_are_never_followed(tmp_path, monkeypatch):
    link, asked = os.link, []

    def link_of_windows(old, new, **more):
        asked.append(more)
        link(old, new)

    monkeypatch.setattr(os, "link", link_of_windows)
    (tmp_path / "old").write_text("x")
    whole_files.DISK.link(tmp_path / "old", tmp_path / "new")
    assert (tmp_path / "new").read_text() == "x"
    assert asked == [{}]


def test_folders_change_where_none_takes_the_place_of_another(tmp_path, monkeypatch):
    """No exchange, and a rename onto a folder fails."""

    def rename(old, new):
        if new.is_dir():
            raise PermissionError(13, "Access is denied")
        old.rename(new)

    monkeypatch.setattr(whole_files.DISK, "exchange", lambda _one, _other: False, raising=False)
    monkeypatch.setattr(whole_files.DISK, "rename", rename, raising=False)
    monkeypatch.setattr(whole_folders, "NO_FOLDER_REPLACES_ANOTHER", True)
    target = tmp_path / "run"
    for text in ("first", "second"):
        with whole_folders.whole_folder(target) as staged:
            (staged.path / "a.txt").write_text(text)
    assert (target / "a.txt").read_text() == "second"
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_files_are_read_as_they_are_where_text_is_another_mode(tmp_path, monkeypatch):
    opened = []

    def open_(path, flags):
        opened.append(flags)
        return real(path, flags & ~(1 << 30))

    real = os.open
    monkeypatch.setattr(os, "O_BINARY", 1 << 30, raising=False)
    monkeypatch.setattr(os, "open", open_)
    (tmp_path / "x").write_bytes(b"a\r\n")
    assert untrusted_files.read_bytes(tmp_path / "x") == b"a\r\n"
    assert opened[0] & (1 << 30)


@pytest.mark.parametrize("word", [r"rules\\mine.yaml", r"C:\\games\\mine", "rules/mine.yaml"])
def test_paths_of_windows_are_paths(word, monkeypatch):
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "altsep", "/")
    assert looks_like_path(word)
    assert PureWindowsPath(word).name.startswith("mine")
