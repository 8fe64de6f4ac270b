"""Documents that must not fall behind the code."""

from __future__ import annotations

import pytest

from buildsearch.cli import exit_codes
from buildsearch.cli.main import app
from buildsearch.systems.vitality.rulings import Rulings
from buildsearch.systems.vitality.vocabulary import Conditions, LastTurn, Mechanics, Modifiers, SinceLastTurn

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


def test_the_readme_begins_with_the_two_commands(repository):
    head = (repository / "README.md").read_text(encoding="utf-8")[:400]
    assert head.index("make optimize") < head.index("make test")


@pytest.mark.parametrize("command", [command.name for command in app.registered_commands])
def test_the_readme_shows_every_command(command, repository):
    assert f"buildsearch {command}" in (repository / "README.md").read_text(encoding="utf-8")


def test_the_readme_lists_every_exit_code(repository):
    text = (repository / "README.md").read_text(encoding="utf-8")
    for name, code in vars(exit_codes).items():
        if name.isupper():
            assert f"| {code} |" in text
