"""What is wrong with an input, where, and how to mend it."""

from __future__ import annotations

from collections.abc import Sequence
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
