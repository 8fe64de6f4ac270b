"""The scripts of the GitHub Action, with a `buildsearch` and a `gh` that write down how they were called."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
import yaml

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the action runs in bash")

BUILDSEARCH = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>calls.txt
case $1 in
  check)
    [ "$CODE" = 2 ] && { echo "rules/x.yaml:3: error: no such thing" >&2; exit 2; }
    echo "## check: said" >"$GITHUB_STEP_SUMMARY"
    echo "{}" >buildsearch-check.sarif
    exit "$CODE" ;;
  diff) echo "bleed costs 2, was 1 (line 7)" ;;
  balance) printf -- '-  cost: 1\\n+  cost: 2\\n~~~\\n' ;;
esac
"""
GH = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>gh.txt
case "$*" in
  *--method*) for each in "$@"; do case $each in body=@*) cp "${each#body=@}" posted.md ;; esac; done ;;
  *) printf '%s' "$MINE" ;;
esac
"""


@pytest.fixture
def place(tmp_path):
    """A folder with both commands in it, and what runs a script there."""
    for name, text in (("buildsearch", BUILDSEARCH), ("gh", GH)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "x.yaml").write_text("id: x\n")
    return tmp_path


def ran(repository, place, script, **told):
    environment = {"PATH": f"{place}{os.pathsep}{os.environ['PATH']}", "FOLDER": "out"} | told
    return subprocess.run(
        ["bash", str(repository / "scripts" / "action" / script)],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_failed_check_tells_verdict_change_and_cure(repository, place):
    told = {
        "RULES": "rules/x.yaml",
        "BASE": "abc",
        "CODE": "1",
        "ARGUMENTS": "--tier=3\n--name=a b; $(touch bad)",
    }
    ended = ran(repository, place, "check.sh", GITHUB_OUTPUT="output", RUN_PAGE="https://x/runs/1", **told)
    assert ended.returncode == 0, ended.stderr
    assert (place / "output").read_text() == "code=1\nverdict=fail\nfolder=out\n"
    calls = (place / "calls.txt").read_text().splitlines()
    assert calls[0].startswith(
        "check --rules rules/x.yaml --tier=3 --name=a b; $(touch bad) --junit out/check.xml"
    )
    assert calls[1] == "diff git:abc:rules/x.yaml rules/x.yaml --markdown --quiet"
    assert calls[2] == "balance out --patch --quiet"
    assert not (place / "bad").exists()
    comment = (place / "out" / "comment.md").read_text()
    assert comment.startswith("<!-- buildsearch -->\n## check: said")
    assert "bleed costs 2, was 1 (line 7)" in comment
    # The patch cannot end the block that it stands in.
    assert "~~~~~~~~diff\n-  cost: 1\n+  cost: 2\n~~~\n\n~~~~~~~~\n" in comment
    assert "https://x/runs/1#artifacts" in comment
    assert (place / "out" / "check.sarif").exists()


@pytest.mark.parametrize(("code", "verdict"), [("0", "pass"), ("4", "inconclusive")])
def test_without_a_failure_there_is_nothing_to_mend(repository, place, code, verdict):
    ended = ran(repository, place, "check.sh", CODE=code, GITHUB_OUTPUT="output")
    assert ended.returncode == 0
    assert f"verdict={verdict}\n" in (place / "output").read_text()
    assert len((place / "calls.txt").read_text().splitlines()) == 1


def test_rules_that_cannot_be_read_are_told_as_they_are(repository, place):
    ended = ran(repository, place, "check.sh", CODE="2", RULES="rules/x.yaml", BASE="abc")
    assert ended.returncode == 2
    comment = (place / "out" / "comment.md").read_text()
    assert "buildsearch check: error" in comment
    assert "rules/x.yaml:3: error: no such thing" in comment


@pytest.mark.parametrize(("mine", "method"), [("", "POST"), ("77", "PATCH")])
def test_there_is_one_comment(repository, place, mine, method):
    (place / "comment.md").write_text("<!-- buildsearch -->\nfine\n")
    told = {"REPOSITORY": "a/b", "NUMBER": "5", "COMMENT": "comment.md", "MINE": mine}
    ended = ran(repository, place, "comment.sh", **told)
    assert ended.returncode == 0, ended.stderr
    where = "repos/a/b/issues/comments/77" if mine else "repos/a/b/issues/5/comments"
    assert f"--method {method} {where}" in (place / "gh.txt").read_text()
    assert (place / "posted.md").read_text() == "<!-- buildsearch -->\nfine\n"


def test_a_long_comment_is_cut_and_says_so(repository, place):
    (place / "comment.md").write_text("<!-- buildsearch -->\n" + "long ä line\n" * 10_000, encoding="utf-8")
    told = {"REPOSITORY": "a/b", "NUMBER": "5", "COMMENT": "comment.md", "MINE": ""}
    ended = ran(repository, place, "comment.sh", LC_ALL="C.UTF-8", **told)
    assert ended.returncode == 0, ended.stderr
    posted = (place / "posted.md").read_text(encoding="utf-8")
    assert len(posted) < 65_000
    assert posted.endswith("see the report.\n")


def test_nothing_from_outside_is_part_of_a_script(repository):
    """`${{ inputs.x }}` inside `run` would let a pull request run what it likes."""
    action = yaml.safe_load((repository / "action.yml").read_text(encoding="utf-8"))
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]
    for name in ("check.sh", "comment.sh"):
        assert any(f"action/{name}" in script for script in scripts)
