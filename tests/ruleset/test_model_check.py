"""Pydantic's errors, all at once, at their places and in plain words."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    StringConstraints,
    Tag,
    field_validator,
)

from buildsearch.model.errors import Severity
from buildsearch.ruleset.checking import Finder, check, known_keys
from buildsearch.ruleset.overrides import apply_overrides
from buildsearch.ruleset.yaml_reader import parse_document

WORDINGS = yaml.safe_load(Path(__file__).with_name("wordings.yaml").read_text(encoding="utf-8"))


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


def test_the_schema_is_built_once_however_many_keys_are_unknown(monkeypatch):
    class Fresh(Strict):
        power: int = 1

    built = []
    monkeypatch.setattr(
        Fresh, "model_json_schema", lambda **_: built.append(1) or {"properties": {"power": {}}}
    )
    text = "\n".join(f"powr{number}: 1" for number in range(2_000))
    _, problems = check(parse_document(text, "a.yaml"), Fresh)
    assert len(problems) == 2_000
    assert {problem.hint for problem in problems} == {"Did you mean `power`? Known: power."}
    assert built == [1]


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Modifier(Strict):
    tier: int = Field(ge=1, le=4)


class Upgrade(Strict):
    cost: int = Field(gt=0, lt=100)
    modifiers: dict[str, Modifier] = Field({}, max_length=2)
    kind: Literal["melee", "ranged"] = "melee"
    colour: Colour = Colour.RED
    active: bool = True
    label: Annotated[str, StringConstraints(pattern=r"^[a-z]+$", min_length=2, max_length=5)] = "ab"
    weight: float = 1.0

    @field_validator("weight")
    @classmethod
    def _even(cls, weight):
        if weight == 13:
            raise ValueError("weight brings bad luck")
        if weight == 14:
            raise AssertionError("nor this")
        return weight


class Exclusion(Strict):
    group: tuple[str, ...] = Field(min_length=2, max_length=3)


Name = Annotated[str, StringConstraints(pattern=r"^[a-z_]+$")]


class Rules(Strict):
    name: str
    upgrades: dict[Name, Upgrade] = {}
    exclusions: list[Exclusion] = []
    nothing: None = None
    step: int = Field(default=5, multiple_of=5)


def found(text, model=Rules):
    result, problems = check(parse_document(text, "f.yaml"), model)
    assert result is None
    return problems


def only(text, model=Rules):
    (problem,) = found(text, model)
    return problem


def test_a_good_document_gives_the_model():
    result, problems = check(parse_document("name: x\nupgrades: {a: {cost: 2}}", "f"), Rules)
    assert problems == []
    assert result.upgrades["a"].cost == 2


def test_everything_at_once_in_the_order_of_the_file():
    text = WORDINGS["at_once"]["text"]
    seen = [[p.line, p.column, p.path, p.message] for p in found(text)]
    assert seen == WORDINGS["at_once"]["problems"]
    hints = {p.path: p.hint for p in found(text)}
    assert hints["upgrades.power_attack.modifers"].startswith("Did you mean `modifiers`? Known: ")
    assert hints["upgrades.power_attack.kind"] == "Did you mean `melee`? Choose from 'melee' or 'ranged'."
    assert hints["exclusions[2].group[0]"] == "Put it in quotes to make it text."
    values = {p.path: p.value for p in found(text)}
    assert values["name"] is None
    assert values["upgrades.power_attack.cost"] == "'two'"
    assert all(p.source == "f.yaml" and p.severity is Severity.ERROR for p in found(text))


@pytest.mark.parametrize(("entry", "message"), WORDINGS["upgrade"])
def test_wording(entry, message):
    assert only(f"name: x\nupgrades:\n  u:\n    {entry}\n").message == message


def test_a_list_with_a_bad_entry_is_not_called_too_short_as_well():
    class Pairs(Strict):
        pair: tuple[str, ...] = Field(min_length=2)
        both: frozenset[str] = Field(default=frozenset("ab"), min_length=2)

    assert [p.path for p in found("pair: [1, a]", Pairs)] == ["pair[0]"]
    assert [p.path for p in found("pair: [1]", Pairs)] == ["pair", "pair[0]"]
    assert only("pair: [a, b]\nboth: [a, a]", Pairs).message == "`both` must have at least 2 entries, not 1"


@pytest.mark.parametrize(("text", "message"), WORDINGS["document"])
def test_wording_of_documents(text, message):
    problem = only(text)
    assert problem.message == message
    assert (problem.path is None) == ("document" in message)


def test_pydantics_own_words_where_there_are_no_better():
    class When(Strict):
        day: complex

    problem = only("day: x", When)
    assert problem.message.startswith("`day`: Input should be a valid")


def test_unknown_keys_list_the_known_ones_if_none_is_near():
    assert only("name: x\nzzzz: 1").hint == "Known: exclusions, name, nothing, step, upgrades."


def test_long_values_are_cut():
    assert len(only(f"name: x\nstep: {'y' * 500}").value) <= 60


class Hit(Strict):
    kind: Literal["hit"]
    hit: dict[str, int] = {}
    amount: int


class Heal(Strict):
    kind: Literal["heal"]
    other: int = 0


class Tagged(Strict):
    effects: list[Annotated[Hit | Heal, Field(discriminator="kind")]] = []
    loose: int | list[int] | None = None
    wrapped: Annotated[int, BeforeValidator(lambda value: value * 2 if isinstance(value, int) else "bad")] = 1


def test_union_tags_are_not_taken_for_keys():
    problem = only("effects:\n  - kind: hit\n    hit: {a: 1}\n", Tagged)
    assert (problem.path, problem.line, problem.column) == ("effects[0].amount", 2, 5)
    problem = only("effects: [{kind: hit, amount: 1, amout: 1}]", Tagged)
    assert problem.path == "effects[0].amout"
    assert problem.hint.startswith("Did you mean `amount`? Known: ")
    problem = only("effects: [{kind: hit, amount: 1, hit: {hit: x}}]", Tagged)
    assert problem.path == "effects[0].hit.hit"


def test_unknown_and_missing_tags():
    problem = only("effects:\n  - other: 1\n    kind: hel", Tagged)
    assert (problem.path, problem.line, problem.column) == ("effects[0].kind", 3, 11)
    assert problem.message == "`kind` cannot be 'hel'"
    assert problem.hint == "Did you mean `heal`? Choose from 'hit', 'heal'."
    assert problem.value == "'hel'"
    problem = only("effects:\n  - other: 1", Tagged)
    assert (problem.path, problem.line, problem.message) == ("effects[0].kind", 2, "`kind` is missing")


def test_a_tag_chosen_by_a_function_points_at_the_mapping():
    def choose(value):
        return value.get("kind") if isinstance(value, dict) else None

    Choice = Annotated[Annotated[Hit, Tag("hit")] | Annotated[Heal, Tag("heal")], Discriminator(choose)]  # noqa: N806

    class Chosen(Strict):
        effect: Choice

    assert only("effect: {kind: x}", Chosen).path == "effect"


def test_each_member_of_a_union_points_at_the_value():
    problems = found("loose: [1, x]", Tagged)
    assert {problem.path for problem in problems} == {"loose", "loose[1]"}


def test_inputs_changed_by_a_validator_still_have_a_place():
    problem = only("wrapped: x", Tagged)
    assert (problem.path, problem.line, problem.column) == ("wrapped", 1, 10)


def test_a_bad_key_at_the_root():
    class Names(RootModel[dict[Name, int]]):
        pass

    problem = only("A: 1", Names)
    assert (problem.path, problem.line, problem.column) == ("A", 1, 1)


class Tree(Strict):
    children: dict[str, "Tree"] = {}


def test_a_deep_place_has_many_readings_and_is_still_found_quickly():
    text = "{children: {children: " * 25 + "{bad: 1}" + "}}" * 25
    problem = only(text, Tree)
    assert problem.path.endswith("children.bad")
    assert problem.hint == "Known: children."


class Odd(Strict):
    pair: tuple[Modifier, Upgrade] | None = None
    many: dict[Annotated[str, StringConstraints(pattern="^x")], Modifier] = {}
    anything: Any = None
    default: object = object()


def test_known_keys_through_every_container():
    assert known_keys(Odd, ["pair", 0]) == ["tier"]
    assert "cost" in known_keys(Odd, ["pair", 1])
    assert known_keys(Odd, ["pair", 2]) == []
    assert known_keys(Odd, ["many", "xa"]) == ["tier"]
    assert known_keys(Odd, ["anything", "a"]) == []
    assert known_keys(RootModel[list[Modifier]], [3]) == ["tier"]


def test_a_model_without_a_schema_loses_only_the_hint():
    class NoSchema(Strict):
        call: Callable[[], int] = int

    problem = only("extra: 1", NoSchema)
    assert problem.hint is None
    assert problem.message == "unknown key `extra`"


def test_overrides_are_named_and_have_no_line():
    document = parse_document("name: x\nupgrades:\n  power_attack: {cost: 1}\n", "f.yaml")
    changed = apply_overrides(document, ["power_attack.cost=-1", "power_attack.cots=1", "name=3"])
    _, problems = check(changed, Rules)
    assert [(p.source, p.line, p.column, p.path) for p in problems] == [
        ("‹overrides› name=3", None, None, "name"),
        ("‹overrides› power_attack.cost=-1", None, None, "upgrades.power_attack.cost"),
        ("‹overrides› power_attack.cots=1", None, None, "upgrades.power_attack.cots"),
    ]


def test_the_finder_looks_positions_up():
    finder = Finder(parse_document("a:\n  b: [1, x]\n  c:\n", "f.yaml"))
    assert not finder.failed
    finder.warning(["a", "b"], "odd")
    assert not finder.failed
    finder.error(["a", "b", 1], "wrong", hint="Mend it.")
    finder.error(["a", "b"], "key", key=True)
    finder.error(["a", "nope", "deeper"], "gone")
    finder.error([], "whole", key=True, value="shown")
    finder.error(["a", "nope"], "no key", key=True)
    assert finder.failed
    seen = [(p.message, p.line, p.column, p.path, p.value, p.severity.value) for p in finder.problems]
    assert seen == [
        ("odd", 2, 6, "a.b", "[1, 'x']", "warning"),
        ("wrong", 2, 10, "a.b[1]", "'x'", "error"),
        ("key", 2, 3, "a.b", "'b'", "error"),
        ("gone", 2, 3, "a.nope.deeper", None, "error"),
        ("whole", 1, 1, None, "'shown'", "error"),
        ("no key", 2, 3, "a.nope", "'nope'", "error"),
    ]
    assert finder.problems[1].hint == "Mend it."
