"""The action on a pull request that means ill: nothing in the checkout is run, obeyed or markup."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile

import pytest
import yaml
from markdown_it import MarkdownIt

from tests.action.test_action import MARKED, place, pytestmark, ran  # noqa: F401 - fixtures

MODULES = (
    *("json", "secrets", "sitecustomize", "usercustomize", "setup", "backend", "yaml"),
    *("pip/__init__", "pip/__main__", "buildsearch/__init__", "buildsearch/__main__"),
    *("multiprocessing/__init__", "numba/__init__"),
)
FILES = {
    "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
    "setup.cfg": "[install]\nprefix = ran\n",
    "pip.conf": "[global]\nlog = ran\n",
    ".python-version": "ran\n",
    ".numba_config.yaml": "cache_dir: ran\n",
}


@pytest.fixture
def hostile(place, tmp_path_factory):  # noqa: F811
    """The place with all of that in it; gives the file that says what was run."""
    marker = tmp_path_factory.mktemp("marker") / "ran"
    for name in MODULES:
        path = place / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"open({str(marker)!r}, 'a').write({name!r} + ' ')\n")
    for name, text in FILES.items():
        (place / name).write_text(text)
    return marker


@pytest.mark.parametrize("path", ["", "."], ids=["", "PYTHONPATH=."])
def test_no_python_of_the_checkout_is_run(repository, hostile, place, tmp_path_factory, path):  # noqa: F811
    target = tmp_path_factory.mktemp("target")
    wheel = target / "nothing-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("nothing-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: nothing\nVersion: 1\n")
        file.writestr("nothing-1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr("nothing-1.dist-info/RECORD", "")
    told = {"PYTHONPATH": path, "GITHUB_OUTPUT": "output", "CODE": "1", "BASE": "abc", "MARKED": ""}
    told |= {"REPOSITORY": "a/b", "NUMBER": "5", "COMMENT": "out/comment.md"}
    told |= {"PACKAGE": str(wheel), "PIP_TARGET": str(target), "PIP_NO_INDEX": "1"}
    # First with a stand-in for `buildsearch`, which leaves a run to read; then with Python alone.
    for script in ("check.sh", "comment.sh"):
        assert ran(repository, place, script, **told).returncode == 0
    assert "--against abc" in (place / "calls.txt").read_text()
    (place / "python").write_text(f"#!/bin/sh\nexec '{sys.executable}' \"$@\"\n")
    for script in ("install.sh", "check.sh"):
        assert ran(repository, place, script, RULES="rules/none.yaml", **told).returncode == 0
    assert (target / "nothing-1.dist-info").is_dir()
    assert "There is no file rules/none.yaml." in (place / "out" / "comment.md").read_text()
    assert (hostile.read_text() if hostile.exists() else "") == ""
    assert not (place / "ran").exists()


def test_numba_reads_no_folder_of_kernels_from_the_checkout(hostile, place):  # noqa: F811
    program = "import buildsearch; from numba.core import config; print([config.CACHE_DIR])"
    said = subprocess.check_output([sys.executable, "-I", "-c", program], cwd=place, text=True, env={})
    assert said == "['']\n"


def obeyed(log):
    """The lines that GitHub's runner takes for commands: `::x::` first in a line, `##[x]` anywhere."""
    token, found = None, []
    for line in log.splitlines():
        command = re.match(r"\s*::([^: ]+)", line) or re.search(r"##\[([^\]: ]+)", line)
        if command and token is None:
            found.append(line)
            token = line.removeprefix("::stop-commands::") if command[1] == "stop-commands" else None
        elif command and command[1] == token:
            token = None
    return found


