"""JSON Schema of a model, so that editors can complete and check the YAML files."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(model: type[BaseModel], *, title: str, schema_id: str | None = None) -> dict[str, Any]:
    """The draft 2020-12 schema of what `model` accepts."""
    schema: dict[str, Any] = {"$schema": DIALECT}
    if schema_id is not None:
        schema["$id"] = schema_id
    return {**schema, **model.model_json_schema(mode="validation"), "title": title}


def extendable(schema: dict[str, Any]) -> dict[str, Any]:
    """The same for files that may extend others: such a file writes only what differs.

    Which of its parts are missing shows only once it lies over its parent, so of such a file an editor
    checks the keys at the top and no more.
    """
    around: dict[str, Any] = {
        key: schema[key] for key in ("$schema", "$id", "$defs", "title") if key in schema
    }
    whole = {key: value for key, value in schema.items() if key not in around}
    part = {
        "properties": dict.fromkeys(schema["properties"], True),
        "additionalProperties": False,
        "required": ["extends", "id", "name", "kind"],
    }
    return {**around, "type": "object", "if": {"required": ["extends"]}, "then": part, "else": whole}


def render(schema: dict[str, Any]) -> str:
    """The schema as text that stays the same from run to run, fit to be kept in git."""
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
