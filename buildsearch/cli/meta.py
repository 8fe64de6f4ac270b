"""`buildsearch meta`: who beats whom."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.exit_codes import INTERRUPTED
from buildsearch.cli.option_groups import Filters, Kept, Overrides, Parameters, words_of
from buildsearch.cli.options import (
    DEFAULT_RULES,
    JobsOption,
    JsonOption,
    PlayOption,
    QuietOption,
    RulesOption,
    ScenariosOption,
    SeedOption,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from buildsearch.cli.meeting import Meeting
    from buildsearch.meta.oracle import Meta, Rules
    from buildsearch.model.space import Chunk

EXAMPLE = (
    "Examples: buildsearch meta --rules my-game.yaml;  "
    "buildsearch meta --rules my-game.yaml --epsilon 0.01 --fights 200000000;  "
    "buildsearch meta --rules my-game.yaml --without some_option --from latest;  "
    "buildsearch meta --rules my-game.yaml --out results/meta --json"
)


def command(
    *,
    rules: RulesOption = DEFAULT_RULES,
    parameters: Parameters,
    filters: Filters,
    play: PlayOption = None,
    epsilon: Annotated[
        float,
        typer.Option("--epsilon", min=1e-4, max=0.4, help="Stop when nobody wins more than half and this."),
    ] = 0.02,
    fights: Annotated[
        int, typer.Option("--fights", min=0, help="Fights at most; what they leave open is said.")
    ] = 50_000_000,
    start: Annotated[
        int, typer.Option("--start", min=1, max=100, help="Builds of the leaderboard to start from.")
    ] = 8,
    from_: Annotated[
        str | None,
        typer.Option("--from", help="Start from the best of this run of optimize: its folder, or `latest`."),
    ] = None,
    scenarios: ScenariosOption = None,
    pool: Annotated[int, typer.Option("--pool", min=2, max=600, help="Builds in the matrix at most.")] = 100,
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials", min=1, help="Spaces too large to try every build: so many against each mixture."
        ),
    ] = None,
    alpha: Annotated[
        float, typer.Option("--alpha", min=1e-9, max=0.5, help="The chance that any bound is wrong.")
    ] = 0.05,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    overrides: Overrides,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Folder to write to. Default: one under results/.")
    ] = None,
    kept: Kept,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let builds fight builds: what is worth playing when everybody may answer everybody?

    Starts from the best of the leaderboard, finds their equilibrium, looks among all builds for one that
    beats it, lets that join, and goes on until nobody wins more than half and --epsilon. Says how many builds
    are really worth playing, who counters whom, and whether there are cycles. Writes matrix.csv,
    matrix.parquet, shares.csv, meta.json and meta.html. For games in which builds can meet.
    """
    from buildsearch.cli.fight_setup import make_sampling, setup_of
    from buildsearch.cli.meeting import TRIALS, Meeting, meeting_system
    from buildsearch.cli.meta_view import print_meta
    from buildsearch.cli.progress import progress_bar
    from buildsearch.cli.searching import make_scorer, make_wanted, run_folder
    from buildsearch.meta.oracle import Rules
    from buildsearch.report.meta_files import META
    from buildsearch.whole_files import check_writable

    begun = time.perf_counter()
    make_sampling(None, None, seed, jobs)  # checks them
    words: dict[str, Any] = {
        "rules": rules,
        **words_of(overrides, parameters, filters),
        "scenarios": scenarios,
        "play": play,
        "epsilon": epsilon,
        "fights": fights,
        "start": start,
        "from": from_,
        "pool": pool,
        "trials": trials,
        "alpha": alpha,
        "seed": seed,
    }
    setup = setup_of(words)
    system = meeting_system(setup)
    wanted = make_wanted(setup, filters.type_ or (), filters.with_ or (), filters.without or (), None)
    options = {} if play is None else {"play": play}
    first = next(iter(setup.space.chunks(wanted, 1)), None)
    if first is not None:
        # What does not fit together is told before anybody waits.
        named = {name: str(value) for name, value in setup.space.parameters.items()}
        system.match(setup.loaded.model, next(iter(setup.space.builds(first))), named, options)
    meeting = Meeting(setup, wanted, make_scorer(setup, kept.place), options, jobs)
    folder = run_folder(setup, words, out, "meta")
    check_writable(folder / META)
    asked = Rules(epsilon=epsilon, budget=fights, most=pool, seed=seed, alpha=alpha)
    tried = trials or TRIALS
    chunks = _start(meeting, words, asked, (start, tried), from_, quiet=quiet or json_)
    with progress_bar("playing (fights, at most)", fights, quiet=quiet or json_) as advance:
        meta = meeting.play(chunks, asked, tried, advance)
    about = _write(meeting, meta, folder, words, time.perf_counter() - begun)
    if json_:
        typer.echo(json.dumps(about | {"folder": str(folder)}))
    elif not quiet:
        print_meta(meta, setup.loaded.model.name, meeting.total, folder)
    if meta.is_partial:
        typer.echo(
            f"buildsearch: INTERRUPTED, {folder} has what was found until then. Give the same command again: "
            "fights that are kept are not fought again.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED)


def _start(
    meeting: Meeting,
    words: dict[str, Any],
    asked: Rules,
    most: tuple[int, int],
    run: str | None,
    *,
    quiet: bool,
) -> Sequence[Chunk]:
    """The builds to start from: so many at most, of so many tried where there are too many."""
    from buildsearch.cli.meeting import best_to_start

    if run is None:
        return best_to_start(meeting, words, asked, *most, quiet=quiet)
    from buildsearch.cli.among import best_of_run
    from buildsearch.model.space import Wanted

    # Filters say who may join; of the run's best, those that they leave are there to start from.
    return best_of_run(run, meeting.setup, Wanted(), most[0]).chunks


def _write(
    meeting: Meeting, meta: Meta, folder: Path, words: dict[str, Any], seconds: float
) -> dict[str, Any]:
    from buildsearch import __version__
    from buildsearch.cli.interrupts import finishing
    from buildsearch.cli.searching import content_hash
    from buildsearch.report.meta_files import meta_data, write_meta
    from buildsearch.report.meta_words import percent

    if meta.is_partial:
        finishing()
    setup, total = meeting.setup, meeting.total
    model = setup.loaded.model
    about = {
        "buildsearch": __version__,
        "command": words,
        "rules": {"id": model.id, "hash": content_hash(model)},
        "parameters": dict(setup.space.parameters),
        "seed": meta.rules.seed,
        **meta_data(meta, total),
        "seconds": round(seconds, 3),
    }
    facts = [
        ("Rules", model.id),
        *((name.replace("_", " "), str(value)) for name, value in setup.space.parameters.items()),
        ("Builds", f"{total:,}"),
        ("In the matrix", f"{len(meta.names):,}"),
        ("Fights", f"{meta.matches.spent:,}"),
        ("Effective number", f"{meta.effective:.1f}"),
        ("Exploitability at most", percent(meta.response.bound)),
        ("Seed", str(meta.rules.seed)),
        ("buildsearch", __version__),
    ]
    write_meta(folder, meta, about, model.name, facts, total)
    return about
