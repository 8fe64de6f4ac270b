"""Rules of a revision: read through git, never through a shell."""

from __future__ import annotations

import subprocess

import pytest

from buildsearch.library.input_files import load_rules
from buildsearch.model.errors import InputError, UsageError

CHILD = "extends: {parent}\nkind: rules\nsystem: armitage\nid: child\nname: Child\nhand: 4\n"


@pytest.fixture
def history(elsewhere, repository):
    """A repository with two commits; gives a function that commits files."""

    def git(*words):
        subprocess.run(["git", *words], check=True, capture_output=True)

    def commit(**files):
        for path, text in files.items():
            target = elsewhere / path.replace("__", "/")
            target = target.with_name(target.name + ".yaml")
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
        git("add", "-A")
        git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "x")

    git("init", "-q")
    base = (repository / "rules" / "armitage.yaml").read_text(encoding="utf-8")
    commit(rules__parent=base.replace("hand: 5", "hand: 3"), rules__child=CHILD.format(parent="parent"))
    commit(
        rules__parent=base.replace("points: 6", "points: 7"),
        rules__child=CHILD.format(parent="./parent.yaml"),
    )
    return elsewhere


def test_a_file_and_what_it_extends_come_from_one_revision(history):
    old, new = (load_rules(f"git:{rev}:rules/child.yaml") for rev in ("HEAD~1", "HEAD"))
    assert (old.model.hand, old.model.points) == (4, 6)
    assert (new.model.hand, new.model.points) == (4, 7)
    assert load_rules("git:HEAD~1:rules/parent.yaml").model.hand == 3
    assert old.document.root.child("hand").source == "git:HEAD~1:rules/child.yaml"
    assert old.document.root.child("points").source == "git:HEAD~1:rules/parent.yaml"


def test_a_parent_that_the_revision_lacks_may_be_a_shipped_one(history):
    (history / "rules" / "armitage.yaml").write_text("not committed", encoding="utf-8")
    (history / "other.yaml").write_text(CHILD.format(parent="armitage"), encoding="utf-8")
    subprocess.run(["git", "add", "other.yaml"], check=True)
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"], check=True)
    assert load_rules("git:HEAD:other.yaml").model.points == 6


def test_paths_with_a_dot_begin_in_the_current_folder(history, monkeypatch):
    monkeypatch.chdir(history / "rules")
    assert load_rules("git:HEAD:./child.yaml").model.points == 7
    assert load_rules("git:HEAD:rules/child.yaml").model.points == 7


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("git:", "does not name a file of a revision"),
        ("git:HEAD", "git:REVISION:PATH"),
        ("git:HEAD:", "git:REVISION:PATH"),
        ("git:--help:rules/child.yaml", "not the name of one revision"),
        ("git:HEAD..HEAD~1:rules/child.yaml", "not the name of one revision"),
        ("git:HEAD;ls:rules/child.yaml", "not the name of one revision"),
        ("git:nowhere:rules/child.yaml", "no revision 'nowhere'"),
        ("git:HEAD:/etc/passwd", "not a path in a repository"),
        ("git:HEAD:../../etc/passwd", "leads out of the repository"),
        ("git:HEAD:rules/../../child.yaml", "leads out of the repository"),
    ],
)
def test_wrong_words_are_refused(history, word, said):
    with pytest.raises(UsageError, match=said.replace(".", r"\.")):
        load_rules(word)


def test_missing_files_and_folders_are_named(history):
    with pytest.raises(InputError, match="HEAD has no such file"):
        load_rules("git:HEAD:rules/none.yaml")
    with pytest.raises(InputError, match="a folder"):
        load_rules("git:HEAD:rules")


def test_a_parent_outside_the_repository_is_refused(history):
    (history / "rules" / "child.yaml").write_text(CHILD.format(parent="../../x.yaml"), encoding="utf-8")
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qam", "x"], check=True)
    with pytest.raises(InputError, match="leads out of the repository"):
        load_rules("git:HEAD:rules/child.yaml")


def test_outside_a_repository_and_without_git(elsewhere, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(elsewhere.parent))
    with pytest.raises(UsageError, match="no git repository"):
        load_rules("git:HEAD:rules/child.yaml")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="git is not installed"):
        load_rules("git:HEAD:rules/child.yaml")
