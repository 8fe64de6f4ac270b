"""The states of a file from one revision of its repository to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.document import Document
from buildsearch.ruleset.extension import Disk, read_extended
from buildsearch.ruleset.revisions import PREFIX, check_revision_name, commit_of, git_output

_HINT = "Write REVISION.. such as v1.0.. or HEAD~20.., or REVISION..REVISION."
_RECORD, _FIELD = "\x1e", "\x1f"
_FORMAT = "%x1e%H%x1f%cI%x1f%s"
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
    paths = _paths(path)
    begin, end = (_known(name) for name in (first, last or "HEAD"))
    if git_output("merge-base", "--is-ancestor", begin, end) is None:
        raise UsageError(f"{first} does not lead to {last or 'HEAD'}: a history goes forward. {_HINT}")
    changes, oldest = _changes(f"{begin}..{end}", paths)
    states = [_state_at(begin, oldest), *changes]
    if not last and git_output("diff", "--quiet", "HEAD", "--", *_from_top(paths)) is None:
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


def _paths(path: Path) -> list[str]:
    """A file and what it extends, as paths from the top of the repository; raises `UsageError`."""
    top = git_output("rev-parse", "--show-toplevel")
    if top is None:
        raise UsageError("there is no git repository here. Run this inside the one that holds the rules.")
    folder = Path(top.decode().strip()).resolve()
    listing = _Listing()
    read_extended(path, listing)
    within = [each.relative_to(folder).as_posix() for each in listing.paths if each.is_relative_to(folder)]
    if not listing.paths[0].is_relative_to(folder):
        raise UsageError(
            f"{path} is not in the git repository of this folder, {folder}. Run this in its own."
        )
    return within


def _from_top(paths: Sequence[str]) -> list[str]:
    """Paths as git takes them in any folder, and as nothing but paths."""
    return [f":(top,literal){each}" for each in paths]


def _changes(revisions: str, paths: Sequence[str]) -> tuple[list[FileState], str]:
    """The commits that changed a file or what it extends, the oldest first, and its name before them.

    A file that stands alone is followed through renames.
    """
    follow = ["--follow"] if len(paths) == 1 else []
    words = ["log", *follow, f"--format={_FORMAT}", "--name-status", revisions, "--", *_from_top(paths)]
    printed = git_output("-c", "core.quotePath=false", *words)
    if printed is None:
        raise UsageError(f"git cannot tell how {paths[0]} changed. Try `git log --follow -- {paths[0]}`.")
    name, found = paths[0], []
    for record in printed.decode(errors="replace").split(_RECORD)[1:]:
        head, *files = record.strip("\n").split("\n")
        commit, date, subject = head.split(_FIELD, 2)
        found.append(FileState(commit, date, subject, name))
        for line in files:
            status, *names = line.split("\t")
            if status.startswith("R") and names[-1] == name:
                name = names[0]
    return found[::-1], name


def _state_at(commit: str, path: str) -> FileState:
    said = git_output("log", "-1", f"--format={_FORMAT}", commit)
    date, subject = ("", "") if said is None else said.decode(errors="replace").strip().split(_FIELD)[1:3]
    return FileState(commit, date, subject, path)
