"""What `balance` shows on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from buildsearch.cli.bars import freedom_of, print_bars
from buildsearch.cli.options import PARTIAL
from buildsearch.cli.problems import visible
from buildsearch.cli.score_view import make_console
from buildsearch.cli.widths import print_fitting
from buildsearch.model.text import as_text, table_lines
from buildsearch.proposals.answers import Answer
from buildsearch.proposals.measure import Measure, change
from buildsearch.proposals.sentences import HEADS, goal_line, remarks, row, rows, title

# An option with at least this viability is worth taking.
_VIABLE = 0.8


def print_answer(answer: Answer, name: str, run: str, last: str, *, is_partial: bool) -> None:
    """The goal, the proposals compared, each with what it does, and the last word."""
    console = make_console()
    console.print(Text(visible(f"{name}: {goal_line(answer)}"), style="bold"))
    console.print(Text(visible(f"The run is {run}.")))
    if is_partial:
        console.print(Text(PARTIAL, style="yellow"))
    if answer.broken:
        console.print(Text(visible(f"Not kept today: {', '.join(answer.broken)}.")))
    print_rows(console, HEADS, rows(answer))
    for number, proposal in enumerate(answer.proposals, start=1):
        console.print()
        console.print(Text(visible(f"{number}. {title(proposal)}"), style="bold"))
        console.print(Text(visible("   " + " ".join(remarks(proposal)))))
    if answer.proposals:
        shown = [
            ("today", answer.before),
            *((str(i), each.after) for i, each in enumerate(answer.proposals, start=1)),
        ]
        bars = freedom_of((name, measure.free(_VIABLE)) for name, measure in shown)
        print_bars(console, f"Options within {1 - _VIABLE:.0%} of the best, before and after", bars)
    console.print()
    for note in (answer.proof, *answer.notes):
        if note:
            console.print(Text(visible(note), style="dim"))
    console.print(Text(visible(last), style="bold"))


def print_explained(
    text: str, before: Measure, after: Measure, note: str, said: str, *, in_markdown: bool
) -> None:
    """An edit of one's own."""
    lines = [row("before", before), row("after", after)]
    new = change(before, after)
    findings = [f"ended: {each.code} ({' + '.join(each.subjects)})" for each in new.gone]
    findings += [f"new: {each.code} ({' + '.join(each.subjects)})" for each in new.new]
    if in_markdown:
        table = table_lines(HEADS, lines, numbers=True)
        more = [f"- {as_text(each)}" for each in findings]
        typer.echo("\n".join([f"### {as_text(text)}", "", *table, "", *more, "", f"**{as_text(said)}**"]))
        return
    console = make_console()
    console.print(Text(visible(text), style="bold"))
    print_rows(console, HEADS, lines)
    for each in findings:
        console.print(Text(visible(f"  {each}")))
    if note:
        console.print(Text(visible(f"Open: {note}."), style="yellow"))
    console.print(Text(visible(said), style="bold"))


def print_rows(
    console: Console, heads: Sequence[str], lines: Sequence[Sequence[str]], texts: Sequence[str] = ()
) -> None:
    """A table without the columns that say nothing; `texts` are heads of columns that are no numbers."""
    # Columns that say the same nothing everywhere take room from the others.
    shown = [i for i in range(len(heads)) if any(line[i] for line in lines)]
    table = Table(show_edge=False)
    for i in shown:
        table.add_column(heads[i], justify="left" if i == 0 or heads[i] in texts else "right")
    for line in lines:
        table.add_row(*(Text(visible(line[i])) for i in shown))
    print_fitting(console, table)
