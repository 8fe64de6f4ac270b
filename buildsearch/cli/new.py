"""`buildsearch new`: a game of your own in Python, from a small duel that runs at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from buildsearch.options.fields import Flag, Positional

EXAMPLE = "Example: buildsearch new my-game"
_TEMPLATE = Path(__file__).with_name("template")


def command(
    *,
    name: Annotated[str, Positional("Name of the game, e.g. my-game.", metavar="NAME")],
    out: Annotated[Path | None, Flag("Folder of the game. Default: its name.", "--out", "-o")] = None,
) -> None:
    """Start a game of your own in Python.

    Writes a folder with a small duel that runs at once, its numbers, its fights and a test. `init` changes
    the numbers of a game that buildsearch has.
    """
    from buildsearch.files.atomic import write_whole
    from buildsearch.model.errors import UsageError

    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,40}", name):
        raise UsageError(
            f"`{name}` cannot be a name: use lower-case letters, digits and dashes, e.g. my-game."
        )
    folder = out or Path(name)
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} exists already, and is not empty. Choose another name, or ‹out›.")
    words = {"@ID@": name.replace("-", "_"), "@TITLE@": name.replace("-", " ").replace("_", " ").title()}
    for template in sorted(_TEMPLATE.glob("*.txt")):
        text = template.read_text(encoding="utf-8")
        for mark, word in words.items():
            text = text.replace(mark, word)
        write_whole(folder / template.stem, text)
    typer.echo(f"Wrote {folder}: game.py, rules.yaml, scenarios.yaml, test_game.py and README.md.")
    typer.echo(f"Next: cd {folder}, then buildsearch optimize --game .")
