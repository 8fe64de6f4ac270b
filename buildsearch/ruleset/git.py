"""Files as they were at a revision, and the revisions of a file. Nothing of a repository is run."""

from __future__ import annotations

import os
import pathlib
import posixpath
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from buildsearch.files.safe_reading import read_bytes
from buildsearch.model.errors import InputError, Problem, UsageError
from buildsearch.ruleset.extends import FilesOnDisk, read_extended
from buildsearch.ruleset.locate import find_shipped, looks_like_path
from buildsearch.ruleset.yaml_reader import MAX_BYTES, YamlDocument, decode_document, read_document

PREFIX = "git:"
_HINT = "Write git:REVISION:PATH, such as git:HEAD~1:rules/mine.yaml."
# Names of revisions as git allows them; none may begin like an option.
_REVISION = re.compile(r"[A-Za-z0-9_@][A-Za-z0-9_@./~^{}+-]{0,199}")
_SECONDS = 60
NO_REPOSITORY = "there is no git repository here. Run this inside one; a bare one has to be named by GIT_DIR."
# A folder that was cloned or unpacked may hold a repository whose config names programs to run. So a bare one
# that merely lies there is not opened, signatures are not checked, and nothing is fetched: no protocol is
# called `none`. No command that looks at the files beside a repository may be run, such as `git diff` or
# `git status`: filters, hooks and fsmonitor are programs too.
_SETTINGS = ("-c", "safe.bareRepository=explicit", "-c", "log.showSignature=false")
_VARIABLES = {"GIT_ALLOW_PROTOCOL": "none"}


@dataclass(frozen=True, slots=True)
class Revision:
    """The files of a commit, as a library: what a file extends is of the same commit.

    Only a name that the commit has no file for is looked up among the shipped files.
    """

    name: str
    commit: str

    def read(self, path: pathlib.Path) -> YamlDocument:
        """One file, by its path from the top of the repository."""
        if path.is_absolute():  # a shipped one
            return read_document(path)
        source = f"{PREFIX}{self.name}:{path.as_posix()}"
        size = git_output("cat-file", "-s", self._spec(path))
        if size is None:
            raise InputError([self._missing(path, source)])
        if int(size) > MAX_BYTES:
            message = f"the file is too large: {int(size):,} bytes, and {MAX_BYTES:,} is the limit"
            raise InputError([Problem(message, source)])
        data = git_output("cat-file", "blob", self._spec(path))
        if data is None:
            raise InputError([Problem("this is a folder, not a file", source)])
        return decode_document(data, source)

    def find(self, shelf: str, word: str, child: pathlib.Path) -> pathlib.Path:
        """A path from the child's folder, or a name: beside the child, on the repository's shelf, shipped."""
        if looks_like_path(word):
            return _within(child.parent, word.replace(os.sep, "/"))
        for folder in dict.fromkeys((child.parent, pathlib.Path(shelf))):
            path = folder / f"{word}.yaml"
            if not path.is_absolute() and git_output("cat-file", "-e", self._spec(path)) is not None:
                return path
        return find_shipped(shelf, word)

    def identity(self, path: pathlib.Path) -> pathlib.Path:
        """Paths of a commit have one spelling here."""
        return path

    def _missing(self, path: pathlib.Path, source: str) -> Problem:
        if not git_output("ls-tree", "--full-tree", self.commit, "--", path.as_posix()):
            return Problem(f"{self.name} has no such file", source, hint=_HINT)
        hint = f"Fetch it with `git show {self.name}:{path.as_posix()}`."
        return Problem("this clone is partial, and the file was not fetched", source, hint=hint)

    def _spec(self, path: pathlib.Path) -> str:
        return f"{self.commit}:{path.as_posix()}"


def is_revision(word: str) -> bool:
    """Whether a word is meant as a file of a revision."""
    return word.startswith(PREFIX)


def read_revision_name(word: str) -> tuple[Revision, pathlib.Path]:
    """`git:REV:path`, with the path as one from the top of the repository; raises `UsageError`.

    As with git itself, a path that begins with `./` is one from the current folder.
    """
    name, colon, given = word.removeprefix(PREFIX).partition(":")
    if not colon or not name or not given:
        raise UsageError(f"{word!r} does not name a file of a revision. {_HINT}")
    check_revision_name(name, _HINT)
    given = given.replace(os.sep, "/")  # git knows one separator, on Windows too
    if not given.isprintable() or given.startswith("/") or ":" in given:
        raise UsageError(f"{given!r} is not a path in a repository. {_HINT}")
    prefix = git_output("rev-parse", "--show-prefix")
    if prefix is None:
        raise UsageError(f"{word}: {NO_REPOSITORY}")
    commit = commit_of(name)
    if commit is None:
        raise UsageError(f"{word}: this repository has no revision {name!r}. See `git log` for those it has.")
    here = pathlib.Path(prefix.decode().strip()) if given.startswith(("./", "../")) else pathlib.Path()
    return Revision(name, commit), _within(here, given)


def check_revision_name(name: str, hint: str) -> None:
    """Raises `UsageError` for what git would not take for one revision, or would take for an option."""
    if not _REVISION.fullmatch(name) or ".." in name:
        raise UsageError(f"{name!r} is not the name of one revision. {hint}")


