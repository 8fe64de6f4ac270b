"""Finding rulesets and scenario sets."""

import pathlib

import pytest

from buildsearch.model.errors import UsageError
from buildsearch.ruleset import locate
from buildsearch.ruleset.locate import find_file, list_files


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
