"""Numbers of a rules file that change fights, and edits put into that file while its page is open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from buildsearch.balancing.edits import edited_text, patch
from buildsearch.files.atomic import write_whole
from buildsearch.files.safe_reading import MAX_TEXT, read_text
from buildsearch.library.balance import Desk, check_text, texts
from buildsearch.library.fight_setup import FightSetup, set_up
from buildsearch.library.input_files import overridden
from buildsearch.model.errors import InputError, Problem, UsageError
from buildsearch.model.levers import VALUES, Edit, Movable, Put, Steps
from buildsearch.ruleset.git import is_revision
from buildsearch.ruleset.node import Node, format_path
from buildsearch.ruleset.text_edits import on_one_line

# Such names can be written with dots between them.
_NAME = re.compile(r"[^.\[\]=]+")
_LARGEST = 1e15


@dataclass(frozen=True, slots=True)
class Number:
    """A number and where it stands."""

    path: Steps
    value: int | float
    line: int | None

    @property
    def text(self) -> str:
        """Its path, as people write it."""
        return format_path(self.path)


def numbers_of(desk: Desk) -> tuple[Number, ...]:
    """Every number of a run's rules, in their order, but those that the page moves as prices and limits."""
    moved = {
        tuple(map(str, write.path))
        for lever in desk.levers
        for edit in lever.edits
        if not edit.changes_fights
        for write in edit.writes
        if isinstance(write, Put)
    }
    return tuple(
        number
        for number in _numbers(desk.setup.loaded.document.root, ())
        if tuple(map(str, number.path)) not in moved
    )


def _numbers(node: Node, path: Steps) -> Iterator[Number]:
    match node.value:
        case dict() as mapping:
            for key, child in mapping.items():
                if _NAME.fullmatch(key):
                    yield from _numbers(child, (*path, key))
        case list() as items:
            for place, child in enumerate(items):
                yield from _numbers(child, (*path, place))
        case bool():
            return
        case int() | float() as value:
            yield Number(path, value, node.line)


def edits_of(numbers: Sequence[Number], asked: Mapping[str, int | float]) -> tuple[Edit, ...]:
    """Other values of some numbers, by their paths; raises UsageError for what is none of them."""
    known = {number.text: number for number in numbers}
    edits = []
    for text, value in asked.items():
        number = known.get(text)
        if number is None:
            raise UsageError(f"these rules have no number `{text}`.")
        # Compared before it is converted: a whole number may have hundreds of digits.
        if not -_LARGEST <= value <= _LARGEST:
            raise UsageError(f"`{text}` must be a number from -1e15 to 1e15.")
        other = int(value) if float(value).is_integer() else float(value)
        if other != number.value:
            edits.append(
                Edit(
                    lever=text,
                    kind=VALUES,
                    about=(),
                    text=f"{text}={on_one_line(other)}",
                    words=f"Change {text} from {number.value} to {other}",
                    steps=1,
                    writes=(Put(number.path, other),),
                    changes_fights=True,
                )
            )
    return tuple(edits)


def under(desk: Desk, edits: Sequence[Edit]) -> FightSetup:
    """A run's set-up with other numbers, whatever its files say by now; raises InputError, and UsageError
    where they change more than fights: which builds there are, or what they cost."""
    texts = [edit.text for edit in edits]
    loaded = overridden(desk.setup.loaded, texts)
    setup = set_up(loaded, desk.run.record.request, desk.setup.scenarios)
    system, named = loaded.system, ", ".join(texts)
    counts = [each.space.count(desk.wanted) for each in (desk.setup, setup)]
    if counts[0] != counts[1]:
        was, now = (sum(each.values()) for each in counts)
        raise UsageError(
            f"{named} changes which builds there are ({was:,} before, {now:,} after), and only fights can be "
            "scored again here. `buildsearch diff RULES --set` shows what it does."
        )
    assert isinstance(system, Movable)  # noqa: S101 - the desk is of such a system
    if system.accounts(loaded.model, setup.space) != desk.table.accounts:
        raise UsageError(f"{named} changes what builds cost: move the prices on the page instead.")
    return setup


def sentences(error: Exception) -> list[str]:
    """What is wrong with what was asked for, each in a sentence."""
    if isinstance(error, InputError):
        return [_sentence(problem) for problem in error.problems]
    return [str(error)]


def _sentence(problem: Problem) -> str:
    line = f"{problem.source}, line {problem.line}: " if problem.line else ""
    where = f"{problem.path}: " if problem.path else line
    return f"{where}{problem.message}. {problem.hint or ''}".strip()


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
