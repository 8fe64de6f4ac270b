"""What other systems lack or do otherwise, as far as it can be played here."""

from __future__ import annotations

import ast
import io
import os
import signal
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import pytest

from buildsearch.balancing.edits import patch
from buildsearch.cli import interrupts
from buildsearch.cli.terminal import shown_plainly
from buildsearch.files import atomic, safe_reading
from buildsearch.files.user_cache import default_cache_path
from buildsearch.model.errors import UsageError, reason_of
from buildsearch.model.levers import Add, Put
from buildsearch.ruleset import git
from buildsearch.ruleset.locate import looks_like_path
from buildsearch.ruleset.text_edits import rewrite
from buildsearch.search import warm_up

PACKAGE = Path(atomic.__file__).parents[1]
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


@pytest.mark.posix
def test_children_begin_where_signals_have_no_masks(monkeypatch):
    monkeypatch.delattr(signal, "pthread_sigmask")
    monkeypatch.setattr(warm_up.resource_tracker, "ensure_running", None)  # as good as not there
    with warm_up.deaf_children():
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
    atomic.DISK.link(tmp_path / "old", tmp_path / "new")
    assert (tmp_path / "new").read_text() == "x"
    assert asked == [{}]


def test_folders_change_where_none_takes_the_place_of_another(tmp_path, monkeypatch):
    """No exchange, and a rename onto a folder fails."""

    def rename(old, new):
        if new.is_dir():
            raise PermissionError(13, "Access is denied")
        old.rename(new)

    monkeypatch.setattr(atomic.DISK, "exchange", lambda _one, _other: False, raising=False)
    monkeypatch.setattr(atomic.DISK, "rename", rename, raising=False)
    monkeypatch.setattr(atomic, "NO_FOLDER_REPLACES_ANOTHER", True)
    target = tmp_path / "run"
    for text in ("first", "second"):
        with atomic.whole_folder(target) as staged:
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
    assert safe_reading.read_bytes(tmp_path / "x") == b"a\r\n"
    assert opened[0] & (1 << 30)


@pytest.mark.parametrize("word", [r"rules\\mine.yaml", r"C:\\games\\mine", "rules/mine.yaml"])
def test_paths_of_windows_are_paths(word, monkeypatch):
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "altsep", "/")
    assert looks_like_path(word)
    assert PureWindowsPath(word).name.startswith("mine")


@pytest.fixture
def windows(monkeypatch):
    """`os.name` for whoever asks it later; paths stay those of this system."""
    monkeypatch.setattr(os, "name", "nt")


def test_a_rename_waits_for_who_looks_at_the_file(windows, monkeypatch):
    refusals, asked = [3], []

    class Old:
        def replace(self, new):
            asked.append(new)
            if len(asked) <= refusals[0]:
                raise PermissionError(13, "Access is denied")

    monkeypatch.setattr(atomic.time, "sleep", lambda _seconds: None)
    atomic.Disk().rename(Old(), "new")
    assert len(asked) == 4
    refusals[0] = 1000
    with pytest.raises(PermissionError):
        atomic.Disk().rename(Old(), "new")


def test_a_file_that_is_open_elsewhere_is_told_so():
    error = PermissionError(13, "Access is denied")
    assert reason_of(error) == "Access is denied"
    error.winerror = 32
    assert reason_of(error) == "Access is denied; if another program has it open, close it there"


def test_scores_are_kept_where_windows_keeps_such_things(windows, monkeypatch):
    for name in ("BUILDSEARCH_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LOCALAPPDATA", "/somewhere/Local")
    monkeypatch.setattr(os, "name", "posix")
    assert default_cache_path() == Path.home() / ".cache" / "buildsearch"
    kind = type(Path())
    with monkeypatch.context() as windows_now:  # pytest itself cannot report a failure under this name
        windows_now.setattr("buildsearch.files.user_cache.Path", kind)  # Path() would make one of Windows
        windows_now.setattr(os, "name", "nt")
        path = default_cache_path()
    assert path == kind("/somewhere/Local/buildsearch")


def test_without_a_home_it_is_said_where_scores_could_go(monkeypatch, run):
    for name in ("BUILDSEARCH_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def nobody():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    with pytest.raises(UsageError, match="Set BUILDSEARCH_CACHE to a folder"):
        default_cache_path()
    ended = run("doctor")
    assert ended.code == 1
    assert "there is no home folder for the cache. Set BUILDSEARCH_CACHE to a" in ended.out
    # A large run then compiles by itself, and is not refused for it.
    assert warm_up._mark_of(int) is None


def test_paths_of_revisions_have_one_separator(monkeypatch):
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(git, "git_output", lambda *_words: b"")
    assert git.read_revision_name("git:HEAD:rules\\mine.yaml")[1].as_posix() == "rules/mine.yaml"
    with pytest.raises(UsageError, match="leads out of the repository"):
        git.read_revision_name("git:HEAD:..\\mine.yaml")
    with pytest.raises(UsageError, match="is not a path in a repository"):
        git.read_revision_name("git:HEAD:C:\\mine.yaml")


def test_files_of_windows_keep_the_ends_of_their_lines():
    text = "costs:\r\n  a: 1  # dear\r\n  b: 2\r\nbans:\r\n  - {a: 1}\r\n"
    writes = (Put(("costs", "a"), 3), Put(("more",), 4), Add(("bans",), {"b": 2}))
    edited = rewrite(text, writes)
    assert edited == rewrite(text.replace("\r\n", "\n"), writes).replace("\n", "\r\n")
    assert "  a: 3  # dear\r\n" in edited
    # Ends that are mixed stay as they are, each.
    assert rewrite("a: 1\r\nb: 2\n", (Put(("a",), 3),)) == "a: 3\r\nb: 2\n"
    shown = patch(text, edited, "rules/x.yaml")
    assert "-  a: 1  # dear\r\n+  a: 3  # dear\r\n" in shown


def test_patches_know_one_end_of_lines(tmp_path):
    before, after = "a: 'x\u2028y'\nb: 1\nc: 2", "a: 'x\u2028y'\nb: 2\nc: 2"
    (tmp_path / "x.yaml").write_text(before, encoding="utf-8")
    given = patch(before, after, "x.yaml").encode()
    subprocess.run(["git", "apply"], input=given, cwd=tmp_path, check=True)
    assert (tmp_path / "x.yaml").read_text(encoding="utf-8") == after


def test_an_old_encoding_shows_what_it_lacks_as_escapes(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252", newline="\n"))
    with shown_plainly():
        print("naïve 東京")
        sys.stdout.flush()
    assert written.getvalue() == b"na\xefve \\u6771\\u4eac\n"


@pytest.mark.posix
def test_no_other_program_is_made_to_wait(monkeypatch):
    """Only on Linux is a thread's number one that priorities are set by."""
    asked = []
    monkeypatch.setattr(os, "setpriority", lambda *words: asked.append(words))
    monkeypatch.setattr(sys, "platform", "darwin")
    interrupts._let_others_wait()
    assert asked == []
