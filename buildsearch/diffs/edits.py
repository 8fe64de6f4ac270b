"""Single edits of rules, and rules with some of them made or left out."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from buildsearch.diffs.normal import Steps
from buildsearch.ruleset.node import Position


class Absent:
    """There is nothing; null is something else."""

    def __repr__(self) -> str:
        return "nothing"

    def __deepcopy__(self, memo: object) -> Absent:
        return self  # there is only one


ABSENT: Final = Absent()


class Kind(StrEnum):
    """What an edit does."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    REORDERED = "reordered"


@dataclass(frozen=True, slots=True)
class Change:
    """The value at one path on either side; `siblings` are the keys around it, in order."""

    path: Steps
    before: Any
    after: Any
    siblings: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit. `subject` is the option that it is about (as the second file calls it), if it is one.

    `changes` are what it does to data in which renames are made; those of a rename are none. The first one
    is what people are shown, the others come with it: the exclusions of a new option.
    """

    kind: Kind
    subject: str | None
    label: str
    before: Any
    after: Any
    changes: tuple[Change, ...]
    at_first: Position | None
    at_second: Position | None


def with_edits(data: dict[str, Any], edits: Iterable[Edit]) -> dict[str, Any]:
    """A copy of the first side's data (renames made) with some edits made."""
    return _made(data, [(change, change.after) for edit in edits for change in edit.changes])


def without_edits(data: dict[str, Any], edits: Iterable[Edit]) -> dict[str, Any]:
    """A copy of the second side's data with some edits left out."""
    return _made(data, [(change, change.before) for edit in edits for change in edit.changes])


def _made(data: dict[str, Any], wanted: list[tuple[Change, Any]]) -> dict[str, Any]:
    made = copy.deepcopy(data)
    for change, value in wanted:
        _put(made, change, copy.deepcopy(value))
    return made


def _put(data: Any, change: Change, value: Any) -> None:
    for step in change.path[:-1]:
        # Where another edit has taken away what is around, there is nothing to change.
        if isinstance(data, dict) and step not in data:
            return
        data = data[step]
    last = change.path[-1]
    if isinstance(value, Order):
        rearrange(data[last], value.keys)
    elif value is ABSENT:
        data.pop(last, None)
    elif isinstance(data, dict) and last not in data:
        data[last] = value
        rearrange(data, inserted(list(data)[:-1], last, change.siblings))
    else:
        data[last] = value


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a mapping's keys."""

    keys: tuple[Any, ...]


def rearrange(mapping: dict[Any, Any], keys: tuple[Any, ...]) -> None:
    """Put a mapping's keys in this order; others come last."""
    place = {key: i for i, key in enumerate(keys)}
    items = sorted(mapping.items(), key=lambda item: place.get(item[0], len(place)))
    mapping.clear()
    mapping.update(items)


def inserted(keys: list[Any], new: Any, siblings: tuple[Any, ...]) -> tuple[Any, ...]:
    """The keys with a new one behind the nearest of those that stand before it in the other file."""
    before = siblings[: siblings.index(new)] if new in siblings else siblings
    at = max((keys.index(key) + 1 for key in before if key in keys), default=0)
    if not siblings:
        at = len(keys)
    return (*keys[:at], new, *keys[at:])
