"""Reading YAML: what is refused, and that all of it is said at once."""

import hashlib
import os
import pathlib

import pytest
import yaml

from buildsearch.model.errors import InputError
from buildsearch.ruleset import yaml_reader
from buildsearch.ruleset.yaml_reader import (
    MAX_BYTES,
    MAX_DEPTH,
    Builder,
    Position,
    parse_document,
    parse_value,
    read_document,
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


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "\ufeff"])
def test_an_empty_file(text):
    problem = only(text)
    assert problem.message == "there is nothing in it"
    assert problem.line is None


@pytest.mark.usefixtures("either_loader")
class TestSyntax:
    def test_tabs(self):
        problem = only("a: 1\n\tb: 2\n")
        assert problem.message.startswith("this is not YAML: ")
        assert (problem.line, problem.column) == (2, 1)
        assert problem.hint == "Indent with spaces, not with tabs."

    @pytest.mark.parametrize(
        "text", ["a: 'x", "a: b: c", "- [", "a: @x", "{a: 1", "a: %x", "%YAML 2.0\n---\na: 1"]
    )
    def test_bad_yaml(self, text):
        problem = only(text)
        assert problem.message.startswith("this is not YAML: ")
        assert problem.line is not None

    @pytest.mark.parametrize("text", ['a: "\\ud800"', 'a: "\\UFFFFFFFF"', 'a: "\\U00110000"', '"\\ud800": 1'])
    def test_escapes_that_are_no_characters(self, text):
        assert problems(text)

    def test_a_second_document(self):
        problem = only("a: 1\n---\nb: 2\n")
        assert "more than one YAML document" in problem.message
        assert problem.line == 2

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

    def test_an_alias_that_contains_itself(self):
        problem = only("a: &a\n  - 1\n  - *a\n")
        assert problem.message == "the alias `*a` contains itself"
        assert (problem.line, problem.path) == (3, "a[1]")

    def test_an_alias_without_anchor(self):
        assert only("a: *nope").message == "the alias `*nope` has no anchor before it"


def test_python_tags_are_refused_and_not_run(tmp_path):
    witness = tmp_path / "witness"
    found = problems(
        f"a: !!python/object/apply:os.system ['touch {witness}']\nb: !custom 1\n!k c: !!str 3\nd: !x {{}}"
    )
    assert [problem.line for problem in found] == [1, 2, 3, 3, 4]
    assert all("tags are not supported" in problem.message for problem in found)
    assert not witness.exists()


def test_a_tagged_empty_root_is_refused():
    assert "tags" in only("!!null").message


def test_merge_keys_are_refused():
    problem = only("base: &b {x: 1}\nother:\n  <<: *b\n")
    assert "merge keys" in problem.message
    assert (problem.line, problem.column, problem.path) == (3, 3, "other.<<")
    assert problem.hint
    assert parse_document('"<<": 1', "f").root.plain() == {"<<": 1}


def test_every_duplicate_key_is_reported_with_both_lines():
    found = problems("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\na: 4\na: 5\n")
    assert [(p.line, p.path) for p in found] == [(5, "b.c"), (6, "a"), (7, "a")]
    assert "on line 3 and on line 5" in found[0].message
    assert "on line 1 and on line 7" in found[2].message


def test_keys_are_text_and_complex_keys_are_refused():
    assert parse_document("3: a\ntrue: b\n~: c\n", "f").root.plain() == {"3": "a", "true": "b", "~": "c"}
    found = problems("x: &x 1\n? [a, b]\n: 1\n? {c: d}\n: 2\n*x : 3\ny: 1\ny: 2\n")
    assert [problem.line for problem in found] == [2, 4, 6, 8]
    assert "plain text" in found[0].message


def test_control_characters():
    problem = only("a: 1\nbc: x\x00\x01\n")
    assert "U+0000" in problem.message
    assert (problem.line, problem.column) == (2, 6)
    assert "U+DCE9" in only("a: \udce9").message


def test_numbers_that_are_no_numbers_are_reported_together():
    found = problems("a: .inf\nb: [.nan, -.INF, 1e999]\nc: 1234567890123456789\n")
    assert [problem.path for problem in found] == ["a", "b[0]", "b[1]", "b[2]", "c"]
    assert found[0].message == "not a finite number: .inf"
    assert found[0].value == ".inf"
    assert "18 digits" in found[4].message


def test_errors_before_bad_syntax_are_kept():
    found = problems("a: 1\na: 2\nb: [\n")
    assert "written twice" in found[0].message
    assert "not YAML" in found[1].message


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
