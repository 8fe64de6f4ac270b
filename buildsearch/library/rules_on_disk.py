"""The files of a run while its page is open: whether they change, and edits put into the rules file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from buildsearch.balancing.edits import edited_text, patch
from buildsearch.files.atomic import write_whole
from buildsearch.files.safe_reading import MAX_TEXT, read_text
from buildsearch.library.balance import Desk, check_text, texts
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Edit
from buildsearch.ruleset.git import is_revision


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written where, as a unified diff against the rules of the run."""

    path: Path
    patch: str


class RulesOnDisk:
    """The files of a run. Its rules file may be written, inside one folder only. Edits are always those
    against the rules of the run, so saving none puts the file back as it was."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self._desk, self._folder = desk, folder.resolve()
        loaded, scenarios = desk.setup.loaded, desk.setup.scenarios
        self._given, self._own = loaded.path, loaded.document.source
        # By name, what the files said when the run was opened, or what was saved since.
        self._rules = dict(loaded.document.texts)
        self._scenarios = {} if scenarios is None else dict(scenarios.document.texts)
        self.path: Path | None = None
        self.why_not_saved: str | None = None
        try:
            self._original, _ = texts(desk, ())
            self.path = self._inside()
        except UsageError as error:
            self.why_not_saved = error.naming(lambda name: f"--{name}")

    def changed(self) -> list[str]:
        """The files that are changed or gone on disk, other than by `save`."""
        return _changed({**self._rules, **self._scenarios})

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
        if self.path is None:
            raise UsageError(self.why_not_saved or "nothing can be saved.")
        path = self._inside()
        if path != self.path:
            raise UsageError(f"{self._given} leads elsewhere than before. Nothing was written.")
        changed = _changed(self._rules)
        if changed:
            raise UsageError(
                f"{', '.join(changed)}: changed on disk since the run was opened. Nothing was written. "
                "Reload the files to go on with what they say now."
            )
        text = edited_text(self._original, edits, self._desk.setup.loaded.document)
        check_text(self._desk, edits, text, path)
        write_whole(path, text)
        self._rules[self._own] = text
        return Saved(path, patch(self._original, text, path.name))


def _changed(expected: dict[str, str]) -> list[str]:
    """Those of some files that say something else by now. Files of a revision stay as they are."""
    return [name for name, text in expected.items() if not is_revision(name) and _text(name) != text]


def _text(name: str) -> str | None:
    try:
        return read_text(Path(name), MAX_TEXT)
    except (OSError, ValueError):
        return None
