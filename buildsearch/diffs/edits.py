"""Edits of rules: where they are written, made and left out, in data where equal meaning is equal data."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from buildsearch.model.errors import InputError, Severity
from buildsearch.model.rules_file import KeyPath, Pair, RulesEnvelope
from buildsearch.model.system import System
from buildsearch.ruleset.checking import Finder, check
from buildsearch.ruleset.node import Node, Position
from buildsearch.ruleset.yaml_reader import YamlDocument

# What says which file this is, not what the rules are. Default scenarios are only a default.
HEAD = tuple(name for name in RulesEnvelope.model_fields if name != "default_scenarios")

# A step of a path; a pair stands for an entry of a relation.
Step = str | int | Pair
Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NormalisedRules:
    """One side: checked rules with the document that they came from.

    In `data` a relation is a mapping from pairs to True. `catalogues` are the keys that hold options.
    """

    system: System
    model: Any
    document: YamlDocument
    data: dict[str, Any]
    key_paths: dict[tuple[str, Pair], KeyPath]
    catalogues: tuple[str, ...]

    def sparse(self, field: str, option: str) -> Any:
        """An option as short as it can be written: without what is a default."""
        below = getattr(self.model, field)[option]
        return below.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def read_rules(system: System, model: Any, document: YamlDocument) -> NormalisedRules:
    """Checked rules in normal form."""
    data = model.model_dump(mode="json", by_alias=True)
    key_paths: dict[tuple[str, Pair], KeyPath] = {}
    for relation in system.relations:
        pairs = relation.pairs(model)
        data[relation.field] = dict.fromkeys(sorted(pairs), True)
        key_paths |= {(relation.field, pair): path for pair, path in pairs.items()}
    options = {option.id for option in system.options(model)}
    fields = [relation.field for relation in system.relations]
    catalogues = tuple(
        key
        for key, value in data.items()
        if key not in fields and isinstance(value, dict) and value and options.issuperset(value)
    )
    return NormalisedRules(system, model, document, data, key_paths, catalogues)


def as_file(system: System, data: dict[str, Any]) -> dict[str, Any]:
    """Data in normal form as a rules file has it."""
    plain = copy.deepcopy(data)
    for relation in system.relations:
        plain[relation.field] = [dict(relation.entry(pair)) for pair in plain[relation.field]]
    return plain


def position_of(rules: NormalisedRules, path: Steps) -> Position:
    """Where the last key of a path stands, or the deepest one that is written: the rest is a default."""
    field, last = str(path[0]), path[-1]
    written = path
    if isinstance(last, tuple):
        written = rules.key_paths.get((field, last), (field,))
    node, at = rules.document.root, rules.document.root.position
    for step in written:
        assert not isinstance(step, tuple)  # noqa: S101 - only a relation's last step is a pair
        below = node.child(step)
        if below is None:
            break
        at = node.key_position(str(step)) if isinstance(node.value, dict) else below.position
        node = below
    return at


class Absent:
    """There is nothing; null is something else."""

    def __repr__(self) -> str:
        return "nothing"

    def __deepcopy__(self, memo: object) -> Absent:
        return self  # there is only one


ABSENT: Final = Absent()


class EditKind(StrEnum):
    """What an edit does."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    REORDERED = "reordered"


@dataclass(frozen=True, slots=True)
class ValueChange:
    """The value at one path on either side; `siblings` are the keys around it, in order."""

    path: Steps
    before: Any
    after: Any
    siblings: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleEdit:
    """One edit. `subject` is the option that it is about (as the second file calls it), if it is one.

    `changes` are what it does to data in which renames are made; those of a rename are none. The first one
    is what people are shown, the others come with it: the exclusions of a new option.
    """

    kind: EditKind
    subject: str | None
    label: str
    before: Any
    after: Any
    changes: tuple[ValueChange, ...]
    at_first: Position | None
    at_second: Position | None


def with_edits(data: dict[str, Any], edits: Iterable[RuleEdit]) -> dict[str, Any]:
    """A copy of the first side's data (renames made) with some edits made."""
    return _made(data, [(change, change.after) for edit in edits for change in edit.changes])


def without_edits(data: dict[str, Any], edits: Iterable[RuleEdit]) -> dict[str, Any]:
    """A copy of the second side's data with some edits left out."""
    return _made(data, [(change, change.before) for edit in edits for change in edit.changes])


def _made(data: dict[str, Any], wanted: list[tuple[ValueChange, Any]]) -> dict[str, Any]:
    made = copy.deepcopy(data)
    for change, value in wanted:
        _put(made, change, copy.deepcopy(value))
    return made


def _put(data: Any, change: ValueChange, value: Any) -> None:
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


_SOURCE = "edited rules"


def checked(system: System, data: dict[str, Any]) -> Any:
    """The model of edited data; raises InputError with everything that is wrong about it."""
    document = YamlDocument(_SOURCE, _node(as_file(system, data)), {})
    model, problems = check(document, system.rules_model)
    if model is not None:
        finder = Finder(document)
        system.check_rules(model, finder)
        problems = [problem for problem in finder.problems if problem.severity is Severity.ERROR]
    if model is None or problems:
        raise InputError(problems)
    return model


def _node(value: Any) -> Node:
    """Plain data as a document's nodes, without positions."""
    match value:
        case dict():
            return Node({str(key): _node(below) for key, below in value.items()}, None, None, _SOURCE)
        case list():
            return Node([_node(below) for below in value], None, None, _SOURCE)
        case _:
            return Node(value, None, None, _SOURCE)
