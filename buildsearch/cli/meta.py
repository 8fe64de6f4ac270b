"""`buildsearch meta`: builds against each other."""

from __future__ import annotations

from typing import Annotated

import typer

from buildsearch.cli.clusters import ClusterOption, on_cluster
from buildsearch.cli.exit_codes import INTERRUPTED
from buildsearch.cli.option_groups import Filters, Kept, Opponents, Overrides, Parameters
from buildsearch.cli.options import (
    DEFAULT_RULES,
    JobsOption,
    JsonOption,
    QuietOption,
    RulesOption,
    SeedOption,
)

EXAMPLE = (
    "Examples: buildsearch meta --rules my-game.yaml;  "
    "buildsearch meta --rules my-game.yaml --epsilon 0.01 --fights 200000000;  "
    "buildsearch meta --rules my-game.yaml --without some_option --from-run latest;  "
    "buildsearch meta --rules my-game.yaml --out results/meta --json"
)


def command(
    *,
    rules: RulesOption = DEFAULT_RULES,
    parameters: Parameters,
    filters: Filters,
    opponents: Opponents,
    epsilon: Annotated[
        float,
        typer.Option(
            "--epsilon", min=1e-4, max=0.4, help="Stop when the best counter wins at most half and this."
        ),
    ] = 0.02,
    fights: Annotated[int, typer.Option("--fights", min=0, help="Fights at most.")] = 50_000_000,
    start: Annotated[
        int, typer.Option("--start", min=1, max=100, help="Builds of the leaderboard to start from.")
    ] = 8,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from-run", help="Start from the best of this run of optimize: its folder, or `latest`."
        ),
    ] = None,
    pool: Annotated[int, typer.Option("--pool", min=2, max=600, help="Builds in the matrix at most.")] = 100,
    trials: Annotated[
        int | None,
        typer.Option("--trials", min=1, help="Builds tried against each mixture where there are too many."),
    ] = None,
    alpha: Annotated[
        float, typer.Option("--alpha", min=1e-9, max=0.5, help="The chance that any bound is wrong.")
    ] = 0.05,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    cluster: ClusterOption = None,
    overrides: Overrides,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Folder to write to. Default: one under results/.")
    ] = None,
    kept: Kept,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play builds against each other; list matchups and counters.

    Starts from the best of the leaderboard and adds counters until the best one wins at most half and
    --epsilon. Lists the builds worth playing, their counters and any cycles. Writes matrix.csv,
    matrix.parquet, shares.csv, meta.json and meta.html. For games in which builds can meet.
    """
    from buildsearch.cli.interrupts import finishing
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import make_request
    from buildsearch.library.fight_setup import check_jobs, setup_of
    from buildsearch.library.meta import play_meta
    from buildsearch.model.request import MetaRequest
    from buildsearch.views.meta import matchups

    check_jobs(jobs)
    request = make_request(
        MetaRequest,
        rules,
        overrides=overrides,
        parameters=parameters,
        filters=filters,
        opponents=opponents,
        epsilon=epsilon,
        fights=fights,
        start=start,
        from_run=from_,
        pool=pool,
        trials=trials,
        alpha=alpha,
        seed=seed,
    )
    watch = watch_on_terminal(quiet=quiet or json_, on_interrupt=finishing)
    setup = setup_of(request)
    with on_cluster(cluster, jobs=jobs, quiet=quiet):
        met = play_meta(setup, request, out, cache=kept.folder, jobs=jobs, watch=watch)
    page = matchups(met.meta, setup.loaded.model.name, met.total, met.about, str(met.folder))
    print_document(page, json_=json_, tables=False, quiet=quiet)
    if met.meta.is_partial:
        typer.echo(
            f"buildsearch: interrupted. {met.folder} has what was found so far. Repeat the command to "
            "continue.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED)
