"""`buildsearch trace`: one fight, turn by turn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from buildsearch.options.fields import Hiding, Positional
from buildsearch.options.game import NO_FILTERS, GameOptions
from buildsearch.options.output import Json
from buildsearch.options.search import TraceFields

if TYPE_CHECKING:
    from buildsearch.model.evaluation import Replay

EXAMPLE = (
    "Examples: buildsearch trace melee_dg+bleed --scenario boss --seed 7;  "
    "buildsearch trace melee_dg+bleed --scenario boss --pick worst --of 1000"
)


def command(
    *,
    build: Annotated[str, Positional("The build that fights.", metavar="BUILD")],
    asked: TraceFields,
    game: Annotated[GameOptions, NO_FILTERS, Hiding("only")],
    as_json: Json = False,
) -> None:
    """Show one fight turn by turn.

    Every roll, modifier, hit, trigger and defeat, from the readable reference.
    """
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.library.fight_setup import setup_of
    from buildsearch.library.score import told_fight
    from buildsearch.views.scores import trace_document

    setup = setup_of(game)
    name, scenario, replay = told_fight(setup, build, asked, watch_on_terminal(quiet=False))
    if as_json:
        typer.echo(json.dumps(trace_document(name, scenario, replay).data))
    else:
        _print(name, scenario, replay)


def _print(name: str, scenario: str, replay: Replay) -> None:
    from textwrap import TextWrapper

    from rich.text import Text

    from buildsearch.document.terminal import make_console

    console = make_console()
    console.print(Text(f"{name} against {scenario}, seed {replay.seed}", style="bold"), soft_wrap=True)
    for line in replay.lines:
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        # A build is what a user types again: it is never cut.
        fold = TextWrapper(
            console.width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
        for part in fold.wrap(line):
            console.print(Text(part, style=_style(line)), soft_wrap=True)


def _style(line: str) -> str:
    if not line.startswith(" "):
        return "bold cyan"
    if "defeated" in line:
        return "bold green"
    if "miss" in line:
        return "dim"
    if "critical" in line:
        return "yellow"
    return ""
