"""Problems that only the meaning of a document shows, gathered with their positions."""

from __future__ import annotations

from buildsearch.model.problem import Problem, Severity
from buildsearch.ruleset.document import Document
from buildsearch.ruleset.paths import Path, format_path
from buildsearch.ruleset.values import show


class Finder:
    """Looks up where a path stands in a document, so that checks need only say what is wrong there."""

    def __init__(self, document: Document) -> None:
        self._root = document.root
        self.problems: list[Problem] = []

    @property
    def failed(self) -> bool:
        """Whether any of the problems is an error."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    def error(
        self, path: Path, message: str, *, value: object = None, hint: str | None = None, key: bool = False
    ) -> None:
        """Notes an error at `path`; with `key`, at the key itself and not at its value.

        `value` is the offending value; without one, what the document has at `path` is shown.
        """
        self._note(path, message, value, hint, key, Severity.ERROR)

    def warning(
        self, path: Path, message: str, *, value: object = None, hint: str | None = None, key: bool = False
    ) -> None:
        """Notes something that deserves a look but does not stop the work."""
        self._note(path, message, value, hint, key, Severity.WARNING)

    def _note(
        self, path: Path, message: str, value: object, hint: str | None, key: bool, severity: Severity
    ) -> None:
        steps = list(path)
        parent = self._root.at(steps[:-1])
        node = self._root.at(steps)
        at = parent.key_position(str(steps[-1])) if key and steps else node.position
        if value is None and key and steps:
            value = steps[-1]
        elif value is None and self._exists(steps):
            value = node.plain()
        shown = None if value is None else show(value)
        where = format_path(steps) or None
        self.problems.append(Problem(message, at.source, at.line, at.column, where, shown, hint, severity))

    def _exists(self, steps: Path) -> bool:
        node = self._root
        for step in steps:
            below = node.child(step)
            if below is None:
                return False
            node = below
        return True
