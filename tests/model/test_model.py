"""The vocabulary: chunks, problems, names in Markdown, checked fields."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from pydantic import TypeAdapter, ValidationError

from buildsearch.model.errors import BuildsearchError, InputError, Problem, Severity, UsageError
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
from buildsearch.model.space import Chunk, Feature, Wanted
from buildsearch.model.text import as_text, table_lines


def test_a_chunk_is_as_long_as_its_rows():
    assert len(Chunk("ranged", np.zeros((3, 2), dtype=np.uint64))) == 3


def test_everything_is_wanted_unless_told():
    assert Wanted() == Wanted(groups=(), with_features=(), without_features=())
    assert Feature("card").level == 1


@pytest.mark.parametrize(
    ("problem", "where"),
    [
        (Problem("x"), "input"),
        (Problem("x", "file.yaml"), "file.yaml"),
        (Problem("x", "file.yaml", 3), "file.yaml:3"),
        (Problem("x", "file.yaml", 3, 7), "file.yaml:3:7"),
        (Problem("x", "file.yaml", None, 7), "file.yaml"),
    ],
)
def test_where_is_what_editors_can_follow(problem, where):
    assert problem.where == where


def test_a_problem_reads_as_a_sentence():
    problem = Problem("unknown id `x`", "f.yaml", 1, 2, "a.b", "x", "Did you mean `y`?")
    assert str(problem) == "f.yaml:1:2: unknown id `x` (at a.b) Did you mean `y`?"
    assert str(Problem("bare")) == "input: bare"
    assert problem.severity is Severity.ERROR


def test_an_input_error_carries_every_problem():
    error = InputError(Problem(text) for text in ("one", "two"))
    assert [problem.message for problem in error.problems] == ["one", "two"]
    assert str(error) == "input: one\ninput: two"


def test_there_is_one_base_for_what_users_can_mend():
    assert issubclass(InputError, BuildsearchError)
    assert issubclass(UsageError, BuildsearchError)


PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What GitHub makes links and notifications of wherever it stands as text, escaped or not.
LINKED = re.compile(r"@|//|www\.|#\d|GH-\d", re.IGNORECASE)
WORDS = ("@name", "http://e", "www.e", "#1", "GH-1", "o/r#1", "`", "``", "|", "\\", "<b>", "*", "_", "[x](y)")
LETTERS = st.sampled_from([*WORDS, *"~!-:.> \n\t\x1b\u202e$az1"])


@given(st.lists(LETTERS, max_size=12).map("".join))
@example("x @name http://e")
@example("`a\\| @name` b `c | <img src=x>")
@example("a `b`c`d` @e `f`.@g")
def test_nothing_in_a_cell_is_markup(words):
    tokens = PARSER.parse("\n".join(table_lines(("a", "b"), [(words, "end")])))
    cells = [each for each in tokens if each.type == "inline"]
    assert [each.content for each in (*cells[:2], *cells[3:])] == ["a", "b", "end"]
    for each in cells[2].children:
        assert each.type in ("text", "code_inline")
        assert each.type == "code_inline" or not LINKED.search(each.content)
        assert each.content.isprintable()


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("bleed costs 2 (+1), was 1 -> line 7.", "bleed costs 2 (+1), was 1 -> line 7."),
        ("`balance --apply 1` writes melee_dg.", "`balance --apply 1` writes `melee_dg.`"),
        ("x @name http://e", "x `@name` `http://e`"),
    ],
)
def test_only_what_could_be_markup_looks_like_code(words, shown):
    assert as_text(words) == shown


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
