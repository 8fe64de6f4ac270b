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


def render(schema: dict[str, Any]) -> str:
    """The schema as text that stays the same from run to run, fit to be kept in git."""
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
