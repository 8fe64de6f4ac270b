"""The scripts of the GitHub Action, with a `python` and a `gh` that write down how they were called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

pytestmark = [
    pytest.mark.posix,
    pytest.mark.skipif(shutil.which("bash") is None, reason="the action runs in bash"),
]

# As the command does it: the run lies beside the report, and says what it was asked.
BUILDSEARCH = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>calls.txt
case $1 in
  check)
    printf '%s' "${SAID:-}"
    printf '%s' "${COMPLAINED:-}" >&2
    CODE=${CODE_OF_CHECK:-$CODE}
    [ "$CODE" = 2 ] && { echo "rules/x.yaml:3: error: no such thing" >&2; exit 2; }
    [ -n "${NO_SUMMARY:-}" ] || echo "## check: said" >"$GITHUB_STEP_SUMMARY"
    echo "1 finding"
    echo "{}" >"$FOLDER/check.sarif"
    mkdir -p "$FOLDER/report-run"
    said='{"request": {"rules": "%s"}, "parameters": {"tier": 3, "budget": null}}'
    printf "$said" "$ASKED" >"$FOLDER/report-run/run.json"
    exit "$CODE" ;;
  diff) echo "bleed costs 2, was 1 (line 7)" ;;
  balance)
    [ -z "${HOPELESS:-}" ] || { echo "buildsearch: there are 0 proposals." >&2; exit 2; }
    printf -- '-  cost: 1\\n+  cost: 2\\n~~~\\n' ;;
esac
"""
GH = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>gh.txt
case "$*" in
  "api user"*) [ -n "${ME:-}" ] || exit 1; echo "$ME" ;;
  *--method*)
    [ -z "${FORK:-}" ] || exit 1
    for each in "$@"; do case $each in body=@*) cp "${each#body=@}" posted.md ;; esac; done ;;
  *) printf '%s' "$MARKED" ;;
esac
"""
PYTHON = f"""#!/usr/bin/env bash
case "$*" in
  "-I -m buildsearch "*) shift 3; exec buildsearch-itself "$@" ;;
  *" pip "*) printf '%s %s\\n' "${{SETUPTOOLS_SCM_PRETEND_VERSION_FOR_BUILDSEARCH:-}}" "$*" >>calls.txt ;;
  *) exec '{sys.executable}' "$@" ;;