def test_github_obeys_no_name_in_the_log(repository, place):  # noqa: F811
    orders = (
        "::add-mask::e\n  ::set-env name=PATH::x\nx ##[add-mask]e\n::stop-commands::x\n::notice file=x::y"
    )
    finding = "::error file=rules/x.yaml,line=1,title=x::too ##[strong]"
    ended = ran(repository, place, "check.sh", CODE="1", SAID=orders, COMPLAINED=f"{orders}\n{finding}")
    lines = obeyed(ended.stdout + ended.stderr)
    assert [line for line in lines if not line.startswith("::stop-commands::")] == [finding]
    tokens = [line.removeprefix("::stop-commands::") for line in lines if "stop" in line]
    assert len({token for token in tokens if re.fullmatch("[0-9a-f]{32}", token)}) == 2
    assert orders in ended.stdout


def test_no_line_ends_the_block_that_it_is_quoted_in(repository, place):  # noqa: F811
    said = "section: |\n" + "".join(f"{'~' * length}\n<img src=x> @name\n" for length in (3, 8, 9, 40))
    ran(repository, place, "check.sh", CODE="2", SAID=said)
    tokens = MarkdownIt("commonmark").parse((place / "out" / "comment.md").read_text())
    (quoted,) = (each.content for each in tokens if each.type == "fence" and each.info == "text")
    assert said in quoted
    assert not [each for each in tokens if each.type != "fence" and "<img" in each.content]


def value(text, known):
    """`${{ x }}` in a text of action.yml; what it names has to be known."""
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: known[found[1]], text)


def holds(condition, known):
    """The conditions of action.yml: `always() && a.b == 'c' && ...`."""
    parts = [part.strip() for part in condition.split("&&")]
    assert parts.pop(0) == "always()"
    found = [re.fullmatch(r"([\w.-]+) (==|!=) '(.*)'", part).groups() for part in parts]
    return all((known[name] == text) == (sign == "==") for name, sign, text in found)


@pytest.mark.parametrize(
    ("code", "result", "ends"),
    [("0", "pass", {}), ("1", "fail", {"Result": 1}), ("2", "error", {"Result": 2})],
)
def test_all_steps_in_order(repository, place, tmp_path_factory, code, result, ends):  # noqa: F811
    """As the runner does it: each step in a shell of its own, and what one puts out is known to the next."""
    temporary = tmp_path_factory.mktemp("temporary")
    action = yaml.safe_load((repository / "action.yml").read_text(encoding="utf-8"))
    known = {f"inputs.{name}": each["default"] for name, each in action["inputs"].items()}
    known |= {"inputs.rules": "rules/x.yaml", "inputs.token": "t", "github.action_ref": "v0.2.0"}
    known |= {"github.event.pull_request.base.sha": "abc", "github.event.pull_request.number": "5"}
    known |= {"github.server_url": "https://x", "github.repository": "a/b", "github.run_id": "1"}
    known |= {"github.event_name": "pull_request", "runner.temp": str(temporary)}
    known |= dict.fromkeys(("steps.check.outputs.code", "steps.check.outputs.sarif"), "")
    given = {"CODE_OF_CHECK": code, "MARKED": MARKED, "GITHUB_ACTION_PATH": str(repository)}
    codes = {}
    for step in action["runs"]["steps"]:
        if "run" not in step or not holds(step.get("if", "always()"), known):
            continue
        told = {name: value(text, known) for name, text in step.get("env", {}).items()} | given
        ended = ran(repository, place, step["run"], GITHUB_OUTPUT=str(temporary / "output"), **told)
        codes[step["name"]] = ended.returncode
        for line in (temporary / "output").read_text().splitlines() if "id" in step else ():
            known[f"steps.{step['id']}.outputs.{line.partition('=')[0]}"] = line.partition("=")[2]
    assert codes == {"Install": 0, "Check": 0, "Comment": 0} | ends
    assert value(action["outputs"]["result"]["value"], known) == result
    assert value(action["outputs"]["folder"]["value"], known) == str(temporary / "buildsearch")
    assert (place / "calls.txt").read_text().splitlines()[0].endswith(f"pip-version-check {repository}")
    posted = (place / "posted.md").read_text()
    assert posted.startswith("<!-- buildsearch -->\n")
    assert "https://x/a/b/actions/runs/1#artifacts" in posted
    assert ("### Balance: said" in posted) == (result != "error")
