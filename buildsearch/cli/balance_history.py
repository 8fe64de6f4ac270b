"""`buildsearch balance --history`: the game over the revisions of its rules."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.model.errors import UsageError

if TYPE_CHECKING:
    from buildsearch.analysis.thresholds import Thresholds
    from buildsearch.cli.balance_forms import Output
    from buildsearch.proposals.history import History
    from buildsearch.workflow.runs import Run


@dataclass(frozen=True, slots=True)
class Revisions:
    """Which revisions, and where their numbers go."""

    history: Annotated[
        str | None,
        typer.Option(
            "--history",
            metavar="REV..",
            help="Instead of proposing: best, reference level and freedom under every revision of the rules "
            "file since REV, e.g. v1.0.. or HEAD~20..",
        ),
    ] = None
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write the numbers of --history to this file.")
    ] = None

    def check(self, *others: object) -> None:
        """Raises UsageError for options that contradict one another."""
        if self.history is None and self.csv is not None:
            raise UsageError("--csv writes the numbers of --history. Add that, or take --json.")
        if self.csv is not None:
            from buildsearch.document.table_files import check_ending
            from buildsearch.files.atomic import check_writable

            check_ending(self.csv)
            check_writable(self.csv)
        if self.history is not None and any(others):
            raise UsageError(
                "--history measures the game as it was, in one game; it proposes nothing. Leave out goals, "
                "levers and what is done with proposals, and -p: parameters are those of the run."
            )


def say_history(
    run: Run, revisions: Revisions, limits: Thresholds, output: Output, how: dict[str, Any]
) -> None:
    """Measure, show, write."""
    from buildsearch.cli.problems import said
    from buildsearch.model.text import as_text, table_lines
    from buildsearch.report.history_sentences import conclusion, history_data, history_sheet, remarks
    from buildsearch.report.html.history_content import history_content
    from buildsearch.report.html.whole_page import write_content
    from buildsearch.report.sheets import write_sheet_to
    from buildsearch.workflow.history import history_of

    assert revisions.history is not None  # noqa: S101 - whoever calls has looked
    history = history_of(run, revisions.history, limits, **how)
    sheet, last = history_sheet(history), said(conclusion(history))
    notes = [said(note) for note in remarks(history)]
    if revisions.csv is not None:
        write_sheet_to(sheet, revisions.csv)
    if output.html is not None:
        facts = [(name, str(value)) for name, value in run.setup.space.parameters.items()]
        write_content(history_content(history, run.record.objectives[0].label, facts), output.html)
    if output.form == "json":
        typer.echo(json.dumps({**history_data(history), "notes": notes, "conclusion": last}))
    elif output.form == "markdown":
        heads, rows = sheet.brief(len(sheet.rows))
        lines = [f"### {as_text(sheet.title)}", "", *table_lines(heads, rows), ""]
        lines += [*(f"- {as_text(note)}" for note in notes), "", f"**{as_text(last)}**"]
        typer.echo("\n".join(lines))
    elif not output.quiet:
        _print(history, notes, last)
        for path in (revisions.csv, output.html):
            if path is not None:
                typer.echo(f"Written to {path}.")


def _print(history: History, notes: list[str], last: str) -> None:
    from rich.text import Text

    from buildsearch.cli.balance_view import print_rows
    from buildsearch.cli.bars import freedom_of, print_bars
    from buildsearch.cli.problems import visible
    from buildsearch.cli.score_view import make_console
    from buildsearch.proposals.history import VIABLE
    from buildsearch.report.history_sentences import history_sheet

    console = make_console()
    sheet = history_sheet(history)
    console.print(Text(visible(sheet.title), style="bold"))
    heads, lines = sheet.brief(len(sheet.rows))
    print_rows(console, heads, lines, texts=("date", "subject"))
    bars = freedom_of(
        (each.state.short, each.measure.free(VIABLE)) for each in history.measured if each.measure
    )
    print_bars(console, f"Options within {1 - VIABLE:.0%} of the best", bars)
    console.print()
    for note in notes:
        console.print(Text(visible(note), style="dim"))
    console.print(Text(visible(last), style="bold"))
