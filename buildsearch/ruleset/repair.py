"""Mending a document just enough to look for more problems in it; never to use it."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from buildsearch.ruleset.document import Document
from buildsearch.ruleset.paths import format_path

M = TypeVar("M", bound=BaseModel)

_DROP = object()
# Tried in turn in place of a wrong value, until the model has nothing against it.
_SUBSTITUTES: tuple[Any, ...] = (_DROP, 0, 1, 2, "x", [], {}, False)
_MOST_ROUNDS = 8
# Each trial checks the whole document again: beyond this a person has enough to mend already.
_MOST_ERRORS = 50


def mend(document: Document, model: type[M]) -> tuple[M | None, tuple[str, ...]]:
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
