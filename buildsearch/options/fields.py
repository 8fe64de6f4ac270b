"""What an option is: a field of a frozen dataclass, with its type, bounds, default, flag and help.

`cli/bind.py` makes flags of such fields, `library/arguments.py` the arguments of Python functions, and
run.json keeps those of `SearchOptions`. Nothing heavy is imported here, so that `--help` answers at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from annotated_types import Interval

if TYPE_CHECKING:
    # Callers may give one text, a list or a tuple: type checkers take a text for a sequence of texts.
    Texts = Sequence[str]
else:
    Texts = tuple[str, ...]


class Flag:
    """A field on the command line: its help, and its flags where they are not made of its name.

    The help names other options as ‹seed›: `--seed` to the command line, `seed` to Python.
    """

    def __init__(self, told: str, *names: str, metavar: str | None = None) -> None:
        self.help, self.names, self.metavar = told, names, metavar


class Positional(Flag):
    """A field without a flag: the command line takes it by its place."""


class OnlyPython(Flag):
    """A field that the command line does not have."""


class ParameterFlag(Flag):
    """Parameters of games: `-p name=value`, and the shorthands of the games."""


class FightFlag(Flag):
    """Options of fights: those that the games declare."""


class CacheFlag(Flag):
    """A folder, or False for none: two flags."""


class Hiding:
    """In the annotation of a command: these fields of the class are not offered."""

    def __init__(self, *names: str) -> None:
        self.names = names


class DeclaredOption(NamedTuple):
    """A field as the command line and Python functions need it; `hint` has the bounds in it."""

    name: str
    hint: Any
    flag: Flag
    default: Any

    @property
    def bounds(self) -> Interval | None:
        """The bounds of a number."""
        return bounds_of(self.hint)

    @property
    def flags(self) -> tuple[str, ...]:
        """As the command line has it."""
        no = "no-" if self.default is True else ""
        return self.flag.names or (f"--{no}{self.name.strip('_').replace('_', '-')}",)


def option_of(name: str, hint: Any, default: Any) -> DeclaredOption | None:
    """The option that an annotation declares; None for one without a flag."""
    notes = get_args(hint) if get_origin(hint) is Annotated else ()
    flag = next((note for note in notes if isinstance(note, Flag)), None)
    return None if flag is None else DeclaredOption(name, hint, flag, default)


@cache
def options_of(group: type) -> tuple[DeclaredOption, ...]:
    """The options of a dataclass, in the order of its fields."""
    hints = get_type_hints(group, include_extras=True)
    found = []
    for each in fields(group):
        default = each.default if each.default_factory is MISSING else each.default_factory()
        if (option := option_of(each.name, hints[each.name], default)) is not None:
            found.append(option)
    return tuple(found)


def shared(group: type, given: object) -> dict[str, Any]:
    """Those fields of an object that a class of options has."""
    return {each.name: getattr(given, each.name) for each in fields(group)}


def as_path(given: Path | str | None) -> Path | None:
    """A path that callers may give as text."""
    return None if given is None else Path(given)


def bounds_of(hint: Any) -> Interval | None:
    """The bounds that are somewhere in an annotation."""
    if isinstance(hint, Interval):
        return hint
    return next((found for each in get_args(hint) if (found := bounds_of(each)) is not None), None)
