"""JSON Schemas of rules and scenarios, and the other rulings that a file could choose."""

from __future__ import annotations

import json
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError

from buildsearch.model.rules_file import RULING, Variation
from buildsearch.ruleset.node import ADD, REMOVE

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(model: type[BaseModel], *, title: str) -> dict[str, Any]:
    """The draft 2020-12 schema of what `model` accepts."""
    return {"$schema": DIALECT, **model.model_json_schema(mode="validation"), "title": title}


def extendable(schema: dict[str, Any]) -> dict[str, Any]:
    """The same for files that may extend others: such a file writes only what differs.

    Which of its parts are missing shows only once it lies over its parent, so of such a file an editor
    checks the keys at the top and no more.
    """
    around: dict[str, Any] = {
        key: schema[key] for key in ("$schema", "$id", "$defs", "title") if key in schema
    }
    whole = {key: value for key, value in schema.items() if key not in around}
    lists = [key for key, value in schema["properties"].items() if value.get("type") == "array"]
    keys = [*schema["properties"], *(f"{key}{sign}" for key in lists for sign in (ADD, REMOVE))]
    part = {
        "properties": dict.fromkeys(keys, True),
        "additionalProperties": False,
        "required": ["extends", "id", "name", "kind"],
    }
    return {**around, "type": "object", "if": {"required": ["extends"]}, "then": part, "else": whole}


def render(schema: dict[str, Any]) -> str:
    """The schema as text that stays the same from run to run, fit to be kept in git."""
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


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
