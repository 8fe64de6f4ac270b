"""The states of a file from one revision of its repository to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.document import Document
from buildsearch.ruleset.extension import Disk, read_extended
from buildsearch.ruleset.limits import MAX_BYTES
from buildsearch.ruleset.revisions import NO_REPOSITORY, PREFIX, check_revision_name, commit_of, git_output
from buildsearch.untrusted_files import read_bytes

_HINT = "Write REVISION.. such as v1.0.. or HEAD~20.., or REVISION..REVISION."
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
        check_revision_name(name, _HINT)
    folder, paths = _paths(path)
    begin, end = (_known(name) for name in (first, last or "HEAD"))
    if git_output("merge-base", "--is-ancestor", begin, end) is None:
        raise UsageError(f"{first} does not lead to {last or 'HEAD'}: a history goes forward. {_HINT}")
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


class _Listing(Disk):
    """The disk, with a list of what was read."""

    def __init__(self) -> None:
        self.paths: list[Path] = []

    def read(self, path: Path) -> Document:
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
