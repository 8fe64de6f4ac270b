"""YAML events to nodes with positions, scalars and every problem."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from contextlib import suppress

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.model.errors import InputError
from buildsearch.ruleset import yaml_reader
from buildsearch.ruleset.node import Position, format_path
from buildsearch.ruleset.yaml_reader import (
    MAX_BYTES,
    MAX_DEPTH,
    Builder,
    ScalarError,
    parse_document,
    parse_value,
    read_document,
    resolve,
)


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def either_loader(request, monkeypatch):
    if not hasattr(yaml, request.param):
        pytest.skip("PyYAML was built without libyaml")
    monkeypatch.setattr(yaml_reader, "_LOADER", getattr(yaml, request.param))


def problems(text):
    with pytest.raises(InputError) as caught:
        parse_document(text, "f.yaml")
    return caught.value.problems


def only(text):
    (problem,) = problems(text)
    return problem


def file_problem(path):
    with pytest.raises(InputError) as caught:
        read_document(path)
    (problem,) = caught.value.problems
    assert problem.source == str(path)
    return problem


def test_a_file_is_read_with_its_hash(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes("name: é\n".encode())
    document = read_document(path)
    assert document.source == str(path)
    assert document.root.plain() == {"name": "é"}
    assert document.text_sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_byte_order_mark_and_windows_lines_are_fine(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    root = read_document(path).root
    assert root.plain() == {"a": 1, "b": 2}
    assert root.key_position("a") == Position(str(path), 1, 1)
    assert root.key_position("b") == Position(str(path), 2, 1)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    problem = file_problem(path)
    assert "50,000,000 bytes" in problem.message
    assert f"{MAX_BYTES:,}" in problem.message
    assert problem.hint


@pytest.mark.skipif(not pathlib.Path("/dev/zero").exists(), reason="needs a device without an end")
def test_an_endless_device_is_refused():
    assert "a pipe or a device" in file_problem(pathlib.Path("/dev/zero")).message


def test_text_that_is_too_large_is_refused():
    assert "too large" in only("# " + "é" * (MAX_BYTES // 2 + 1)).message


def test_latin_1_is_refused_with_its_place(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a: 1\n" + "é".encode() + b": caf\xe9\n")
    problem = file_problem(path)
    assert "byte 0xe9 at offset 12" in problem.message
    assert (problem.line, problem.column) == (2, 7)


def test_a_missing_file_a_folder_and_odd_paths(tmp_path):
    assert file_problem(tmp_path / "none.yaml").message == "there is no such file"
    assert file_problem(tmp_path).message == "this is a folder, not a file"
    assert "cannot be read" in file_problem(tmp_path / "a\0b").message
    assert "cannot be read" in file_problem(tmp_path / ("x" * 5000)).message


def test_a_file_without_permission(tmp_path, monkeypatch):
    path = tmp_path / "a.yaml"
    path.write_text("a: 1")

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(os, "open", refuse)
    assert "permission denied" in file_problem(path).message


REFUSED = yaml.safe_load(pathlib.Path(__file__).with_name("refused.yaml").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("either_loader")
class TestSyntax:
    @pytest.mark.parametrize("case", REFUSED, ids=lambda case: repr(case["text"])[:40])
    def test_every_problem_is_told_at_its_place(self, case):
        found = problems(case["text"])
        assert len(found) == len(case["problems"])
        for problem, expected in zip(found, case["problems"], strict=True):
            for name in ("line", "column", "path", "value"):
                assert name not in expected or getattr(problem, name) == expected[name]
            assert expected.get("message", "") in problem.message
            assert expected.get("hint", "") in (problem.hint or "")

    def test_what_no_file_can_hold(self):
        assert "U+DCE9" in only("a: \udce9").message

    @pytest.mark.parametrize("text", ['a: "\\ud800"', 'a: "\\UFFFFFFFF"', 'a: "\\U00110000"', '"\\ud800": 1'])
    def test_escapes_that_are_no_characters(self, text):
        assert problems(text)

    @pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
    def test_deep_nesting_is_refused_and_does_not_crash(self, opening):
        # `? ` opens a complex key each time, which is refused as well.
        assert f"deeper than {MAX_DEPTH}" in problems(opening * 100_000)[-1].message

    def test_the_deepest_allowed_nesting(self):
        assert parse_document("[" * MAX_DEPTH + "]" * MAX_DEPTH, "f").root.plain()

    def test_a_billion_laughs(self):
        lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
        lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
        problem = only("\n".join(lines))
        assert "more than 200,000 values" in problem.message

    def test_many_plain_values_count_as_well(self, monkeypatch):
        monkeypatch.setattr(yaml_reader, "MAX_NODES", 1000)
        assert parse_document("[" + "1," * 999 + "]", "f")
        assert "more than 1,000 values" in only("[" + "1," * 1000 + "]").message

    def test_a_chain_of_aliases_cannot_get_deep(self):
        lines = ["a0: &a0 [x]"] + [f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 100)]
        assert "nested deeper" in only("\n".join(lines)).message

    def test_aliases_work(self):
        text = "a: &a {x: [1]}\nb: *a\n&k key: &s 5\nc: *k\nd: *s\n"
        root = parse_document(text, "f").root
        assert root.plain() == {"a": {"x": [1]}, "b": {"x": [1]}, "key": 5, "c": "key", "d": 5}
        assert root.at(["b", "x"]).line == 1


def test_python_tags_are_refused_and_not_run(tmp_path):
    witness = tmp_path / "witness"
    found = problems(
        f"a: !!python/object/apply:os.system ['touch {witness}']\nb: !custom 1\n!k c: !!str 3\nd: !x {{}}"
    )
    assert [problem.line for problem in found] == [1, 2, 3, 3, 4]
    assert all("tags are not supported" in problem.message for problem in found)
    assert not witness.exists()


def test_keys_are_text():
    plain = parse_document('3: a\ntrue: b\n~: c\n"<<": 1\n', "f").root.plain()
    assert plain == {"3": "a", "true": "b", "~": "c", "<<": 1}


def test_a_value_from_an_option_has_no_lines():
    node = parse_value("{a: [1]}", "--set x")
    assert node.at(["a", 0]).position == Position("--set x")
    with pytest.raises(InputError) as caught:
        parse_value("{a: 1, a: 2}", "--set x")
    assert caught.value.problems[0].message == "the key `a` is written twice"
    assert caught.value.problems[0].line is None


def test_parser_errors_without_a_place_are_still_problems(monkeypatch):
    def broken(error):
        def parse(*_args, **_kwargs):
            raise error

        return parse

    for error in (yaml.YAMLError("odd"), yaml.MarkedYAMLError(problem="odd"), ValueError("odd")):
        monkeypatch.setattr(yaml, "parse", broken(error))
        assert only("a: 1").message == "this is not YAML: odd"


def test_events_without_marks_and_unknown_events_are_harmless():
    builder = Builder("f")
    builder.feed(yaml.StreamStartEvent())
    builder.feed(yaml.ScalarEvent(None, None, (True, False), "3"))
    assert builder.finish().position == Position("f")


TEXT = """\
# a comment
upgrades:
  power_attack:
    text: |
      several
      lines
    cost: 2
  "quoted": {tier: [1,
    2]}
