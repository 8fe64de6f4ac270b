"""Nodes know where they are, whatever is around them."""

import json
from contextlib import suppress

import yaml
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.model.errors import InputError
from buildsearch.ruleset.node import format_path
from buildsearch.ruleset.yaml_reader import Position, ScalarError, parse_document, resolve

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
