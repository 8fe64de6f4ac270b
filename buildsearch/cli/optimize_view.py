"""What `optimize` shows on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from buildsearch.report.leaderboard import is_undecided, score_estimate
from buildsearch.search.contributions import contributions
from buildsearch.search.optimizing import Answer
from buildsearch.workflow.searching import Search

if TYPE_CHECKING:
    from buildsearch.search.readings import Readings
    from buildsearch.workflow.sweeping import Swept

_MOST_PARTS = 3
_HANG_ON = 3
_MOST_PAIRS = 3


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
    _print_notes(console, search, answer, folder)


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
    # A number without bounds is exact, so bounds are shown however narrow they are.
    if not score.high > score.low:
        return f"{score.value:.3f}"
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"


def _strengths(search: Search, answer: Answer, build: Any) -> str:
    found = contributions(search.setup.space, answer.ledger, answer.costs[0], build)
    return ", ".join(f"{each.feature} {say_loss(each.loss)}" for each in found[:_MOST_PARTS])


def say_loss(loss: float) -> str:
    """With its sign, but no -0.00: adding 0 takes that off."""
    return f"{round(loss, 2) + 0.0:+.2f}"


def _said(search: Search, answer: Answer, undecided: Sequence[int]) -> str:
    """Which pairs are not told apart, the best first, and why they are sampled."""
    pairs = []
    for place in undecided:
        if "mc" not in answer.details[place].method:
            continue
        # The neighbour whose bounds it shares: the next one that is not for certain better.
        other = place + 1 if place + 1 < len(answer.builds) else place - 1
        pairs.append((place, other))
    said = "; ".join(
        " and ".join(search.setup.space.name(answer.builds[place]) for place in pair if place >= 0)
        for pair in pairs[:_MOST_PAIRS]
    )
    more = f" and {len(pairs) - _MOST_PAIRS} more" if len(pairs) > _MOST_PAIRS else ""
    if not pairs:
        return "they lie beside sampled builds."
    return f"fights do not tell apart yet: {said}{more}. {_why(search, answer, [pair[0] for pair in pairs])}"


def _why(search: Search, answer: Answer, places: Sequence[int]) -> str:
    """Why these are sampled, each reason once."""
    loaded = search.setup.loaded
    # The first is the one for builds as they are ranked.
    exact = [each for each in loaded.system.evaluators(loaded.model) if each.method == "exact"][:1]
    reasons = dict.fromkeys(
        reason
        for place in places
        for fight in answer.ledger.fights.values()
        for evaluator in exact
        if (reason := evaluator.why_not(answer.builds[place], fight)) is not None
    )
    return f"They are sampled, as {' and '.join(reasons)}." if reasons else ""


def _print_notes(console: Console, search: Search, answer: Answer, folder: Path) -> None:
    race = answer.race
    undecided = [place for place in range(len(answer.builds)) if is_undecided(answer, place)]
    if not undecided and len(answer.builds) > 0 and not answer.is_partial:
        console.print(f"All {len(answer.builds)} ranks are decided.")
    elif race is not None:
        console.print(
            f"Not decided: {len(undecided)} of {len(answer.builds)} ranks, shown as ranges, after "
            f"{race.fights:,} fights; {_said(search, answer, undecided)} "
            "--race-fights says how long to go on."
        )
    if any(size > 1 for size in answer.ordered.size[: len(answer.builds)]):
        console.print("= tied in score; ordered by worst scenario, variance, points to spare and name.")
    if any("mc" in detail.method for detail in answer.details):
        console.print(
            f"Seed {answer.question.seed}; in brackets the bounds that ranks follow from, which hold for all "
            "builds at once; scores without them are exact.",
            style="dim",
        )
    console.print(f"Written to {folder}: leaderboard.csv, scores.parquet, run.json")


def print_sweep(swept: Swept, shown: int) -> None:
    """How many of the best stay among the best under each change, and what the first of them hang on."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    table = Table(title=f"Which of the top {shown} stay", title_justify="left")
    table.add_column("change")
    table.add_column("stay", justify="right")
    table.add_column("new best")
    table.add_column("fall out", overflow="fold")
    for row in swept.rows:
        if row.problem is not None:
            table.add_row(row.change, "-", "", Text(row.problem))
            continue
        table.add_row(
            row.change,
            f"{row.kept} of {row.of}",
            Text(row.best),
            Text(", ".join(row.lost[:5]) + (f" and {len(row.lost) - 5} more" if len(row.lost) > 5 else "")),
        )
    console.print(table)
    for build in range(min(_HANG_ON, len(swept.readings.names))):
        console.print(hangs_on(swept.readings, build))


def hangs_on(readings: Readings, build: int) -> str:
    """A sentence: under which readings a build keeps its place, and what it scores under the others."""
    name, place = readings.names[build], int(readings.usual.places[build])
    known = [each for each in readings.others if each.problem is None]
    lost = readings.displaced(build)
    says = f"{name} ({readings.usual.scores[build]:.4g}) "
    holds = "stays first" if place == 1 else f"stays among the first {place}"
    if not known:
        return f"{says}could not be scored under any other reading."
    if not lost:
        return f"{says}{holds} under all {len(known)} other readings."
    falls = [
        f"{each.label} ({each.scores[build]:.4g}, place {each.places[build]})"
        for each in sorted(lost, key=lambda each: -int(each.places[build]))
    ]
    held = f"{holds} under {len(known) - len(lost)} of {len(known)} other readings"
    return f"{says}{held}; not under {', '.join(falls)}."
