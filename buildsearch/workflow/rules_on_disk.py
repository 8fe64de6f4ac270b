"""Edits put into the rules file of a run, with its comments kept: that file, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from buildsearch.model.errors import UsageError, reason_of
from buildsearch.model.levers import Edit
from buildsearch.proposals.edited_rules import edited_text, patch
from buildsearch.untrusted_files import MAX_TEXT, read_text
from buildsearch.whole_files import write_whole
from buildsearch.workflow.balance import Desk, check_text, texts


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written where, as a unified diff against the rules of the run."""

    path: Path
    patch: str


class RulesOnDisk:
    """The rules file of a run, to be written inside one folder only. Edits are always those against the rules
    of the run, so saving none puts the file back as it was."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        """Raises UsageError where nothing can be saved."""
        self._desk, self._folder = desk, folder.resolve()
        self._original, _ = texts(desk, ())
        self._last = self._original
        self._given = desk.setup.loaded.path
        self.path = self._inside()

    def _inside(self) -> Path:
        """Where the file really is, links followed; raises UsageError where that is outside the folder."""
        path = self._given.resolve()
        if not path.is_relative_to(self._folder):
            raise UsageError(
                f"{self._given} lies outside {self._folder}, and only files inside are written. Make a copy "
                "with `buildsearch init`, run optimize on it, and serve that run."
            )
        return path

    def save(self, edits: Sequence[Edit]) -> Saved:
        """The file with these edits; raises UsageError, and InputError for rules that are none then."""
        path = self._inside()
        if path != self.path:
            raise UsageError(f"{self._given} leads elsewhere than before. Nothing was written.")
        try:
            now = read_text(path, MAX_TEXT)
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read {path}: {reason_of(error)}. Nothing was written.") from error
        if now != self._last:
            raise UsageError(
                f"{path} was changed by somebody else meanwhile. Nothing was written. Run optimize on it, "
                "and serve that run."
            )
        text = edited_text(self._original, edits, self._desk.setup.loaded.document)
        check_text(self._desk, edits, text, path)
        write_whole(path, text)
        self._last = text
        return Saved(path, patch(self._original, text, path.name))
