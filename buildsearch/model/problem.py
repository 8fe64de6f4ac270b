"""What is wrong with an input, where, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


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

    def with_source(self, source: str) -> Problem:
        """The same problem, said of another file or option."""
        return replace(self, source=source)

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}"
        if self.path:
            text += f" (at {self.path})"
        if self.hint:
            text += f" {self.hint}"
        return text
