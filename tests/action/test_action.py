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

# As the command does it: the comment goes to standard output.
BUILDSEARCH = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>calls.txt
case $1 in
  check)
    printf '%s' "${SAID:-}"
    printf '%s' "${COMPLAINED:-}" >&2
    CODE=${CODE_OF_CHECK:-$CODE}
    [ "$CODE" = 2 ] && { echo "rules/x.yaml:3: error: no such thing" >&2; exit 2; }
    [[ " $* " != *" --update-baseline "* ]] || { echo "{}" >"$FOLDER/baseline.json"; exit 0; }
    echo "### Balance: said"
    echo "{}" >"$FOLDER/check.sarif"
    exit "$CODE" ;;
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


def test_a_failed_check_tells_what_is_new_since_the_base(repository, place):
    told = {
        "RULES": "rules/x.yaml",
        "BASE": "abc",
        "CODE": "1",
        "ARGUMENTS": "--tier=3\n--name=a b; $(touch bad)",
    }
    ended = ran(repository, place, "check.sh", GITHUB_OUTPUT="output", RUN_PAGE="https://x/runs/1", **told)
    assert ended.returncode == 0, ended.stderr
    assert (place / "output").read_text() == "code=1\nresult=fail\nfolder=out\nsarif=out/check.sarif\n"
    (call,) = (place / "calls.txt").read_text().splitlines()
    assert call.startswith(
        "check --rules rules/x.yaml --tier=3 --name=a b; $(touch bad) --against abc --junit out/check.xml"
    )
    assert call.endswith("--html out/report.html --markdown")
    assert not (place / "bad").exists()
    comment = (place / "out" / "comment.md").read_text()
    assert comment.startswith("<!-- buildsearch -->\n### Balance: said")
    assert "https://x/runs/1#artifacts" in comment
    assert "### Balance: said" in ended.stdout


def test_the_first_time_there_is_a_baseline_to_commit(repository, place):
    """Without a commit to compare with, old findings are all there is: they can be accepted at once."""
    for base in ({}, {"BASE": "0123456789012345678901234567890123456789"}):
        (place / "calls.txt").unlink(missing_ok=True)
        ended = ran(repository, place, "check.sh", CODE="1", GITHUB_OUTPUT="output", **base)
        assert ended.returncode == 0
        first, second = (place / "calls.txt").read_text().splitlines()
        assert "--against" not in first
        assert "--baseline out/baseline.json --update-baseline" in second
        assert "commit `baseline.json`" in (place / "out" / "comment.md").read_text()
        assert (place / "out" / "baseline.json").is_file()


@pytest.mark.parametrize(("code", "result"), [("0", "pass"), ("4", "inconclusive")])
def test_without_a_failure_there_is_nothing_to_accept(repository, place, code, result):
    ended = ran(repository, place, "check.sh", CODE=code, GITHUB_OUTPUT="output")
    assert ended.returncode == 0
    assert f"result={result}\n" in (place / "output").read_text()
    assert len((place / "calls.txt").read_text().splitlines()) == 1


def test_rules_that_cannot_be_read_are_told_as_they_are(repository, place):
    ended = ran(repository, place, "check.sh", CODE="2", RULES="rules/x.yaml", BASE="abc")
    assert ended.returncode == 2
    comment = (place / "out" / "comment.md").read_text()
    assert "### Balance: error" in comment
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


PIP = """#!/usr/bin/env bash
printf 'pip %s\\n' "$*" >>calls.txt
"""


def recipe(repository, host):
    """The workflow of a code host in docs/for-ci.md."""
    text = (repository / "docs" / "for-ci.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {host}\n(.*?)(?=^## )", text, re.M | re.S)[1]
    return yaml.safe_load(re.search(r"^```yaml\n(.*?)^```", section, re.M | re.S)[1])


@pytest.mark.parametrize("host", ["GitHub", "GitLab"])
def test_a_recipe_installs_from_git_and_checks_against_the_target(repository, place, run, host):
    """Its lines as the code host runs them, with stand-ins for pip and buildsearch."""
    if host == "GitHub":
        steps = recipe(repository, host)["jobs"]["check"]["steps"]
        lines = [step["run"] for step in steps if "run" in step]
        lines = [line.replace("${{ github.base_ref }}", "main") for line in lines]
        assert any(step.get("with", {}).get("fetch-depth") == 0 for step in steps)
    else:
        job = recipe(repository, host)["balance"]
        lines = job["script"]
        assert job["variables"]["GIT_DEPTH"] == 0
        assert "slim" not in job["image"]  # which has no git
    for name, text in (("pip", PIP), ("buildsearch", BUILDSEARCH)):
        (place / name).write_text(text)
        (place / name).chmod(0o755)
    told = {"CODE": "0", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
    for line in lines:
        ended = ran(repository, place, line, **told)
        assert ended.returncode == 0, ended.stderr
    pip, check = (place / "calls.txt").read_text().splitlines()
    assert re.fullmatch(r"pip install git\+https://\S+/buildsearch@main", pip)
    assert check.startswith("check --against origin/main ")
    known = run("check", "--help").out
    assert all(flag in known for flag in re.findall(r"--[a-z-]+", check))


def test_hooks_for_pre_commit_are_commands_that_exist(repository, run):
    hooks = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["entry"] for hook in hooks] == ["buildsearch validate", "buildsearch check --against HEAD"]
    for hook in hooks:
        _, command, *flags = hook["entry"].split()
        known = run(command, "--help").out
        assert all(flag in known for flag in flags if flag.startswith("--"))
        assert re.search(hook["files"], "rules/my-game.yaml")


def test_the_action_has_the_inputs_that_docs_name(repository):
    text = (repository / "docs" / "for-ci.md").read_text(encoding="utf-8")
    action = yaml.safe_load((repository / "action.yml").read_text(encoding="utf-8"))
    (named,) = re.findall(r"Its inputs are (.*?)\.", text, re.S)
    assert set(re.findall(r"`(\w+)`", named)) == set(action["inputs"])
    for path in (repository / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
        steps = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
        for script in re.findall(r"scripts/\w+", " ".join(steps)):
            assert (repository / script).is_file()
