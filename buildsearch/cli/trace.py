"""`buildsearch trace`: one fight, turn by turn."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.option_groups import Opponents, Overrides, Parameters
from buildsearch.cli.options import DEFAULT_RULES, JsonOption, RulesOption, SeedOption

if TYPE_CHECKING:
    from buildsearch.model.evaluation import Fight, Replay
    from buildsearch.workflow.fight_setup import FightSetup

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
    from buildsearch.cli.requests import make_request
    from buildsearch.model.request import Request
    from buildsearch.workflow.fight_setup import setup_of

    only = [scenario] if scenario else None
    setup = setup_of(
        make_request(
            Request, rules, overrides=overrides, parameters=parameters, opponents=opponents, scenario=only
        )
    )
    (chosen,) = setup.read_builds([build])
    fight = next(iter(setup.fights.values()))
    if pick is not None:
        seed = _picked_seed(setup, chosen, fight, pick, seed, of)
    replay = setup.loaded.system.replayer(setup.loaded.model).replay(chosen, fight, seed)
    if json_:
        head = {
            "build": setup.space.name(chosen),
            "scenario": fight.name,
            "seed": seed,
            "value": replay.value,
        }
        typer.echo(json.dumps({**head, "events": replay.events}))
    else:
        _print(setup.space.name(chosen), fight, replay)


def _picked_seed(setup: FightSetup, build: Any, fight: Fight, pick: Pick, seed: int, of: int) -> int:
    from buildsearch.cli.progress import progress_bar

    system = setup.loaded.system
    replayer = system.replayer(setup.loaded.model)
    values = []
    with progress_bar("fights", of, quiet=False) as advance:
        for candidate in range(seed, seed + of):
            values.append((replayer.value(build, fight, candidate), candidate))
            advance(1)
    # The primary metric says which end is the good one; ties go to the first seed.
    best_first = sorted(
        values, key=lambda value: (-value[0] if system.metrics[0].higher_is_better else value[0], value[1])
    )
    if pick is Pick.WORST:
        worst = best_first[-1][0]
        return min(candidate for value, candidate in values if value == worst)
    return best_first[0 if pick is Pick.BEST else (of - 1) // 2][1]


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
