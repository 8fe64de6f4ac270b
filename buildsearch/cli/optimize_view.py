"""What `optimize` shows on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from buildsearch.cli.bars import parts_of, print_bars
from buildsearch.cli.open_ranks import say_open
from buildsearch.model.text import count
from buildsearch.report.leaderboard import is_undecided, score_estimate
from buildsearch.search import rank_ranges
from buildsearch.search.contributions import contributions
from buildsearch.search.objectives import Objective
from buildsearch.search.optimization import Answer
from buildsearch.workflow.search import Search

_MOST_PARTS = 3
_MOST_REASONS = 4


def print_answer(search: Search, answer: Answer, folder: Path, shown: int) -> None:
    """The best builds with what makes them strong, and where everything is."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    ledger, objective = answer.ledger, answer.question.objectives[0]
    tried = count(answer.scored, "build") + (
        "" if answer.legal_builds is None else f" tried (of {answer.legal_builds:,})"
    )
    title = f"The best of {tried} by {objective.label}"
    if answer.is_partial:
        console.print(f"INCOMPLETE: {_incomplete(answer)}", style="bold yellow")
    if answer.front is not None:
        title = f"Pareto front: {len(answer.front):,} of {tried}, by {objective.label} first"
    console.print(title, style="bold")
    # A line of numbers and a line of names: a table would break the names on an ordinary terminal.
    others = answer.question.objectives[1:]
    columns = [f"{each.name}" for each in others] + _room_for(console, ledger.names, others)
    widths = [max(7, len(name)) for name in columns]
    heads = " ".join(f"{name:>{width}}" for name, width in zip(columns, widths, strict=True))
    console.print(f"{'rank':>9}  {objective.name:>13}  {heads}  points", style="dim")
    for place, build in enumerate(answer.builds[:shown]):
        row = int(answer.ordered.rows[place])
        values = [float(each.shown(answer.costs[i, row])) for i, each in enumerate(others, start=1)]
        by_fight = dict(zip(ledger.names, answer.details[place].fights, strict=True))
        values += [by_fight[name].primary.value for name in columns[len(others) :]]
        numbers = " ".join(f"{value:>{width}.2f}" for value, width in zip(values, widths, strict=True))
        points = search.setup.space.cost(build)
        console.print(f"{say_rank(answer, place):>9}  {_score(answer, place):>13}  {numbers}  {points:>6}")
        console.print(Text(f"{'':>11}{search.setup.space.name(build)}", style="bold"))
        strengths = _strengths(search, answer, build)
        if strengths:
            console.print(Text(f"{'':>11}without it, worse by: {strengths}", style="dim"))
    hidden = len(ledger.names) + len(others) - len(columns)
    if hidden:
        more = f"{count(hidden, 'scenario')} more in leaderboard.csv: the window is too narrow."
        console.print(more, style="dim")
    _print_notes(console, search, answer, folder)


def _room_for(console: Console, fights: Sequence[str], others: Sequence[Objective]) -> list[str]:
    """The first fights whose columns fit into the window; in a pipe all of them do."""
    if not console.is_terminal:
        return list(fights)
    left = console.width - 33 - sum(max(7, len(each.name)) + 1 for each in others)
    shown: list[str] = []
    for name in fights:
        left -= max(7, len(name)) + 1
        if left < 0:
            break
        shown.append(name)
    return shown


def say_incomplete(answer: Answer, folder: Path, *, is_kept: bool) -> str:
    """The last words about an interrupted run: loud, and how to go on."""
    again = (
        "Give the same command again to go on."
        if is_kept
        else "No scores were kept (--no-cache): the same command begins anew."
    )
    return (
        f"buildsearch: INTERRUPTED, {folder} is incomplete: {_incomplete(answer)} It is not `latest`. {again}"
    )


def _incomplete(answer: Answer) -> str:
    if answer.legal_builds is not None:
        return f"only {count(answer.scored, 'build')} tried; better ones may be among the rest."
    if answer.scored < len(answer.ledger):
        return (
            f"only {answer.scored:,} of {count(len(answer.ledger), 'build')} scored; "
            "the best may be among the others."
        )
    return "all builds are scored, but more ranks are open than need be."


def say_rank(answer: Answer, place: int) -> str:
    """A rank, or the range of ranks that is open."""
    score = score_estimate(answer, place)
    return rank_ranges.say_rank(
        int(answer.ordered.rank[place]),
        int(answer.ranks[0][place]),
        int(answer.ranks[1][place]),
        int(answer.ordered.size[place]),
        answer.scored,
        is_exact=score.low == score.high,
    )


def _score(answer: Answer, place: int) -> str:
    score = score_estimate(answer, place)
    return rank_ranges.say_score(score.value, score.low, score.high)


def _strengths(search: Search, answer: Answer, build: Any) -> str:
    found = contributions(search.setup.space, answer.ledger, answer.costs[0], build)
    return ", ".join(f"{each.feature} {say_loss(each.loss)}" for each in found[:_MOST_PARTS])


def say_loss(loss: float) -> str:
    """With its sign, but no -0.00: adding 0 takes that off."""
    return f"{round(loss, 2) + 0.0:+.2f}"


def _print_notes(console: Console, search: Search, answer: Answer, folder: Path) -> None:
    race = answer.race
    undecided = [place for place in range(len(answer.builds)) if is_undecided(answer, place)]
    if not undecided and len(answer.builds) > 0 and not answer.is_partial:
        many = len(answer.builds)
        console.print("Its rank is decided." if many == 1 else f"All {many} ranks are decided.")
    elif race is not None:
        console.print(
            f"Not decided: {len(undecided)} of {len(answer.builds)} ranks, shown as ranges, after "
            f"{race.fights:,} fights; {say_open(search, answer, undecided)} "
            "--ranking-fights says how long to go on."
        )
    if any(say_rank(answer, place) == "any" for place in range(len(answer.builds))):
        console.print("any: these builds may stand at any rank; fights tell none of them from any other.")
    if any(size > 1 for size in answer.ordered.size[: len(answer.builds)]):
        console.print("= tied in score; ordered by worst scenario, variance, points to spare and name.")
    slow = search.sampled_because(answer)
    if slow:
        why = "; ".join(f"{reason} {number:,}" for reason, number in list(slow.items())[:_MOST_REASONS])
        more = "" if len(slow) <= _MOST_REASONS else f"; {len(slow) - _MOST_REASONS} more reasons in run.json"
        console.print(
            f"Not solved in bulk: {count(sum(slow.values()), 'score')} ({why}{more}). These are sampled, and "
            "solved one at a time where a rank depends on them.",
            style="dim",
        )
    if any("sampled" in detail.method for detail in answer.details):
        console.print(
            f"Seed {answer.question.seed}; in brackets the bounds that ranks follow from, which hold for all "
            "builds at once; scores without them are exact.",
            style="dim",
        )
    if len(answer.builds) > 1:
        space = search.setup.space
        parts = parts_of([tuple(space.features(build)) for build in answer.builds])
        print_bars(console, f"What the best {len(answer.builds)} are made of", parts)
    console.print(f"Written to {folder}: leaderboard.csv, scores.parquet, run.json")
