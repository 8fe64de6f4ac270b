"""Files by name, checked with the system that reads them."""

from __future__ import annotations

import pathlib
import re

import pytest

from buildsearch.library.input_files import inspect, load_rules, load_scenarios
from buildsearch.model.errors import InputError, UsageError
from buildsearch.ruleset import locate
from buildsearch.ruleset.locate import find_file, list_files


def test_rules_come_with_the_system_that_reads_them():
    loaded = load_rules("vitality-v2", ["bleed.cost=2"], ["retaliation_cap=3"])
    assert (loaded.kind, loaded.system.id, loaded.model.id) == ("rules", "vitality", "vitality-v2")
    assert loaded.model.upgrades["bleed"].cost == 2
    assert loaded.model.rulings.retaliation_cap == 3
    assert load_rules("vitality-v2").model.upgrades["bleed"].cost == 3


def test_scenarios():
    assert load_scenarios("default").kind == "scenarios"
    with pytest.raises(UsageError, match="no scenario set called"):
        load_scenarios("defalt")


def test_an_error_carries_errors_only(tmp_path, rules_text):
    path = tmp_path / "mine.yaml"
    text = rules_text.replace("cost: 3\n", "cost: 99\n", 1).replace(
        "retaliation_cap: 2", "retaliation_cap: no"
    )
    path.write_text(text, encoding="utf-8")
    _, problems = inspect(path)
    assert len(problems) == 2
    with pytest.raises(InputError) as raised:
        load_rules(str(path))
    assert [problem.path for problem in raised.value.problems] == ["rulings.retaliation_cap"]


def test_a_mended_place_is_not_reported_twice(tmp_path, rules_text):
    path = tmp_path / "mine.yaml"
    path.write_text(rules_text.replace("mechanics: {bleed: true}", "mechanics: 7"), encoding="utf-8")
    _, problems = inspect(path)
    assert [problem.path for problem in problems] == ["upgrades.bleed.mechanics"]


def test_the_head_is_checked_first(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("kind: dragons\nsystem: chess\n", encoding="utf-8")
    loaded, problems = inspect(path)
    assert loaded is None
    assert [problem.path for problem in problems] == ["kind", "system"]


def test_who_refers_to_a_broken_entry_is_not_to_blame(tmp_path, rules_text):
    path = tmp_path / "mine.yaml"
    broken = re.sub(r"\n  ricochet:\n(    .*\n)+", "\n  ricochet: 7\n", rules_text, count=1)
    path.write_text(broken, encoding="utf-8")
    _, problems = inspect(path)
    assert [problem.path for problem in problems] == ["upgrades.ricochet"]
    many = "".join(f"  x{i}: *x\n" for i in range(1, 1001))
    first = "  x0: &x {name: X, section: S, cost: 1, modifiers: {damage: {flat: 1}}}\n"
    path.write_text(rules_text.replace("\nupgrades:\n", f"\nupgrades:\n{first}{many}"), encoding="utf-8")
    _, problems = inspect(path)
    assert [problem.path for problem in problems] == ["upgrades"]


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A checkout with one shipped ruleset, and an empty current folder."""
    package = tmp_path / "repo" / "buildsearch"
    package.mkdir(parents=True)
    monkeypatch.setattr(locate, "_PACKAGE", package)
    rules = tmp_path / "repo" / "rules"
    rules.mkdir()
    (rules / "vitality-v2.yaml").write_text("a: 1")
    (rules / "README.md").write_text("no ruleset")
    (rules / "_draft.yaml").write_text("not a name")
    (rules / "folder.yaml").mkdir()
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return tmp_path


def test_shipped_in_a_checkout(house):
    assert find_file("rules", "vitality-v2") == house / "repo/rules/vitality-v2.yaml"
    assert list(list_files("rules")) == ["vitality-v2"]
    assert list_files("scenarios") == {}


def test_shipped_in_a_wheel_goes_before_the_folder_beside(house):
    inside = house / "repo/buildsearch/data/rules"
    inside.mkdir(parents=True)
    (inside / "wheel.yaml").write_text("a: 1")
    assert list_files("rules") == {"wheel": inside / "wheel.yaml"}


def test_the_current_folder_goes_first(house):
    own = house / "work/rules"
    own.mkdir()
    (own / "vitality-v2.yaml").write_text("a: 2")
    (own / "a1.yaml").write_text("a: 2")
    assert find_file("rules", "vitality-v2") == pathlib.Path("rules/vitality-v2.yaml")
    assert find_file("rules", "vitality-v2", house / "work") == own / "vitality-v2.yaml"
    assert list(list_files("rules")) == ["a1", "vitality-v2"]


@pytest.mark.parametrize("given", ["mine.yaml", "mine.YML", "sub/mine", "./mine.yaml"])
def test_paths_of_the_user(house, given):
    path = house / "work" / given
    path.parent.mkdir(exist_ok=True)
    path.write_text("a: 1")
    assert find_file("rules", given) == pathlib.Path(given)
    assert find_file("rules", str(path), house) == path


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("none.yaml", "There is no file none.yaml."),
        ("../work", "is a folder"),
        ("a\0b.yaml", "no"),
        ("x" * 5000 + ".yaml", "no"),
        ("", "not a name of a ruleset"),
        ("-v2", "not a name"),
        ("..", "not a name"),
        ("a b", "not a name"),
        ("vitalty-v2", "Did you mean `vitality-v2`? Known: vitality-v2. A path to a file works too"),
        ("zzzz", "There is no ruleset called `zzzz`. Known: vitality-v2."),
    ],
)
def test_what_is_not_there(given, words):
    with pytest.raises(UsageError) as caught:
        find_file("rules", given)
    assert words in str(caught.value)


def test_an_unusable_path(house, monkeypatch):
    def refuse(_path):
        raise OSError("no")

    monkeypatch.setattr(pathlib.Path, "is_dir", refuse)
    with pytest.raises(UsageError, match="not a usable path"):
        find_file("rules", "a.yaml", house)


def test_an_unknown_shelf_is_a_mistake_of_ours():
    with pytest.raises(ValueError, match="no such shelf"):
        find_file("books", "a")
