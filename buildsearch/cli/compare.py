"""`buildsearch compare`: two builds side by side."""

from __future__ import annotations

from typing import Annotated

from buildsearch.cli.score import builds_of_arguments
from buildsearch.options.fields import Positional
from buildsearch.options.game import NO_FILTERS, GameOptions
from buildsearch.options.output import Json, Output
from buildsearch.options.search import ScoreFields

EXAMPLE = "Example: buildsearch compare melee_dg+power_attack melee_ac+accurate_attack --tier 4"


def command(
    *,
    first: Annotated[str, Positional("A build, or its rank in the latest run.", metavar="A")],
    second: Annotated[str, Positional("Another build.", metavar="B")],
    game: Annotated[GameOptions, NO_FILTERS],
    how: ScoreFields,
    as_json: Json = False,
) -> None:
    """Put two builds side by side.

    With the probability that A beats B in one fight each, where ties count half.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.library.fight_setup import setup_of
    from buildsearch.library.runs import of_latest_run
    from buildsearch.library.score import score_builds

    game, named, _ = of_latest_run(game, builds_of_arguments([first, second]))
    scored = score_builds(setup_of(game), named, how, watch_on_terminal(quiet=False))
    print_document(scored.compared().document(), Output(json=as_json), tables=False)
