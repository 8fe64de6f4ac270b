from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from buildsearch.model.rules_file import (
    FileId,
    Flag,
    Identifier,
    Integer,
    Natural,
    Positive,
    RulesEnvelope,
    ScenariosEnvelope,
    Text,
    Title,
    Weight,
)


def accepts(kind, value):
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Integer, [-3, 0, 7], ["2", True, 1.0, None, 10**7, -(10**7)]),
        (Natural, [0, 7], [-1, "2", True, 1.5]),
        (Positive, [1, 7], [0, -1, True]),
        (Flag, [True, False], [0, 1, "true", None]),
        (Weight, [1, 0.5], [0, -1, float("nan"), float("inf"), "1", 1e9]),
        (Identifier, ["a", "power_attack", "x2"], ["", "A", "2x", "a-b", "a b", "a\n", "a" * 65, "ä", 3]),
        (FileId, ["vitality-v2", "2nd.edition"], ["", "../x", "-a", "A", "a/b", "a\n", ".a"]),
        (Text, ["", "[red]plain[/red]", "Ünï"], ["\x1b[31m", "a\nb", "\x9b", "\x7f", "x" * 501]),
        (Title, ["Bleed"], ["", "\x1b[31m", "x" * 101]),
    ],
)
def test_field_types(kind, good, bad):
    assert [value for value in good if not accepts(kind, value)] == []
    assert [value for value in bad if accepts(kind, value)] == []


def test_envelopes_are_frozen_and_know_their_keys():
    head = {"system": "game", "id": "mine", "name": "Mine"}
    rules = RulesEnvelope.model_validate(head | {"kind": "rules", "default_scenarios": "default"})
    with pytest.raises(ValidationError):
        rules.name = "Other"
    with pytest.raises(ValidationError):
        RulesEnvelope.model_validate(head | {"kind": "scenarios", "default_scenarios": "default"})
    with pytest.raises(ValidationError):
        ScenariosEnvelope.model_validate(head | {"kind": "scenarios", "colour": "red"})
    assert ScenariosEnvelope.model_validate(head | {"kind": "scenarios"}).id == "mine"
