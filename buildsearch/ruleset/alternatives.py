"""The readings of a rules file that it might have taken instead."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError

from buildsearch.model.variation import RULING, Variation


def ruling_alternatives(rulings: BaseModel) -> tuple[Variation, ...]:
    """Every other value of each ruling; of a number, the next ones."""
    found = []
    for name in type(rulings).model_fields:
        for other in _others(rulings, name):
            written = str(other).lower() if isinstance(other, bool) else str(other)
            found.append(Variation(RULING, f"{name}={written}", (f"{name}={written}",)))
    return tuple(found)


def _others(rulings: BaseModel, name: str) -> list[Any]:
    now = getattr(rulings, name)
    annotation = type(rulings).model_fields[name].annotation
    if isinstance(now, bool):
        return [not now]
    if isinstance(now, int):
        return [number for number in (now - 1, now + 1) if _is_legal(rulings, name, number)]
    if get_origin(annotation) is Literal:
        return [value for value in get_args(annotation) if value != now]
    return []


def _is_legal(rulings: BaseModel, name: str, value: Any) -> bool:
    try:
        type(rulings).model_validate(rulings.model_dump() | {name: value})
    except ValidationError:
        return False
    return True
