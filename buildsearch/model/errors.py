"""The one exception base: library code raises, only the command line prints and exits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from buildsearch.model.problem import Problem

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
