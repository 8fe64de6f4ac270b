"""Unquoted words follow the YAML 1.2 core schema."""

import pytest

from buildsearch.ruleset.yaml_reader import ScalarError, parse_document, resolve


@pytest.mark.parametrize(
    ("word", "value"),
    [
        *[(word, None) for word in ("", "~", "null", "Null", "NULL")],
        *[(word, True) for word in ("true", "True", "TRUE")],
        *[(word, False) for word in ("false", "False", "FALSE")],
        ("0", 0),
        ("-12", -12),
        ("+7", 7),
        ("007", 7),
        ("9" * 18, 10**18 - 1),
        ("1.5", 1.5),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("+1.5E-2", 0.015),
    ],
)
def test_words_with_a_meaning(word, value):
    found = resolve(word)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "word",
    [
        "on",
        "yes",
        "No",
        "1_000",
        "1:30",
        "2024-01-01",
        "0x1F",
        "0o17",
        "tRUE",
        "1e",
        ".",
        "-",
        "1.2.3",
        "٣",
        "inf",
    ],
)
def test_everything_else_is_text(word):
    assert resolve(word) == word
    assert parse_document(f"a: [{word}]", "f").root.plain() == {"a": [word]}


@pytest.mark.parametrize(
    "word", [".inf", "-.Inf", "+.INF", ".nan", ".NaN", "1e400", "1" * 19, "-" + "1" * 5000]
)
def test_refused_numbers(word):
    with pytest.raises(ScalarError):
        resolve(word)


def test_quoted_and_block_scalars_are_text():
    plain = parse_document("a: '3'\nb: \"true\"\nc: |\n  3\nd: ''\n", "f").root.plain()
    assert plain == {"a": "3", "b": "true", "c": "3\n", "d": ""}
