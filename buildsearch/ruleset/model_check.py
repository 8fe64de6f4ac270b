"""Checking a document against a pydantic model, with every error at its place in the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from buildsearch.model.problem import Problem
from buildsearch.ruleset.alignment import align
from buildsearch.ruleset.document import Document
from buildsearch.ruleset.error_sentences import hint_of, message_of
from buildsearch.ruleset.fields import known_keys
from buildsearch.ruleset.finder import Finder
from buildsearch.ruleset.hints import suggest
from buildsearch.ruleset.node import Node, Position
from buildsearch.ruleset.paths import format_path
from buildsearch.ruleset.values import show

__all__ = ["Finder", "check"]

M = TypeVar("M", bound=BaseModel)

_Steps = tuple[str | int, ...]
_ABSENT = ("missing", "union_tag_not_found")


def check(document: Document, model: type[M]) -> tuple[M | None, list[Problem]]:
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