folded: >
  x

  y
last: 'multi
  line'
list:
- a
- - b
"""


def test_positions_in_a_real_file():
    root = parse_document(TEXT, "f").root
    assert (root.line, root.column) == (2, 1)
    upgrades = root.at(["upgrades"])
    assert upgrades.position == Position("f", 3, 3)
    assert upgrades.at(["power_attack"]).key_position("cost") == Position("f", 7, 5)
    assert upgrades.at(["power_attack", "cost"]).position == Position("f", 7, 11)
    assert upgrades.key_position("quoted") == Position("f", 8, 3)
    assert upgrades.at(["quoted", "tier", 1]).position == Position("f", 9, 5)
    assert root.key_position("last") == Position("f", 14, 1)
    assert root.at(["list", 1, 0]).position == Position("f", 18, 5)
    assert root.at(["last"]).value == "multi line"


def test_at_gives_the_deepest_node_there_is():
    root = parse_document("a: {b: [x]}\n'3': y\n", "f").root
    assert root.at([]) is root
    assert root.at(["a", "b", 0]).value == "x"
    assert root.at(["a", "b", "0"]).value == "x"
    assert root.at([3]).value == "y"
    assert root.at(["a", "nope", 0]) is root.at(["a"])
    for step in (1, -1, "z", "9" * 30):
        assert root.at(["a", "b", step]) is root.at(["a", "b"])
    assert root.at(["a", "b", 0, "deeper"]).value == "x"
    assert root.key_position("nope") == root.position


def test_paths_are_written_as_people_point():
    assert format_path(["exclusions", 2, "group", 0]) == "exclusions[2].group[0]"
    assert format_path([1, "a"]) == "[1].a"
    assert format_path([]) == ""


class Dumper(yaml.SafeDumper):
    """PyYAML quotes what YAML 1.1 would misread; this one quotes what YAML 1.2 would, too."""


def _text(dumper, text):
    try:
        style = None if resolve(text) == text else '"'
    except ScalarError:
        style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


Dumper.add_representer(str, _text)
Dumper.ignore_aliases = lambda *_args: True

words = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(
        ["on", "yes", "1_000", "1:30", "2024-01-01", "null", "3", "1e5", "0x1", ".inf", "<<", "a: b", "\t"]
    ),
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**18) + 1, 10**18 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    words,
)
json_like = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(words.filter(lambda key: key != "<<"), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(json_like, st.sampled_from([True, False, None]))
def test_what_is_dumped_is_read_back(data, flow):
    text = yaml.dump(data, Dumper=Dumper, default_flow_style=flow)
    assert parse_document(text, "f").root.plain() == data


@given(st.text() | st.text("ab:-[]{}&*!|>'\"%#?,@` \t\n<~.1\\u", max_size=40))
def test_any_text_is_either_read_or_refused(text):
    with suppress(InputError):
        json.dumps(parse_document(text, "f").root.plain(), allow_nan=False)


printable = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Zl", "Zp"]), max_size=8)
json_data = st.recursive(
    scalars.filter(lambda value: not isinstance(value, str)) | printable,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(printable, inner, max_size=4),
    max_leaves=20,
)


@given(json_data)
def test_json_is_yaml(data):
    assert parse_document(json.dumps(data, ensure_ascii=False), "f").root.plain() == data


names = st.text("abcxyz_", min_size=1, max_size=5)
trees = st.recursive(
    st.integers(0, 99), lambda inner: st.dictionaries(names, inner, min_size=1, max_size=4), max_leaves=15
).filter(lambda tree: isinstance(tree, dict))


def _write(tree, indent, gaps, lines, path, expected):
    for key, value in tree.items():
        lines.extend(["# gap"] * next(gaps))
        expected[(*path, key)] = (len(lines) + 1, indent + 1)
        if isinstance(value, dict):
            lines.append(" " * indent + f"{key}:")
            _write(value, indent + 2, gaps, lines, (*path, key), expected)
        else:
            lines.append(" " * indent + f"{key}: {value}")


@given(trees, st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_every_key_is_where_it_was_written(tree, gaps):
    def cycle():
        while True:
            yield from gaps

    lines, expected = [], {}
    _write(tree, 0, cycle(), lines, (), expected)
    root = parse_document("\n".join(lines), "f").root
    assert root.plain() == tree
    for path, (line, column) in expected.items():
        assert root.at(path[:-1]).key_position(path[-1]) == Position("f", line, column)
        value = root.at(path)
        if isinstance(value.value, int):
            assert (value.line, value.column) == (line, column + len(path[-1]) + 2)


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
