"""Documents that must not fall behind the code."""

from __future__ import annotations

import re
import shlex
from typing import get_args

import numba
import pytest
import typer
from pydantic import BaseModel
from typer.exceptions import TyperException

from buildsearch.cli import failures
from buildsearch.cli.main import app
from buildsearch.systems.registry import SYSTEMS
from buildsearch.systems.vitality.rules.rulings import Rulings
from buildsearch.systems.vitality.rules.vocabulary import (
    Conditions,
    LastTurn,
    Mechanics,
    Modifiers,
    SinceLastTurn,
)
from scripts.run_docs import ENDLESS, command_lines, lines_to_run, prepare, shows, words_of, wrong_lines

PRINTED = ("enumerate", "validate", "show", "score", "compare", "trace")
WORDS = [
    *Mechanics.model_fields,
    *Conditions.model_fields,
    *Modifiers.model_fields,
    *Rulings.model_fields,
    *SinceLastTurn,
    *LastTurn,
]


@pytest.mark.parametrize("word", WORDS)
def test_every_word_of_the_vocabulary_is_explained(word, repository):
    assert f"`{word}" in (repository / "docs" / "rules-files.md").read_text(encoding="utf-8")


def test_the_readme_begins_with_what_it_is_for_and_an_answer(repository):
    text = (repository / "README.md").read_text(encoding="utf-8")
    assert text.startswith("# buildsearch\n\nFinds the best, dominant and broken builds")
    assert text.index("```console\n$ buildsearch analyze\nBroken: ") < 500
    assert text.index("workbench.png") < text.index("make optimize") < text.index("make test")
    assert len(text.splitlines()) <= 180


@pytest.mark.parametrize("command", [command.name for command in app.registered_commands])
def test_the_readme_shows_every_command(command, repository):
    assert f"buildsearch {command}" in (repository / "README.md").read_text(encoding="utf-8")


def examples(text):
    """Commands of a page, with what they print."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for part in block.removeprefix("$ ").split("\n$ "):
            command, _, printed = part.partition("\n")
            lines = [line.rstrip() for line in printed.rstrip().splitlines()]
            if lines and "my-game" not in command and "|" not in command:
                yield shlex.split(command)[1:], lines


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
@pytest.mark.long
def test_pages_show_what_is_printed(repository, run, elsewhere):
    """Those about a whole run are checked by `scripts/docs --tutorial`."""
    pages = [repository / "README.md", repository / "docs" / "one-build.md"]
    found = [
        each for page in pages for each in examples(page.read_text(encoding="utf-8")) if each[0][0] in PRINTED
    ]
    assert {command[0] for command, _ in found} == set(PRINTED)
    for command, shown in found:
        ended = run(*command)
        printed = [line.rstrip() for line in (ended.err + ended.out).splitlines()]
        assert shows(shown, printed), command


def test_the_readme_shows_the_answer_of_the_tutorial(repository):
    """Which `scripts/docs --tutorial` holds against the real run."""
    pages = [(repository / name).read_text("utf-8") for name in ("README.md", "docs/tutorial.md")]
    answers = [{" ".join(words): shown for words, shown in examples(page)} for page in pages]
    readme, tutorial = (each["analyze"] for each in answers)
    assert readme == [line.replace("My Game", "Vitality v2") for line in tutorial]


def test_the_readme_lists_every_exit_code(repository):
    text = (repository / "README.md").read_text(encoding="utf-8")
    for name, code in vars(failures).items():
        if name.isupper():
            assert f"| {code} |" in text


def keys_of(model, seen):
    """Every key of a checked file, and whether it must be there."""
    for name, field in model.model_fields.items():
        yield name, field.is_required()
        for inner in models_in(field.annotation):
            if inner not in seen:
                yield from keys_of(inner, seen | {inner})


def models_in(annotation):
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for each in get_args(annotation):
        yield from models_in(each)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.id)
def test_every_key_of_scenario_files_is_explained(system, repository):
    pages = [
        repository / "docs" / name for name in ("scenario-files.md", f"{system.id.replace('_', '-')}.md")
    ]
    text = "".join(page.read_text(encoding="utf-8") for page in pages if page.exists())
    for key, is_required in keys_of(system.scenarios_model, set()):
        assert re.search(rf"`([\w.]+\.)?{key}\b", text), key
        if is_required and key != "cards":
            assert re.search(rf"\*\*`([\w.]+\.)?{key}`\*\*", text), f"{key} is required"


def test_every_promise_is_held_by_a_test(repository):
    text = (repository / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?!Attempt \|).*", text, re.MULTILINE)
    assert rows
    for row in rows:
        assert re.search(r"`[\w/]+\.py::\w+` \|$", row), row
    for file, name in re.findall(r"`([\w/]+\.py)::(\w+)`", text):
        assert f"def {name}(" in (repository / "tests" / file).read_text(encoding="utf-8"), f"{file}::{name}"


def test_every_page_is_on_the_map(repository):
    index = (repository / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {path.name for path in (repository / "docs").glob("*.md")} - {"index.md"}
    assert {name for name in pages if f"({name})" not in index} == set()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
@pytest.mark.parametrize("name", ["README.md", "docs/api.md"])
@pytest.mark.long
def test_python_in_the_docs_runs(name, repository, elsewhere, capsys):
    blocks = re.findall(
        r"^```python\n(.*?)^```", (repository / name).read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:  # a page is read from its top: later blocks go on where earlier ones ended
        exec(block.replace("budget=3", 'budget=3, only="boss"'), names)  # noqa: S102 - our own pages
    assert "score" in capsys.readouterr().out


def test_every_command_line_of_the_docs_is_understood():
    """Not run, but read: commands, options and values exist."""
    group = typer.main.get_command(app)
    wrong, seen = [], set()
    for page, line in command_lines():
        words = words_of(line)
        if words and words[0].startswith("--"):
            continue
        seen.add(page)
        try:
            group.commands[words[0]].make_context(words[0], words[1:])
        except KeyError:
            wrong.append((page, line, "no such command"))
        except TyperException as error:
            wrong.append((page, line, error.format_message()))
        except typer.Exit:
            pass
    assert wrong == []
    assert {"README.md", "tutorial.md", "for-designers.md", "for-testers.md", "for-ci.md"} <= seen


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
def test_command_lines_that_answer_at_once_are_run(elsewhere):
    """The others by `scripts/docs --commands`, and those of the tutorial by `scripts/docs --tutorial`."""
    prepare(elsewhere, quick=True)
    assert len(lines_to_run(quick=True)) > 15
    assert wrong_lines(elsewhere, quick=True) == []


def test_no_command_line_is_left_out():
    whole = {words_of(line)[0] for _, line in command_lines() if not words_of(line)[0].startswith("--")}
    ran = {words[0] for quick in (True, False) for _, words, _ in lines_to_run(quick=quick)}
    assert ran == whole - set(ENDLESS)


def test_command_lines_are_narrowed_to_what_commands_understand():
    group = typer.main.get_command(app)
    for _, _, asked in lines_to_run(quick=False):
        group.commands[asked[0]].make_context(asked[0], list(asked[1:]))
