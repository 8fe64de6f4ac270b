"""Hints for words that are not known, values as they are shown, and schemas for editors."""

from __future__ import annotations

import json

import jsonschema
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from buildsearch.ruleset.messages import MAX_SHOWN, did_you_mean, kind, known_names, show, suggest
from buildsearch.ruleset.schema import DIALECT, json_schema, render


def test_near_misses():
    assert did_you_mean("powr_attack", ["power_attack", "x"]) == "Did you mean `power_attack`?"
    assert did_you_mean("Power-Attack", ["power_attack"]) == "Did you mean `power_attack`?"
    assert did_you_mean("zzz", ["power_attack"]) is None
    assert did_you_mean("zzz", []) is None


def test_known_names():
    assert known_names(["b", "a"]) == "Known: a, b."
    assert known_names([f"n{i:02}" for i in range(21)]).endswith("n10, n11 and 9 more.")
    assert known_names([]) == "Nothing is known here."


def test_suggest():
    assert suggest("bta", iter(["beta"])) == "Did you mean `beta`? Known: beta."
    assert suggest("zzz", iter(["beta"])) == "Known: beta."


def test_values_are_shown_in_the_words_of_yaml():
    assert [show(value) for value in (None, True, False, 3, "a")] == ["null", "true", "false", "3", "'a'"]
    assert show({"cost": 1, "tags": {"free": True, "of": None}}) == "{cost: 1, tags: {free: true, of: null}}"
    assert (kind({}), kind([1]), kind("a")) == ("a mapping", "a list", "'a'")


@given(
    st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_shown_values_are_short_and_on_one_line(value):
    assert len(show(value)) <= MAX_SHOWN
    assert "\n" not in show(value)


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
