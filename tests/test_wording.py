"""What users read: options that exist, words that were replaced, pages of a bounded length."""

from __future__ import annotations

import re
from functools import cache

import pytest
import typer

from buildsearch.cli.main import app
from scripts.wording import problems, texts

# 2,500 for all pages but the one about games of your own, which came later.
MOST_README, MOST_DOCS, MOST_YOUR_GAME = 180, 2_500, 265
# Options of other programs that messages and pages name.
OF_OTHERS = {
    "--follow",
    "--nthreads",
    "--nworkers",
    "--hostfile",
    "--quick",
    "--bless",
    "--rm",
    "--user",
    "--build-arg",
}
# Replaced words of the design: none is in the help of a command.
REPLACED = (
    r"\b(dear|hopeless|culprits?|mend(s|ed|ing)?|cures?|blame|headroom|freedom|indifference)\b",
    r"\b(reference level|far above|far below|nobody|somebody|everybody|whoever)\b",
    r"--(floor|race-fights|among|trust|hold-out|steps|proposals|from-git|no-blame|headroom)\b",
    r"\bmc\b|\bprices?\b",
)


@cache
def help_of(name):
    command = typer.main.get_command(app).commands[name]
    with command.make_context(name, [], resilient_parsing=True) as context:
        return command.get_help(context)


def commands():
    return sorted(typer.main.get_command(app).commands)


def options():
    """Every option of every command, and those of the program itself."""
    found = {"--help", "--version", "--game", "--install-completion", "--show-completion"}
    for command in typer.main.get_command(app).commands.values():
        for parameter in command.params:
            found |= {*parameter.opts, *parameter.secondary_opts}
    return found


def test_the_wording_is_fine():
    assert list(problems()) == []


def test_every_option_that_a_message_names_exists():
    known = options() | OF_OTHERS
    named = {
        (file, option)
        for file, _, text, is_docs in texts()
        if not is_docs and file.endswith(".py")
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)
    }
    assert {(file, option) for file, option in named if option not in known} == set()


@pytest.mark.parametrize("name", commands())
@pytest.mark.parametrize("pattern", REPLACED)
def test_no_help_has_a_word_that_was_replaced(name, pattern):
    assert re.findall(pattern, help_of(name), re.IGNORECASE) == []


def test_pages_are_of_a_bounded_length(repository):
    def lines(path):
        return len(path.read_text(encoding="utf-8").splitlines())

    assert lines(repository / "README.md") <= MOST_README
    pages = {path.name: lines(path) for path in (repository / "docs").glob("*.md")}
    assert pages.pop("your-game.md") <= MOST_YOUR_GAME
    assert sum(pages.values()) <= MOST_DOCS
