"""How builds and filters are written and read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from buildsearch.model.errors import InputError, Problem, UsageError
from buildsearch.model.space import Wanted
from buildsearch.ruleset.messages import suggest

BETWEEN = " / "
UNRAISED = "base"
LONGEST_BUILD_TEXT = 10_000
_SHOWN = 200
_NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)
_Name = TypeVar("_Name", bound=str)


class BuildReader:
    """One text, and what is wrong with it; raises InputError at once for one that is far too long."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.problems: list[Problem] = []
        if len(text) > LONGEST_BUILD_TEXT:
            self.complain("this is too long to be a build")
            self.finish()

    def complain(self, message: str, hint: str = "", *, about: str | None = None) -> None:
        """Note a problem of the text, or of a part of it."""
        text = self.text if about is None else about.strip()
        shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
        self.problems.append(Problem(message, source=f"build '{shown}'", hint=hint or None))

    def finish(self) -> None:
        if self.problems:
            raise InputError(self.problems)

    def one_of(self, word: str, what: str, known: tuple[_Name, ...]) -> _Name:
        """The known name that a word is; another one and a problem where it is none."""
        for each in known:
            if each == word:
                return each
        self.complain(f"unknown {what} `{word}`" if word else f"no {what} is given", suggest(word, known))
        return known[0]

    def numbers(self, parts: Iterable[str], sign: str, known: Sequence[str], what: str) -> dict[str, int]:
        """`hth+2`, `heal*8`: names with numbers, each name once. Behind `*` a missing number is 1."""
        found: dict[str, int] = {}
        for part in parts:
            name, given, number = (piece.strip() for piece in part.partition(sign))
            if name not in known:
                message = f"unknown {what} `{name}`" if name else f"an empty {what}"
                self.complain(message, suggest(name, known))
            elif name in found:
                self.complain(f"`{name}` is given twice", f"Add up: `{name}{sign}2`.")
            elif given and not (_NUMBER.fullmatch(number) and int(number)):
                hint = f"Write a whole number from 1 up, such as `{name}{sign}2`."
                self.complain(f"`{number}` is not a number of {name}", hint)
            elif not given and sign == "+":
                self.complain(f"`{name}` adds nothing", f"Write `{name}+1`.")
            else:
                found[name] = int(number) if given else 1
        return found

    def raises(self, line: str, known: Sequence[str], what: str) -> dict[str, int]:
        """`hth+2,tuf+4`, or `base` for nothing raised."""
        return self.numbers(() if line.strip() == UNRAISED else line.split(","), "+", known, what)


def name_raises(raises: Iterable[tuple[str, int]]) -> str:
    """`hth+2,tuf+4`."""
    return ",".join(f"{name}+{steps}" for name, steps in raises) or UNRAISED


def times(name: str, number: int) -> str:
    """`heal*8`; one of a kind is written without a number."""
    return name if number == 1 else f"{name}*{number}"


def check_filters(
    wanted: Wanted,
    groups: Sequence[str],
    features: Sequence[str],
    words: tuple[str, str],
    canonical: Callable[[str], str] = str,
    hint: str = "",
) -> None:
    """Refuse what no build can have. `words`: what the game calls a group, and a feature."""
    for group in wanted.groups:
        if canonical(group) not in groups:
            raise UsageError(f"unknown {words[0]} `{group}`. {suggest(group, groups)}")
    for name in (*wanted.with_features, *wanted.without_features):
        if name not in features:
            raise UsageError(f"unknown {words[1]} `{name}`. {suggest(name, features)}{hint}")
    both = sorted(set(wanted.with_features) & set(wanted.without_features))
    if both:
        raise UsageError(f"`{both[0]}` is both required and excluded. Drop one of the two filters.")
