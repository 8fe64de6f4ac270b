"""A file over the file that it extends."""

from __future__ import annotations

import pytest

from buildsearch.model.errors import InputError, Severity
from buildsearch.model.levers import Add
from buildsearch.ruleset.extends import read_extended
from buildsearch.ruleset.text_edits import rewrite
from buildsearch.ruleset.yaml_reader import MAX_ANCESTORS

PARENT = """\
kind: rules
system: toy
id: parent
name: Parent
cards:
  light: {cost: 1, tags: [a, b]}
  heavy: {cost: 2}
points: 6
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()

    def write_(name, text):
        path = tmp_path / "rules" / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    write_("parent", PARENT)
    return write_


def child(extends, rest=""):
    return f"extends: {extends}\nkind: rules\nid: child\nname: Child\n{rest}"


def problems_of(path):
    with pytest.raises(InputError) as caught:
        read_extended(path)
    return caught.value.problems


def test_a_file_that_extends_nothing_is_itself(write):
    path = write("parent", PARENT)
    assert read_extended(path).root.plain()["points"] == 6


@pytest.mark.parametrize("parent", ["parent", "parent.yaml", "./parent.yaml", "../rules/parent.yaml"])
def test_by_name_and_by_path(write, parent):
    data = read_extended(write("child", child(parent, "points: 8\n"))).root.plain()
    assert (data["id"], data["name"], data["system"], data["points"]) == ("child", "Child", "toy", 8)
    assert data["cards"]["heavy"] == {"cost": 2}


def test_mappings_merge_lists_replace_null_removes(write):
    text = child(
        "parent",
        "points: null\ncards:\n  heavy: null\n  light: {tags: [c]}\n  heal: {cost: 1}\n",
    )
    data = read_extended(write("child", text)).root.plain()
    assert "points" not in data
    assert data["cards"] == {"light": {"cost": 1, "tags": ["c"]}, "heal": {"cost": 1}}
    assert list(data["cards"]) == ["light", "heal"]


LISTS = "exclusions:\n  - {group: [a, b]}\n  - {group: [b, c]}\n"


@pytest.fixture
def with_lists(write):
    write("parent", PARENT + LISTS)
    return write


def test_a_list_of_its_own_warns_of_what_is_lost(with_lists):
    document = read_extended(with_lists("child", child("parent", "exclusions:\n  - {group: [b, c]}\n")))
    (warning,) = document.warnings
    assert (warning.severity, warning.line, warning.path) == (Severity.WARNING, 6, "exclusions")
    assert "1 entry is lost: {group: ['a', 'b']}" in warning.message
    assert "`exclusions+:`" in warning.hint
    assert read_extended(with_lists("child", child("parent", LISTS))).warnings == ()


def test_plus_adds_to_a_list_and_minus_removes_from_it(with_lists):
    text = "exclusions+: [{group: [d, e]}]\nexclusions-: [{group: [a, b]}]\ncards: {light: {tags+: [c]}}\n"
    document = read_extended(with_lists("child", child("parent", text)))
    data = document.root.plain()
    assert data["exclusions"] == [{"group": ["b", "c"]}, {"group": ["d", "e"]}]
    assert data["cards"]["light"]["tags"] == ["a", "b", "c"]
    assert document.warnings == ()
    assert document.root.at(("exclusions", 1)).source.endswith("child.yaml")


def test_a_first_list_may_be_added(write):
    assert read_extended(write("child", child("parent", "bans+: [x]\n"))).root.plain()["bans"] == ["x"]


def test_values_keep_the_file_they_were_written_in(write):
    path = write("child", child("parent", "cards:\n  light: {tags: [c]}\n"))
    light = read_extended(path).root.at(("cards", "light"))
    assert light.source == str(path)
    assert light.at(("tags",)).source == str(path)
    assert light.at(("cost",)).source.endswith("parent.yaml")
    assert (light.at(("cost",)).line, light.key_position("cost").line) == (6, 6)
    assert light.key_position("tags").source == str(path)


def test_grandparents(write):
    write("middle", child("parent", "points: 7\n").replace("child", "middle"))
    data = read_extended(write("child", child("middle"))).root.plain()
    assert (data["points"], data["id"]) == (7, "child")


def test_the_hash_follows_every_file(write):
    path = write("child", child("parent"))
    before = read_extended(path).text_sha256
    assert before == read_extended(path).text_sha256
    write("parent", PARENT.replace("points: 6", "points: 5"))
    assert read_extended(path).text_sha256 != before


def test_circles(write):
    write("a", child("b"))
    (problem,) = problems_of(write("b", child("a")))
    assert problem.message == "files extend each other in a circle: b.yaml -> a.yaml -> b.yaml"
    (problem,) = problems_of(write("c", child("c")))
    assert (problem.line, problem.path) == (1, "extends")


def test_long_chains(write):
    write("f0", PARENT)
    for i in range(1, MAX_ANCESTORS + 2):
        path = write(f"f{i}", child(f"f{i - 1}"))
        if i <= MAX_ANCESTORS:
            assert read_extended(path).root.plain()["points"] == 6
    (problem,) = problems_of(path)
    assert f"more than {MAX_ANCESTORS} files" in problem.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (child("parnt"), "Did you mean `parent`?"),
        (child("gone.yaml"), "There is no file gone.yaml"),
        (child("[parent]"), "must be a name or a path"),
        ("extends: parent\nkind: rules\nname: Child\n", "`id` is missing"),
        (child("parent", "system: other\n"), "`system` is 'other'"),
        (child("parent", "cards: {haevy: null}\n"), "there is no `haevy` to remove here"),
        (child("parent", "cards: {light: {tags-: [z]}}\n"), "`tags` has no such entry to remove"),
        (child("parent", "cards: {light: {tags+: c}}\n"), "`tags+` must be a list"),
        (child("parent", "cards: {light: {tags: [c], tags+: [d]}}\n"), "`tags` and `tags+` are both here"),
        (child("parent", "points-: [6]\n"), "the parent has no list `points`"),
    ],
)
def test_what_is_refused(write, text, expected):
    (problem,) = problems_of(write("child", text))
    assert expected in problem.message + str(problem.hint)


def test_all_problems_at_once(write):
    text = "extends: parent\nkind: rules\nsystem: other\ncards: {haevy: null}\n"
    assert [problem.path for problem in problems_of(write("child", text))] == [
        "id",
        "name",
        "system",
        "cards.haevy",
    ]


def test_a_wrong_head_is_left_to_its_reader(write):
    assert "points" not in read_extended(write("child", "extends: parent\nkind: rule\n")).root.plain()


def test_an_entry_for_an_inherited_list_is_added_under_plus(with_lists):
    path = with_lists("child", child("parent"))
    add = Add(("exclusions",), {"group": ["d", "e"]})
    once = rewrite(path.read_text(), [add], read_extended(path).root)
    assert once == child("parent") + "exclusions+:\n  - {group: [d, e]}\n"
    twice = rewrite(once, [Add(("exclusions",), {"group": ["e", "f"]})], read_extended(path).root)
    assert twice == once + "  - {group: [e, f]}\n"
    assert len(read_extended(with_lists("child", twice)).root.plain()["exclusions"]) == 4
