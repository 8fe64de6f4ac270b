"""A document held against a pydantic model: every problem at its place, also those behind the first."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema

from buildsearch.model.errors import Problem, Severity
from buildsearch.ruleset.messages import hint_of, message_of, show, suggest
from buildsearch.ruleset.node import Node, Path, Position, format_path
from buildsearch.ruleset.yaml_reader import YamlDocument

_Schema = dict[str, Any]


def known_keys(model: type[BaseModel], path: Sequence[str | int]) -> list[str]:
    """The keys that may stand in the mapping at `path`; empty if the model cannot tell.

    The schema is asked rather than the annotations, because there aliases, unions, root models and
    containers have become the same few words.
    """
    whole = _schema_of(model)
    if whole is None:
        return []  # a type without a schema somewhere in the model: the hint is lost, the problem is not
    here = list(_members(whole, whole))
    for step in path:
        here = [
            member for schema in here for below in _below(schema, step) for member in _members(below, whole)
        ]
    return sorted({key for schema in here for key in schema.get("properties", {})})


@cache
def _schema_of(model: type[BaseModel]) -> _Schema | None:
    """Built once: a file may have thousands of unknown keys, and each asks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as a default that JSON cannot write: no matter here
            return model.model_json_schema(mode="validation")
    except PydanticInvalidForJsonSchema:
        return None


