"""`buildsearch trace`: one fight, turn by turn."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from buildsearch.cli.option_groups import Opponents, Overrides, Parameters
from buildsearch.cli.options import DEFAULT_RULES, JsonOption, RulesOption, SeedOption

if TYPE_CHECKING:
    from buildsearch.model.evaluation import Fight, Replay

EXAMPLE = (
    "Examples: buildsearch trace melee_dg+bleed --scenario boss --seed 7;  "
    "buildsearch trace melee_dg+bleed --scenario boss --pick worst --of 1000"
)


class Pick(StrEnum):
    """Which of many fights to show."""

    WORST = "worst"
    MEDIAN = "median"
    BEST = "best"


def command(
    *,
    build: Annotated[str, typer.Argument(metavar="BUILD", help="The build that fights.")],
    scenario: Annotated[
        str | None, typer.Option("--scenario", help="Which scenario of the set. Default: its first.")
    ] = None,
    seed: SeedOption = 0,
    pick: Annotated[
        Pick | None,
        typer.Option("--pick", help="Show the worst, median or best of the fights from this seed on."),
    ] = None,
    of: Annotated[
        int, typer.Option("--of", help="How many fights to pick from.", min=1, max=1_000_000)
    ] = 1_000,
    rules: RulesOption = DEFAULT_RULES,
    parameters: Parameters,
    opponents: Opponents,
    overrides: Overrides,
    json_: JsonOption = False,
) -> None:
    """Show one fight turn by turn.

    Every roll, modifier, hit, trigger and defeat, from the readable reference.
    """
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import make_request
    from buildsearch.library.fight_setup import setup_of
    from buildsearch.library.fights import picked_seed
    from buildsearch.model.request import Request
    from buildsearch.views.trace import trace_document

    only = [scenario] if scenario else None
    setup = setup_of(
        make_request(
            Request, rules, overrides=overrides, parameters=parameters, opponents=opponents, scenario=only
        )
    )
    (chosen,) = setup.read_builds([build])
    fight = next(iter(setup.fights.values()))
    if pick is not None:
        seed = picked_seed(setup, chosen, fight, pick.value, seed, of, watch_on_terminal(quiet=False))
    replay = setup.loaded.system.replayer(setup.loaded.model).replay(chosen, fight, seed)
    if json_:
        typer.echo(json.dumps(trace_document(setup.space.name(chosen), fight.name, replay).data))
    else:
        _print(setup.space.name(chosen), fight, replay)


def _print(name: str, fight: Fight, replay: Replay) -> None:
    from textwrap import TextWrapper

    from rich.text import Text

    from buildsearch.document.terminal import make_console

    console = make_console()
    console.print(Text(f"{name} against {fight.name}, seed {replay.seed}", style="bold"), soft_wrap=True)
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
