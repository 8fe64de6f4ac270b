"""The states of a file over revisions: read through git, renames and parents included."""

from __future__ import annotations

import subprocess

import pytest

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.history import file_states

CHILD = "extends: ./parent.yaml\nkind: rules\nsystem: armitage\nid: child\nname: Child\nhand: {hand}\n"


def git(*words):
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], check=True, capture_output=True
    )


@pytest.fixture
def rules(elsewhere, repository):
    """A repository with one committed file, tagged; gives its folder and a function that commits a text."""
    base = (repository / "rules" / "armitage.yaml").read_text(encoding="utf-8")
    git("init", "-q")
    (elsewhere / "rules").mkdir()

    def commit(text, subject, name="mine"):
        (elsewhere / "rules" / f"{name}.yaml").write_text(text, encoding="utf-8")
        git("add", "-A")
        git("commit", "-q", "-m", subject)

    commit(base, "first")
    git("tag", "v1")
    return elsewhere / "rules" / "mine.yaml", base, commit


def subjects(path, revisions):
    return [state.subject for state in file_states(path, revisions)]


def test_the_first_revision_then_every_commit_that_changed_the_file(rules):
    path, base, commit = rules
    commit(base, "another file", name="other")
    commit(base.replace("points: 6", "points: 7"), "seven: points\twith\x1ftricks")
    commit(base.replace("points: 6", "points: 8"), "eight")
    found = file_states(path, "v1..")
    assert [state.subject[:5] for state in found] == ["first", "seven", "eight"]
    assert all(state.hash and state.date[:2] == "20" for state in found)
    assert found == file_states(path, "v1") == file_states(path, "v1..HEAD")
    assert subjects(path, "HEAD~1..HEAD")[-1] == "eight"
    assert len(file_states(path, "HEAD..")) == 1


def test_what_is_not_committed_comes_last_unless_an_end_is_named(rules):
    path, base, _ = rules
    path.write_text(base.replace("points: 6", "points: 9"), encoding="utf-8")
    last = file_states(path, "v1..")[-1]
    assert (last.hash, last.short, last.name) == ("", "now", str(path))
    assert subjects(path, "v1..HEAD") == ["first"]


def test_a_renamed_file_is_followed(rules, elsewhere):
    from buildsearch.workflow.input_files import load_rules

    _, base, commit = rules
    git("mv", "rules/mine.yaml", "rules/later.yaml")
    commit(base.replace("points: 6", "points: 7"), "renamed", name="later")
    commit(base.replace("points: 6", "points: 8"), "eight", name="later")
    found = file_states(elsewhere / "rules" / "later.yaml", "v1..")
    assert [state.path for state in found] == ["rules/mine.yaml", "rules/later.yaml", "rules/later.yaml"]
    assert [load_rules(state.name).model.points for state in found] == [6, 7, 8]


def test_a_change_of_what_it_extends_is_one_of_its_own(rules, elsewhere, monkeypatch):
    _, base, commit = rules
    commit(base, "parent", name="parent")
    commit(CHILD.format(hand=4), "child", name="child")
    git("tag", "v2")
    commit(base.replace("points: 6", "points: 7"), "the parent moves", name="parent")
    commit(CHILD.format(hand=3), "the child moves", name="child")
    monkeypatch.chdir(elsewhere / "rules")
    assert subjects(elsewhere / "rules" / "child.yaml", "v2..") == [
        "child",
        "the parent moves",
        "the child moves",
    ]


def test_what_is_no_history_is_said(rules, tmp_path_factory):
    path, base, commit = rules
    commit(base.replace("points: 6", "points: 7"), "seven")
    for revisions, word in {
        "nope..": "no revision 'nope'",
        "..": "not the name of one revision",
        "v1...HEAD": "not the name of one revision",
        "--output=x..": "not the name of one revision",
        "HEAD..v1": "goes forward",
    }.items():
        with pytest.raises(UsageError, match=word):
            file_states(path, revisions)
    outside = tmp_path_factory.mktemp("outside") / "mine.yaml"
    outside.write_text(base, encoding="utf-8")
    with pytest.raises(UsageError, match="not in the git repository"):
        file_states(outside, "v1..")


def test_outside_a_repository(elsewhere, repository, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(elsewhere.parent))
    with pytest.raises(UsageError, match="no git repository here"):
        file_states(repository / "rules" / "armitage.yaml", "HEAD..")
