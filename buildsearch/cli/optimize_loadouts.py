"""`buildsearch optimize` for characters that take several builds: what it shows."""

from __future__ import annotations

import json
from typing import Any

import typer

from buildsearch.model.errors import UsageError
from buildsearch.model.loadouts import PicksLoadouts
from buildsearch.model.request import SearchRequest
from buildsearch.model.text import count
from buildsearch.search.rank_ranges import say_rank
from buildsearch.workflow.fight_setup import FightSetup
from buildsearch.workflow.loadouts import FoundLoadouts, loadout_size

_SHOWN = 20


def say_loadout_size(
    setup: FightSetup,
    system: PicksLoadouts,
    request: SearchRequest,
    gigabytes: float | None,
    *,
    only: bool,
    json_: bool,
) -> None:
    """Print how big the search is, if only that was asked; raises UsageError for too much memory."""
    size = loadout_size(setup, system, request)
    needed = size.bytes / (1 << 30)
    if only and json_:
        typer.echo(json.dumps({"builds": size.builds, "loadouts": size.loadouts, "bytes": size.bytes}))
    elif only:
        typer.echo(
            f"{count(size.loadouts, 'loadout')} of {size.members} out of {count(size.builds, 'build')} "
            f"in {count(len(setup.fights), 'scenario')}. About {needed:.1f} GB at most. "
            "The search ends by itself, or after --stop-after."
        )
    if gigabytes is not None and needed > gigabytes:
        raise UsageError(
            f"this needs about {needed:.1f} GB, above --max-memory {gigabytes:g}. Lower the budget, "
            "filter with --type, --with or --without, or take fewer --scenario."
        )


def show_loadouts(found: FoundLoadouts, *, json_: bool, quiet: bool) -> None:
    """The ranks, in the form that was asked for."""
    if json_:
        typer.echo(json.dumps({**found.record.said(), "folder": str(found.folder), "ranked": found.rows}))
    elif not quiet:
        _print(found)


def _print(found: FoundLoadouts) -> None:
    record = found.record
    shown = found.rows[:_SHOWN]
    typer.echo(
        f"{record.valued:,} of {count(record.loadouts, 'loadout')} of {record.candidates:,} candidates "
        f"valued; no loadout of them is below {record.lower_bound:.3f}."
    )
    if record.request.candidates is not None:
        typer.echo(
            f"Of the best {count(record.request.candidates, 'build')} alone, {record.candidates:,} are "
            "candidates; why the others are not is said below."
        )
    if record.replaced:
        typer.echo(f"{record.replaced:,} candidates are dominated: proved to be of no use beside tame ones.")
    for reason, number in record.left_out.items():
        typer.echo(f"{count(number, 'build')} left out: {reason.removeprefix('= ')}")
    typer.echo(f"{'rank':>9}  {'score':>13}")
    for row in shown:
        _print_row(row, record.loadouts)
    if any(_is_tied(row) for row in shown):
        typer.echo("= tied in score.")
    if any(row["score_high"] > row["score_low"] for row in shown):
        typer.echo("± is a 95 % interval of fights with a look ahead; scores without it are exact.")
    if record.slow_tried:
        typer.echo(
            f"{record.slow_tried:,} slow attacks were tried beside the best; nothing is proved of those."
        )
    if record.race:
        typer.echo(
            f"Tried beside the best and one another: {count(record.sampled_tried, 'build')} that must fight; "
            f"{count(record.race['loadouts'], 'loadout')}, {count(record.race['fights'], 'fight')}; "
            f"{count(record.race['open'], 'rank')} open."
        )
    if record.without_value:
        typer.echo(f"Not valued, and nothing is proved of them: loadouts with {record.without_value}.")
    typer.echo("What is proved is proved among the candidates.")
    typer.echo(f"Written to {found.folder}: loadouts.csv, usage.csv, run.json")


def _say_half(half: float) -> str:
    """No sample is without an error, however small."""
    return f"{half:.3f}" if half >= 0.0005 else f"{half:.1g}"


def _is_tied(row: dict[str, Any]) -> bool:
    return bool(row["score_high"] == row["score_low"] and row["rank_high"] > row["rank_low"])


def _print_row(row: dict[str, Any], loadouts: int) -> None:
    half = (row["score_high"] - row["score_low"]) / 2
    said = f"{row['score']:.3f}" + (f" ± {_say_half(half)}" if half else "")
    best, worst = row["rank_low"], row["rank_high"]
    # As a leaderboard of builds says it; exact loadouts that share ranks are tied.
    tied = worst - best + 1 if _is_tied(row) else 1
    rank = say_rank(row["rank"], best, worst, tied, loadouts, is_exact=not half)
    typer.echo(f"{rank:>9}  {said:>13}  {row['status']}, gap {row['gap']:.3f}, {row['method']}")
    typer.echo(f"{'':>11}{row['loadout']}")