def commit_of(name: str) -> str | None:
    """The commit that a checked name stands for; None where this repository has none."""
    found = git_output("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return None if found is None else found.decode().strip()


def _within(folder: pathlib.Path, word: str) -> pathlib.Path:
    """A path from a folder of the repository, without dots; raises `UsageError` if it leads out of it."""
    path = posixpath.normpath((pathlib.PurePosixPath(folder.as_posix()) / word).as_posix())
    if path.startswith(("../", "/")) or path in ("..", "."):
        raise UsageError(f"{word} leads out of the repository.")
    return pathlib.Path(path)


def git_output(*arguments: str) -> bytes | None:
    """What git prints; None where it says no. Never a shell, so words are only words.

    Every call of git is made here.
    """
    try:
        done = subprocess.run(  # noqa: S603 - a list of words, checked above
            ["git", *_SETTINGS, *arguments],  # noqa: S607 - the user's own git
            env=os.environ | _VARIABLES,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise UsageError("git is not installed, and git:REV:path needs it.") from None
    except subprocess.TimeoutExpired:
        raise UsageError(f"git did not answer within {_SECONDS} seconds.") from None
    return done.stdout if done.returncode == 0 else None


_RANGE_HINT = "Write REVISION.. such as v1.0.. or HEAD~20.., or REVISION..REVISION."
# A subject may hold any character but NUL, which ends each field.
_LOG = ("log", "-z", "--encoding=UTF-8", "--format=%H%x00%cI%x00%s")
_SHORT = 10


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as of a commit, with its date and subject; without a hash it is the file as it lies here."""

    hash: str
    date: str
    subject: str
    path: str

    @property
    def name(self) -> str:
        """What reads it: `git:REV:path`, or a path."""
        return f"{PREFIX}{self.short}:{self.path}" if self.hash else self.path

    @property
    def short(self) -> str:
        """The hash as people write it."""
        return self.hash[:_SHORT] if self.hash else "now"


def file_states(path: Path, revisions: str) -> list[FileState]:
    """A rules file as of the first revision, then after every commit that changed it; raises `UsageError`.

    What it extends counts as part of it. Without a second revision the last state is the file as it lies
    here, where that is not committed.
    """
    first, _, last = revisions.partition("..")
    for name in (first, *([last] if last else [])):
        check_revision_name(name, _RANGE_HINT)
    folder, paths = _paths(path)
    begin, end = (_known(name) for name in (first, last or "HEAD"))
    if git_output("merge-base", "--is-ancestor", begin, end) is None:
        raise UsageError(f"{first} does not lead to {last or 'HEAD'}: a history goes forward. {_RANGE_HINT}")
    changes, oldest = _changes(f"{begin}..{end}", paths)
    states = [_state_at(begin, oldest), *changes]
    if not last and not all(_is_committed(folder, each) for each in paths):
        states.append(FileState("", "", "as it lies here, not committed", str(path)))
    return states


def _known(name: str) -> str:
    commit = commit_of(name)
    if commit is None:
        raise UsageError(f"this repository has no revision {name!r}. See `git log` for those it has.")
    return commit


class _Listing(FilesOnDisk):
    """The disk, with a list of what was read."""

    def __init__(self) -> None:
        self.paths: list[Path] = []

    def read(self, path: Path) -> YamlDocument:
        self.paths.append(path.resolve())
        return super().read(path)


def _paths(path: Path) -> tuple[Path, list[str]]:
    """The repository's folder; a file and what it extends, as paths from there; raises `UsageError`."""
    top = git_output("rev-parse", "--show-toplevel")
    if top is None:
        raise UsageError(NO_REPOSITORY)
    folder = Path(top.decode().strip()).resolve()
    listing = _Listing()
    read_extended(path, listing)
    within = [each.relative_to(folder).as_posix() for each in listing.paths if each.is_relative_to(folder)]
    if not listing.paths[0].is_relative_to(folder):
        raise UsageError(
            f"{path} is not in the git repository of this folder, {folder}. Run this in its own."
        )
    return folder, within


def _changes(revisions: str, paths: Sequence[str]) -> tuple[list[FileState], str]:
    """The commits that changed a file or what it extends, the oldest first, and its name before them.

    A file that stands alone is followed through renames.
    """
    follow = ["--follow"] if len(paths) == 1 else []
    literal = (f":(top,literal){each}" for each in paths)
    printed = git_output(*_LOG, *follow, "--name-status", revisions, "--", *literal)
    if printed is None:
        raise UsageError(f"git cannot tell how {paths[0]} changed. Try `git log --follow -- {paths[0]}`.")
    name, found = paths[0], []
    fields = iter(printed.decode(errors="replace").split("\0"))
    for field in fields:
        word = field.removeprefix("\n")
        if word[:1].isupper():  # a status, such as M or R100, and one file or two
            names = [next(fields) for _ in range(2 if word[0] in "RC" else 1)]
            if word[0] == "R" and names[-1] == name:
                name = names[0]
        elif word:
            found.append(FileState(word, next(fields), next(fields), name))
    return found[::-1], name


def _state_at(commit: str, path: str) -> FileState:
    said = git_output(*_LOG, "-1", commit, "--") or b"\0\0"
    _, date, subject = said.decode(errors="replace").split("\0")[:3]
    return FileState(commit, date, subject, path)


def _is_committed(folder: Path, path: str) -> bool:
    """Whether a file lies here as HEAD has it; ends of lines may differ, as git itself changes them."""
    kept = git_output("cat-file", "blob", f"HEAD:{path}")
    here = read_bytes(folder / path, MAX_BYTES)
    return kept is not None and kept.replace(b"\r\n", b"\n") == here.replace(b"\r\n", b"\n")