def _members(schema: _Schema, whole: _Schema) -> Iterator[_Schema]:
    """The schema itself with references followed, or each of its alternatives."""
    if "$ref" in schema:
        yield from _members(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
        return
    alternatives = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
    if not alternatives:
        yield schema
    for alternative in alternatives:
        yield from _members(alternative, whole)


def _below(schema: _Schema, step: str | int) -> Iterator[_Schema]:
    if isinstance(step, int):
        first = schema.get("prefixItems", [])
        found = first[step] if step < len(first) else schema.get("items")
        candidates = [found]
    elif step in schema.get("properties", {}):
        candidates = [schema["properties"][step]]
    else:
        candidates = [schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()]
    yield from (candidate for candidate in candidates if isinstance(candidate, dict))


class Finder:
    """Looks up where a path stands in a document, so that checks need only say what is wrong there."""

    def __init__(self, document: YamlDocument) -> None:
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


# Each step may be a key or not, so a deep place has very many readings; the right one comes early.
_MAX_READINGS = 200


def align(data: Any, loc: Sequence[str | int], found: Callable[[Any], bool]) -> tuple[str | int, ...]:
    """The path in `data` that pydantic's `loc` means.

    A `loc` has steps of pydantic's own in it, such as the tag of a union's member, and these may even be
    spelt like a key. So every reading is tried, the one that follows most steps first, until `found` says
    that the value there is the one the error speaks of; if none is, the first reading has to do.
    """
    readings = list(islice(_readings(data, tuple(loc)), _MAX_READINGS))
    return next((path for path, value in readings if found(value)), readings[0][0])


def _readings(data: Any, loc: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if not loc:
        yield (), data
        return
    step, rest = loc[0], loc[1:]
    match data:
        case dict() if step in data:
            below = _readings(data[step], rest)
        case list() if isinstance(step, int) and step < len(data):
            below = _readings(data[step], rest)
        case _:
            below = iter(())
    yield from (((step, *path), value) for path, value in below)
    yield from _readings(data, rest)


M = TypeVar("M", bound=BaseModel)

_DROP = object()
# Tried in turn in place of a wrong value, until the model has nothing against it.
_SUBSTITUTES: tuple[Any, ...] = (_DROP, 0, 1, 2, "x", [], {}, False)
_MOST_ROUNDS = 8
# Each trial checks the whole document again: beyond this a person has enough to mend already.
_MOST_ERRORS = 50


def mend(document: YamlDocument, model: type[M]) -> tuple[M | None, tuple[str, ...]]:
    """A model of the document with its wrong values replaced, and the paths where; None if too far gone."""
    data = document.root.plain()
    mended: list[str] = []
    for _ in range(_MOST_ROUNDS):
        try:
            return model.model_validate(data), tuple(mended)
        except ValidationError as invalid:
            errors = invalid.errors(include_url=False, include_input=False)
        if len(errors) > _MOST_ERRORS:
            return None, ()
        for error in errors:
            loc = tuple(step for step in error["loc"] if step != "[key]")
            if not loc:
                return None, ()
            better = _replaced(data, loc, model)
            if better is None:
                continue
            data = better
            mended.append(format_path(loc))
    return None, ()


def _replaced(data: Any, loc: tuple[str | int, ...], model: type[BaseModel]) -> Any | None:
    for substitute in _SUBSTITUTES:
        trial = copy.deepcopy(data)
        if _put(trial, loc, substitute) and loc not in _failing(trial, model):
            return trial
    return None


def _failing(data: Any, model: type[BaseModel]) -> set[tuple[str | int, ...]]:
    try:
        model.model_validate(data)
    except ValidationError as invalid:
        return {
            tuple(step for step in error["loc"] if step != "[key]")
            for error in invalid.errors(include_url=False, include_input=False)
        }
    return set()


def _put(data: Any, loc: tuple[str | int, ...], value: Any) -> bool:
    """Whether the place exists (its last step may be missing) and the value could be put there."""
    for step in loc[:-1]:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return False
    last = loc[-1]
    if isinstance(data, dict):
        if value is _DROP:
            data.pop(last, None)
        else:
            data[last] = value
        return True
    if isinstance(data, list) and isinstance(last, int) and 0 <= last < len(data) and value is not _DROP:
        data[last] = value
        return True
    return False


_Steps = tuple[str | int, ...]
_ABSENT = ("missing", "union_tag_not_found")


def check(document: YamlDocument, model: type[M]) -> tuple[M | None, list[Problem]]:
    """The model made from the document, or None and every problem, in the order of the file."""
    data = document.root.plain()
    try:
        return model.model_validate(data), []
    except ValidationError as invalid:
        errors = invalid.errors(include_url=False)
    problems = [
        _problem(error, document.root, data, model) for error in errors if not _follows(error, errors)
    ]
    return None, sorted(problems, key=lambda at: (at.source != document.source, at.line or 0, at.column or 0))


def _follows(error: Mapping[str, Any], errors: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a list is only too short because pydantic had dropped the bad entries before it counted."""
    if error["type"] != "too_short" or len(error["input"]) < error["ctx"]["min_length"]:
        return False
    depth = len(error["loc"])
    return any(len(other["loc"]) > depth and other["loc"][:depth] == error["loc"] for other in errors)


def _problem(error: Mapping[str, Any], root: Node, data: object, model: type[BaseModel]) -> Problem:
    path, at = _position(error, root, data)
    hint = hint_of(error)
    if error["type"] == "extra_forbidden":
        known = known_keys(model, path[:-1])
        hint = suggest(str(path[-1]), known) if known else None
    shown = None if error["type"] in _ABSENT else show(error.get("ctx", {}).get("tag", error["input"]))
    message = message_of(error, _subject(path))
    return Problem(message, at.source, at.line, at.column, format_path(path) or None, shown, hint)


def _position(error: Mapping[str, Any], root: Node, data: object) -> tuple[_Steps, Position]:
    """The path that an error is about, and where to point: at the value, a key or the mapping around."""
    loc, name = tuple(error["loc"]), error["type"]
    discriminator = str(error.get("ctx", {}).get("discriminator", "")).strip("'")
    same = _same(error["input"])
    if name == "missing":
        path = align(data, loc[:-1], same)
        return (*path, loc[-1]), root.at(path).position
    if name == "extra_forbidden":
        # Here the input is the value of the unknown key, so look for the mapping that has the two.
        path = align(data, loc[:-1], lambda value: isinstance(value, dict) and same(value.get(loc[-1])))
        return (*path, loc[-1]), root.at(path).key_position(str(loc[-1]))
    if loc and loc[-1] == "[key]":
        path = align(data, loc[:-1], lambda _value: True)
        return path, root.at(path[:-1]).key_position(str(path[-1])) if path else root.position
    path = align(data, loc, same)
    if discriminator.isidentifier():  # it may also be a function, shown as `choose()`
        return (*path, discriminator), root.at((*path, discriminator)).position
    return path, root.at(path).position


def _same(wanted: object) -> Callable[[object], bool]:
    # Type first: to Python, true is 1.
    return lambda value: value is wanted or (type(value) is type(wanted) and value == wanted)


def _subject(path: _Steps) -> str:
    if not path:
        return "the document"
    start = max((i for i, step in enumerate(path) if isinstance(step, str)), default=0)
    return f"`{format_path(path[start:])}`"