esac
"""


@pytest.fixture
def place(tmp_path):
    """A repository of rules with the commands in it."""
    for name, text in (("buildsearch-itself", BUILDSEARCH), ("gh", GH), ("python", PYTHON)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "rules").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "rules" / "x.yaml").write_text("id: x\n")
    for words in (["init", "-q"], ["add", "rules"], [*AUTHOR, "commit", "-q", "-m", "x"], ["tag", "abc"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


AUTHOR = ["-c", "user.name=t", "-c", "user.email=t@t"]


def ran(repository, place, script, **told):
    path = os.pathsep.join((str(place), os.environ["PATH"]))
    environment = {"PATH": path, "FOLDER": "out", "ASKED": "rules/x.yaml"} | told
    # A script of the action, or the text of a step as GitHub runs it.
    steps = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    words = [str(repository / "scripts" / "action" / script)] if script.endswith(".sh") else steps
    return subprocess.run(
        ["bash", *words],
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
    assert (place / "output").read_text() == "code=1\nverdict=fail\nfolder=out\nsarif=out/check.sarif\n"
    calls = (place / "calls.txt").read_text().splitlines()
    assert calls[0].startswith(
        "check --rules rules/x.yaml --tier=3 --name=a b; $(touch bad) --junit out/check.xml"
    )
    # Both sides under the parameters of the check, whether an argument or buildsearch.toml said them.
    assert calls[1] == "diff --markdown --quiet --parameter=tier=3 -- git:abc:./rules/x.yaml rules/x.yaml"
    assert calls[2] == "balance out/report-run --patch --quiet"
    assert not (place / "bad").exists()
    comment = (place / "out" / "comment.md").read_text()
    assert comment.startswith("<!-- buildsearch -->\n## check: said")
    assert "bleed costs 2, was 1 (line 7)" in comment
    assert "~~~~~~~~diff\n-  cost: 1\n+  cost: 2\n~~~\n~~~~~~~~\n" in comment
    assert "https://x/runs/1#artifacts" in comment
    assert "1 finding" in ended.stdout


def test_rules_may_be_called_by_name_and_have_no_past(repository, place):
    ended = ran(repository, place, "check.sh", CODE="1", BASE="abc", ASKED="x", GITHUB_OUTPUT="output")
    assert ended.returncode == 0
    assert "-- git:abc:./rules/x.yaml rules/x.yaml" in (place / "calls.txt").read_text()
    (place / "calls.txt").unlink()
    (place / "rules" / "new.yaml").write_text("id: new\n")
    ran(repository, place, "check.sh", CODE="1", BASE="abc", ASKED="new", GITHUB_OUTPUT="output")
    assert "diff" not in (place / "calls.txt").read_text()


def test_where_nothing_mends_it_the_reason_is_told(repository, place):
    ended = ran(repository, place, "check.sh", CODE="1", HOPELESS="1", NO_SUMMARY="1", GITHUB_OUTPUT="output")
    assert ended.returncode == 0
    comment = (place / "out" / "comment.md").read_text()
    assert "## buildsearch check: fail\n\n~~~~~~~~text\n1 finding\n" in comment
    assert "The smallest change that mends it: no answer, because" in comment
    assert "there are 0 proposals." in comment


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


MARKED = "5 stranger\n7 helper\n77 github-actions[bot]\n78 github-actions[bot]\n"


@pytest.mark.parametrize(
    ("marked", "me", "method", "where"),
    [
        ("", "", "POST", "repos/a/b/issues/5/comments"),
        (MARKED, "", "PATCH", "repos/a/b/issues/comments/77"),
        (MARKED, "helper", "PATCH", "repos/a/b/issues/comments/7"),
        (MARKED, "somebody", "POST", "repos/a/b/issues/5/comments"),
        ("5 stranger\n", "", "POST", "repos/a/b/issues/5/comments"),
    ],
)
def test_there_is_one_comment_and_it_is_ours(repository, place, marked, me, method, where):
    (place / "comment.md").write_text("<!-- buildsearch -->\nfine\n")
    told = {"REPOSITORY": "a/b", "NUMBER": "5", "COMMENT": "comment.md", "MARKED": marked, "ME": me}
    ended = ran(repository, place, "comment.sh", **told)
    assert ended.returncode == 0, ended.stderr
    assert f"--method {method} {where} " in (place / "gh.txt").read_text()
    assert (place / "posted.md").read_text() == "<!-- buildsearch -->\nfine\n"


def test_a_token_that_may_not_comment_fails_nothing(repository, place):
    (place / "comment.md").write_text("<!-- buildsearch -->\nfine\n")
    told = {"REPOSITORY": "a/b", "NUMBER": "5", "COMMENT": "comment.md", "MARKED": "", "FORK": "1"}
    ended = ran(repository, place, "comment.sh", **told)
    assert ended.returncode == 0
    assert "::warning title=buildsearch::No comment" in ended.stdout


@pytest.mark.parametrize(
    ("told", "installed"),
    [
        ({"TAG": "v0.2.0"}, "0.2.0 -I -m pip install --disable-pip-version-check /the/action\n"),
        ({"TAG": "main"}, " -I -m pip install --disable-pip-version-check /the/action\n"),
        ({"TAG": "v0.2.0", "PACKAGE": "x==1"}, " -I -m pip install --disable-pip-version-check x==1\n"),
    ],
)
def test_the_action_installs_itself_in_its_version(repository, place, told, installed):
    ended = ran(repository, place, "install.sh", SOURCE="/the/action", **told)
    assert ended.returncode == 0, ended.stderr
    assert (place / "calls.txt").read_text() == installed


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("", ""),
        ("<details>\n\n~~~~~~~~~\n~~~~~~~~\n", "~~~~~~~~~\n\n</details>\n"),
        ("<details>\n\n~~~~~~~~\nx\n~~~~~~~~\n\n", "\n</details>\n"),
    ],
    ids=["plain", "in a block", "after a block"],
)
def test_a_long_comment_is_cut_and_says_so(repository, place, begin, end):
    begin = f"<!-- buildsearch -->\n{begin}"
    (place / "comment.md").write_text(begin + "long ä line\n" * 10_000, encoding="utf-8")
    told = {"REPOSITORY": "a/b", "NUMBER": "5", "COMMENT": "comment.md", "MARKED": ""}
    ended = ran(repository, place, "comment.sh", LC_ALL="C.UTF-8", **told)
    assert ended.returncode == 0, ended.stderr
    posted = (place / "posted.md").read_text(encoding="utf-8")
    assert 50_000 < len(posted) < 65_000
    assert posted.startswith(f"{begin}long ä line\n")
    assert posted.endswith(f"line\n{end}\n... and more than fits into a comment: see the report.\n")


def test_nothing_from_outside_is_part_of_a_script(repository):
    """`${{ inputs.x }}` inside `run` would let a pull request run what it likes."""
    action = yaml.safe_load((repository / "action.yml").read_text(encoding="utf-8"))
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]
    for name in ("check.sh", "comment.sh", "install.sh"):
        assert any(f"action/{name}" in script for script in scripts)


def test_examples_of_workflows_are_yaml_and_call_what_there_is(repository):
    """The action's inputs in docs/for-ci.md are those that action.yml has; scripts are in the repository."""
    text = (repository / "docs" / "for-ci.md").read_text(encoding="utf-8")
    blocks = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", text, re.M | re.S)]
    github, gitlab = blocks
    (used,) = [step for step in github["jobs"]["check"]["steps"] if "buildsearch" in step["uses"]]
    action = yaml.safe_load((repository / "action.yml").read_text(encoding="utf-8"))
    assert set(used["with"]) <= set(action["inputs"])
    assert any(line.startswith("buildsearch check") for line in gitlab["balance"]["script"])
    for path in (repository / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
        steps = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
        for script in re.findall(r"scripts/\w+", " ".join(steps)):
            assert (repository / script).is_file()
