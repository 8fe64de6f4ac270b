"""Exceptions of the library, and the problems of an input file that they list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Severity(StrEnum):
    """Whether a problem stops the work or only deserves a look."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about an input; `source` is a file or a command-line option."""

    message: str
    source: str | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None
    value: str | None = None
    hint: str | None = None
    severity: Severity = Severity.ERROR

    @property
    def where(self) -> str:
        """`file:line:column`, as editors and terminals make clickable."""
        parts = [self.source or "input"]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}"
        if self.path:
            text += f" (at {self.path})"
        if self.hint:
            text += f" {self.hint}"
        return text


class RulesWarning(UserWarning):
    """A file says something that is probably a mistake, and is read as it stands."""


class ProblemSink(Protocol):
    """Collects problems about one file; it knows where in the file a path stands."""

    def error(
        self,
        path: Sequence[str | int],
        message: str,
        *,
        value: object = None,
        hint: str | None = None,
        key: bool = False,
    ) -> None:
        """Something that must be mended; `key` points at the key instead of its value."""

    def warning(
        self,
        path: Sequence[str | int],
        message: str,
        *,
        value: object = None,
        hint: str | None = None,
        key: bool = False,
    ) -> None:
        """Something that deserves a look."""


_ARGUMENT = re.compile("‹([a-z_]+)›")


def naming_arguments(sentence: str, name: Callable[[str], str]) -> str:
    """A sentence whose arguments, written as ‹seed›, are called as `name` calls them.

    Libraries have arguments and command lines have flags: who says the sentence knows which.
    """
    return _ARGUMENT.sub(lambda found: name(found.group(1)), sentence)


class BuildsearchError(Exception):
    """Everything that the user can mend; its text is a plain sentence."""

    def __str__(self) -> str:
        return self.naming(lambda name: f"`{name}`")

    def naming(self, name: Callable[[str], str]) -> str:
        """The sentence with its arguments called otherwise."""
        return naming_arguments(super().__str__(), name)


class UsageError(BuildsearchError):
    """What is asked for does not fit: an unknown name, a contradiction, a bad number."""


class Cancelled(BuildsearchError):  # noqa: N818 - a request that was granted, not a mistake
    """Whoever asked for the work does not want it any more."""


# What Windows says of a file that a spreadsheet, a browser or a scanner holds: access denied, shared, locked.
_TAKEN = (5, 32, 33)


def reason_of(error: Exception) -> str:
    """Why a file could not be read or written, in the system's words and not in Python's."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    is_taken = getattr(error, "winerror", None) in _TAKEN
    return f"{said}; if another program has it open, close it there" if is_taken else said


def sentence_of(error: OSError) -> str:
    """What the system refused, where nothing more is known."""
    return f"{error.filename or 'the system'}: {error.strerror or error}."


class InputError(BuildsearchError):
    """A file or an override is wrong; carries every problem that was found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
