"""JSON Schema for editors."""

import json

import jsonschema
from pydantic import BaseModel, ConfigDict

from buildsearch.ruleset.schema import DIALECT, json_schema, render


class Toy(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    tiers: dict[str, int] = {}


def test_the_schema_is_valid_and_says_what_the_model_says():
    schema = json_schema(Toy, title="A toy — ruleset")
    assert (schema["$schema"], schema["title"]) == (DIALECT, "A toy — ruleset")
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    assert validator(schema).is_valid({"name": "x"})
    assert not validator(schema).is_valid({"name": "x", "extra": 1})


def test_it_is_rendered_the_same_each_time():
    text = render(json_schema(Toy, title="é"))
    assert text == render(json_schema(Toy, title="é"))
    assert text.endswith("}\n")
    assert "é" in text
    assert list(json.loads(text)) == sorted(json.loads(text))
