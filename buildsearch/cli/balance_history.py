"""`buildsearch balance --history`: the game over the revisions of its rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.model.errors import UsageError

if TYPE_CHECKING:
    from buildsearch.analysis.thresholds import Thresholds
    from buildsearch.cli.balance_forms import Output
    from buildsearch.library.runs import Run


@dataclass(frozen=True, slots=True)
class Revisions:
    """Which revisions, and where their numbers go."""

    history: Annotated[
        str | None,
        typer.Option(
            "--history",
            metavar="REV..",
            help="Instead of proposing: best build, benchmark and viable options under every revision of the "
            "rules file since REV, e.g. v1.0.. or HEAD~20..",
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
    from buildsearch.cli.output import print_document
    from buildsearch.cli.problems import said
    from buildsearch.document.data import write_rows
    from buildsearch.library.history import history_of
    from buildsearch.report.html.history_content import history_content
    from buildsearch.report.html.whole_page import write_content
    from buildsearch.views.history import history_document, history_table, remarks

    assert revisions.history is not None  # noqa: S101 - the caller has looked
    history = history_of(run, revisions.history, limits, **how)
    notes = [said(note) for note in remarks(history)]
    if revisions.csv is not None:
        write_rows(history_table(history), revisions.csv)
    if output.html is not None:
        facts = [(name, str(value)) for name, value in run.setup.space.parameters.items()]
        write_content(history_content(history, run.record.objectives[0].label, facts), output.html)
    print_document(
        history_document(history, notes),
        json_=output.form == "json",
        markdown=output.form == "markdown",
        tables=False,
        quiet=output.quiet,
    )
    for path in (revisions.csv, output.html):
        if path is not None and output.is_talking:
            typer.echo(f"Wrote {path}.")
