"""What `optimize` shows on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from buildsearch.cli.searching import Search
from buildsearch.report.leaderboard import is_undecided, score_estimate
from buildsearch.search.contributions import contributions
from buildsearch.search.objectives import MEAN, WORST
from buildsearch.search.optimizing import Answer

if TYPE_CHECKING:
    from buildsearch.cli.sweeping import SweepRow

_MOST_PARTS = 3


def print_answer(search: Search, answer: Answer, folder: Path, shown: int) -> None:
    """The best builds with what makes them strong, and where everything is."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    ledger, objective = answer.ledger, answer.question.objectives[0]
    tried = "builds" if answer.out_of is None else f"builds tried (of {answer.out_of:,})"
    title = f"The best of {answer.scored:,} {tried} by {objective.label}"
    if answer.is_partial:
        console.print(f"INCOMPLETE: {_incomplete(answer)}", style="bold yellow")
    if answer.front is not None:
        title = (
            f"Pareto front: {len(answer.front):,} of {answer.scored:,} {tried}, by {objective.label} first"
        )
    console.print(title, style="bold")
    # A line of numbers and a line of names: a table would break the names on an ordinary terminal.
    widths = [max(7, len(name)) for name in ledger.names]
    heads = " ".join(f"{name:>{width}}" for name, width in zip(ledger.names, widths, strict=True))
    console.print(f"{'rank':>9}  {objective.name:>13}  {heads}  points", style="dim")
    for place, build in enumerate(answer.builds[:shown]):
        fights = answer.details[place].fights
        numbers = " ".join(
            f"{fight.primary.value:>{width}.2f}" for fight, width in zip(fights, widths, strict=True)
        )
        points = search.setup.space.cost(build)
        console.print(f"{say_rank(answer, place):>9}  {_score(answer, place):>13}  {numbers}  {points:>6}")
        console.print(Text(f"{'':>11}{search.setup.space.name(build)}", style="bold"))
        strengths = _strengths(search, answer, build)
        if strengths:
            console.print(Text(f"{'':>11}without it, worse by: {strengths}", style="dim"))
    _print_notes(console, answer, folder)


def say_incomplete(answer: Answer, folder: Path) -> str:
    """The last words about an interrupted run: loud, and how to go on."""
    return (
        f"buildsearch: INTERRUPTED, {folder} is incomplete: {_incomplete(answer)} It is not `latest`. "
        "Give the same command again to go on."
    )


def _incomplete(answer: Answer) -> str:
    if answer.out_of is not None:
        return f"only {answer.scored:,} builds were tried; better ones may be among the rest."
    if answer.scored < len(answer.ledger):
        return (
            f"only {answer.scored:,} of {len(answer.ledger):,} builds are scored; "
            "the best may be among the others."
        )
    return "all builds are scored, but more ranks are open than need be."


def say_rank(answer: Answer, place: int) -> str:
    """A rank, or the range of ranks that is open."""
    best, worst = int(answer.ranks[0][place]), int(answer.ranks[1][place])
    tied = "=" if answer.ordered.size[place] > 1 else ""
    # Exact builds with a tie in score are in order by what breaks ties; others may be anywhere between.
    return f"{best}-{worst}" if is_undecided(answer, place) else f"{int(answer.ordered.rank[place])}{tied}"


def _score(answer: Answer, place: int) -> str:
    score = score_estimate(answer, place)
    half = (score.high - score.low) / 2
    # A number without ± is exact, so an interval is shown however narrow it is.
    return f"{score.value:.3f}" if not half > 0 else f"{score.value:.3f}±{max(half, 0.00051):.3f}"


def _strengths(search: Search, answer: Answer, build: Any) -> str:
    found = contributions(search.setup.space, answer.ledger, answer.costs[0], build)
    return ", ".join(f"{each.feature} {say_loss(each.loss)}" for each in found[:_MOST_PARTS])


def say_loss(loss: float) -> str:
    """With its sign, but no -0.00: adding 0 takes that off."""
    return f"{round(loss, 2) + 0.0:+.2f}"


def _print_notes(console: Console, answer: Answer, folder: Path) -> None:
    race = answer.race
    if race is not None and not race.is_decided:
        console.print(
            f"Sampled builds with an open rank after {race.fights:,} fights: {race.open_ranks:,}. Ranks that "
            "may yet change are ranges; --race-fights says how long to go on."
        )
    if any(size > 1 for size in answer.ordered.size[: len(answer.builds)]):
        console.print("= tied in score; ordered by worst scenario, variance, points to spare and name.")
    objective = answer.question.objectives[0]
    meaning = (
        "± is a 95 % interval, and numbers without it are exact"
        if objective.name in (MEAN, WORST)
        else "the score is sampled; ± are bounds that hold for all builds at once"
    )
    if any("mc" in detail.method for detail in answer.details):
        console.print(f"Seed {answer.question.seed}; {meaning}.", style="dim")
    console.print(f"Written to {folder}: leaderboard.csv, scores.parquet, run.json")


def print_sweep(rows: Sequence[SweepRow], shown: int) -> None:
    """How many of the best stay among the best under each change."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    table = Table(title=f"Which of the top {shown} stay", title_justify="left")
    table.add_column("change")
    table.add_column("stay", justify="right")
    table.add_column("new best")
    table.add_column("fall out", overflow="fold")
    for row in rows:
        table.add_row(
            row.change,
            f"{row.kept} of {row.of}",
            Text(row.best),
            Text(", ".join(row.lost[:5]) + (f" and {len(row.lost) - 5} more" if len(row.lost) > 5 else "")),
        )
    console.print(table)
