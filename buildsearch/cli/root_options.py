"""Options before any command: the version, and which game of one's own a command is about."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from buildsearch.cli.failures import FINE
from buildsearch.model.errors import UsageError

# A game of one's own, and the rules that commands take unless they are told others.
_GAME, _RULES = "BUILDSEARCH_GAME", "BUILDSEARCH_RULES"


def _print_version(wanted: bool) -> None:
    if wanted:
        from buildsearch.version import __version__

        typer.echo(f"buildsearch {__version__}")
        raise typer.Exit(FINE)


Version = Annotated[
    bool,
    typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True),
]
OwnGame = Annotated[
    str | None,
    typer.Option(
        "--game", help="A game of your own: its file, or its folder. Any place will do.", metavar="PATH"
    ),
]


def hint_at_game() -> None:
    """Something was wrong with what was asked, and it may have been about a game that is here."""
    if not os.environ.get(_GAME) and Path("game.py").is_file():
        typer.echo("buildsearch: there is a game.py here. Is this about your game? Add --game .", err=True)


def take_game(arguments: list[str]) -> None:
    """`--game PATH`, in any place: kept in the environment, so that processes begun here know it too.

    The rules of the game become the default of `--rules`.
    """
    for place, word in enumerate(arguments):
        name, equals, given = word.partition("=")
        if name != "--game":
            continue
        if not equals and place + 1 == len(arguments):
            raise UsageError("--game needs the file of a game, or its folder.")
        os.environ[_GAME] = given if equals else arguments[place + 1]
        del arguments[place : place + (1 if equals else 2)]
        break
    if game := os.environ.get(_GAME):
        from buildsearch.ruleset.locate import add_game_folder, game_path

        path = game_path(game)
        if path is None:
            return
        add_game_folder(path.parent)
        rules = path.with_name("rules.yaml")
        if rules.is_file() and not os.environ.get(_RULES):
            os.environ[_RULES] = os.path.relpath(rules)
