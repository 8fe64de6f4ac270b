"""The states of a file over revisions: read through git, renames and parents included."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from buildsearch.library.input_files import load_rules
from buildsearch.model.errors import InputError, UsageError
from buildsearch.ruleset.git import file_states

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
        git("commit", "-q", "--allow-empty-message", "-m", subject)

    commit(base, "first")
    git("tag", "v1")
    return elsewhere / "rules" / "mine.yaml", base, commit


def subjects(path, revisions):
    return [state.subject for state in file_states(path, revisions)]


def test_the_first_revision_then_every_commit_that_changed_the_file(rules):
    path, base, commit = rules
    commit(base, "another file", name="other")
    commit(base.replace("points: 6", "points: 7"), "seven: points\twith\x1ftricks\x1e\x1e")
    commit(base.replace("points: 6", "points: 8"), "eight")
    commit(base.replace("points: 6", "points: 9"), "")
    found = file_states(path, "v1..")
    tricky = "seven: points\twith\x1ftricks\x1e\x1e"
    assert [state.subject for state in found] == ["first", tricky, "eight", ""]
    assert all(state.hash and state.date[:2] == "20" for state in found)
    assert found == file_states(path, "v1") == file_states(path, "v1..HEAD")
    assert subjects(path, "HEAD~2..HEAD~1") == [tricky, "eight"]
    assert subjects(path, "HEAD..") == [""]
    assert len(file_states(path, "HEAD..")) == 1


def test_what_is_not_committed_comes_last_unless_an_end_is_named(rules):
    path, base, _ = rules
    path.write_text(base.replace("points: 6", "points: 9"), encoding="utf-8")
    last = file_states(path, "v1..")[-1]
    assert (last.hash, last.short, last.name) == ("", "now", str(path))
    assert subjects(path, "v1..HEAD") == ["first"]


def test_a_renamed_file_is_followed(rules, elsewhere):
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


# What the config of a repository may name, and git commands that run it.
PROGRAMS = {
    "core.fsmonitor": "fsmonitor",
    "filter.x.clean": "clean",
    "core.hooksPath": "",  # the folder: `post-index-change`
    "gpg.program": "gpg",
    "remote.x.uploadpack": "uploadpack",
}
SETTINGS = {
    "log.showSignature": "true",
    "remote.x.url": ".",
    "remote.x.promisor": "true",
    "protocol.file.allow": "always",
    "core.worktree": "..",
}
RUNNING = ("diff --quiet HEAD --", "log -1", "cat-file -s v1:rules/mine.yaml")
SIGNATURE = "gpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n"


@pytest.fixture
def hostile(rules, elsewhere, tmp_path_factory):
    """A repository whose config names a program wherever it can; gives it and the list of those that ran."""
    _, base, commit = rules
    commit(base.replace("points: 6", "points: 7"), "seven")
    folder = tmp_path_factory.mktemp("programs")
    for name in ("fsmonitor", "clean", "post-index-change", "gpg", "uploadpack"):
        (folder / name).write_text(f"#!/bin/sh\nbasename $0 >>{folder}/ran\nexit 1\n")
        (folder / name).chmod(0o755)
    said = subprocess.check_output(["git", "cat-file", "commit", "HEAD"], text=True)
    signed = said.replace("\n\n", f"\n{SIGNATURE}", 1)
    words = ["git", "hash-object", "-t", "commit", "-w", "--stdin"]
    git("reset", "-q", subprocess.check_output(words, input=signed, text=True).strip())
    blob = subprocess.check_output(["git", "rev-parse", "v1:rules/mine.yaml"], text=True).strip()
    (elsewhere / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    (elsewhere / ".git" / "info" / "attributes").write_text("*.yaml filter=x\n")
    for key, value in SETTINGS.items() | {(key, str(folder / name)) for key, name in PROGRAMS.items()}:
        git("config", key, value)
    return folder / "ran"


@pytest.mark.posix
@pytest.mark.parametrize("is_cloned", [True, False], ids=["bare, in a clone", "unpacked"])
def test_no_program_of_a_repository_is_run(hostile, elsewhere, tmp_path_factory, monkeypatch, is_cloned):
    top = elsewhere
    if is_cloned:  # what git takes for a bare repository is a folder like any other to the clone around it
        outer = tmp_path_factory.mktemp("outer")
        top = outer / "clone" / "game"
        shutil.copytree(elsewhere / ".git", outer / "game")
        shutil.copytree(elsewhere / "rules", outer / "game" / "rules")
        monkeypatch.chdir(outer)
        git("config", "--file", "game/config", "core.worktree", ".")
        for words in ("init -q", "add -f game", "commit -qm x", "clone -q . clone"):
            git(*words.split())
    monkeypatch.chdir(top)
    os.utime("rules/mine.yaml", (1, 1))
    for words in RUNNING:
        subprocess.run(["git", *words.split()], check=False, capture_output=True)
    assert set(hostile.read_text().split()) == {each.name for each in hostile.parent.iterdir()} - {"ran"}

    hostile.unlink()
    os.utime("rules/mine.yaml", (2, 2))
    if is_cloned:
        with pytest.raises(UsageError, match="a bare one has to be named by GIT_DIR"):
            file_states(top / "rules" / "mine.yaml", "v1..")
        with pytest.raises(UsageError, match="a bare one has to be named by GIT_DIR"):
            load_rules("git:v1:rules/mine.yaml")
    else:
        assert subjects(top / "rules" / "mine.yaml", "v1..") == ["first", "seven"]
        with pytest.raises(InputError, match="this clone is partial, and the file was not fetched"):
            load_rules("git:v1:rules/mine.yaml")
    assert not hostile.exists()
