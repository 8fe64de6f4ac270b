"""The one exception base: library code raises, only the command line prints and exits."""

from __future__ import annotations

from collections.abc import Iterable

from buildsearch.model.problem import Problem


class BuildsearchError(Exception):
    """Everything that the user can mend; its text is a plain sentence."""


class UsageError(BuildsearchError):
    """The words on the command line do not fit: an unknown name, a contradiction, a bad number."""


def reason_of(error: Exception) -> str:
    """Why a file could not be read or written, in the system's words and not in Python's."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


class InputError(BuildsearchError):
    """A file or an override is wrong; carries every problem that was found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
