"""Numbers of the rules that change fights: everything in the file that is a number, and no price or limit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from buildsearch.library.balance import Desk
from buildsearch.library.fight_setup import FightSetup, set_up
from buildsearch.library.input_files import overridden
from buildsearch.model.errors import InputError, Problem, UsageError
from buildsearch.model.levers import VALUES, Edit, Movable, Put, Steps
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
