"""`buildsearch meta`: builds against each other."""

from __future__ import annotations

from typing import Annotated

import typer

from buildsearch.cli.failures import INTERRUPTED
from buildsearch.options.fields import Hiding
from buildsearch.options.output import Cluster, Execution, Output
from buildsearch.options.search import MetaOptions, Out

EXAMPLE = (
    "Examples: buildsearch meta --rules my-game.yaml;  "
    "buildsearch meta --rules my-game.yaml --epsilon 0.01 --fights 200000000;  "
    "buildsearch meta --rules my-game.yaml --without some_option --from-run latest;  "
    "buildsearch meta --rules my-game.yaml --out results/meta --json"
)


def command(
    *,
    options: Annotated[MetaOptions, Hiding("only")],
    how: Execution,
    cluster: Cluster = None,
    out: Out = None,
    output: Output,
) -> None:
    """Play builds against each other; list matchups and counters.

    Starts from the best of the leaderboard and adds counters until the best one wins at most half and
    --epsilon. Lists the builds worth playing, their counters and any cycles. Writes matrix.csv,
    matrix.parquet, shares.csv, meta.json and meta.html. For games in which builds can meet.
    """
    from buildsearch.cli.interrupts import finishing
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import scoring_on_terminal
    from buildsearch.library.fight_setup import setup_of
    from buildsearch.library.meta import play_meta

    setup = setup_of(options)
    with scoring_on_terminal(how, output, cluster, finishing) as scoring:
        found = play_meta(setup, options, scoring, out)
    print_document(found.document(), output, tables=False)
    if found.is_partial:
        typer.echo(
            f"buildsearch: interrupted. {found.folder} has what was found so far. Repeat the command to "
            "continue.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED)
