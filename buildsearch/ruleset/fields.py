"""Which keys a model knows at a place, asked of its JSON Schema."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema

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
