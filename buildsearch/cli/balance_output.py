"""In which form `balance` answers, and into which files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from annotated_types import Interval

from buildsearch.model.errors import UsageError
from buildsearch.options.fields import Flag
from buildsearch.options.output import PageOutput

if TYPE_CHECKING:
    from buildsearch.analysis.thresholds import Thresholds
    from buildsearch.document.blocks import Document
    from buildsearch.library.proposals import ProposalTable
    from buildsearch.library.runs import LoadedRun
    from buildsearch.library.watch import Scoring


@dataclass(frozen=True, kw_only=True)
class BalanceOutput(PageOutput):
    """In which form proposals are told, and into which files they go."""

    apply: Annotated[
        Annotated[int, Interval(ge=1, le=10)] | None, Flag("Write this proposal into a rules file: --out.")
    ] = None
    out: Annotated[Path | None, Flag("The rules file that --apply writes.")] = None
    patch: Annotated[bool, Flag("Print a unified diff: of --apply, of --try, else of the first.")] = False
    html: Annotated[Path | None, Flag("Write a page that compares the proposals.")] = None
    verbose: Annotated[bool, Flag("Say what was tried and what was left out too.")] = False

    def __post_init__(self) -> None:
        from buildsearch.files.atomic import check_writable

        if self.patch and (self.json or self.markdown):
            raise UsageError("--patch, --json and --markdown: choose one of them.")
        super().__post_init__()
        if (self.apply is None) != (self.out is None) and not (self.patch and self.out is None):
            raise UsageError("--apply says which proposal, --out into which file. Give both of them.")
        for path in (self.html, self.out):
            if path is not None:
                check_writable(path)

    @property
    def is_silent(self) -> bool:
        """Whether no person reads along."""
        return self.patch or super().is_silent


@dataclass(frozen=True, kw_only=True)
class Revisions:
    """Earlier revisions that are measured, and where their numbers go."""

    history: Annotated[
        str | None,
        Flag(
            "Instead of proposing: best build, benchmark and viable options under every revision of the "
            "rules file since REV, e.g. v1.0.. or HEAD~20..",
            metavar="REV..",
        ),
    ] = None
    csv: Annotated[Path | None, Flag("Write the numbers of --history to this file.")] = None

    def __post_init__(self) -> None:
        if self.csv is None:
            return
        if self.history is None:
            raise UsageError("--csv writes the numbers of --history. Add that, or take --json.")
        from buildsearch.document.table_files import check_ending
        from buildsearch.files.atomic import check_writable

        check_ending(self.csv)
        check_writable(self.csv)


def say_first(text: str, output: BalanceOutput) -> None:
    """The first proposal, while the search goes on."""
    from buildsearch.cli.terminal import visible

    if not output.is_silent:
        typer.echo(visible(f"Found: {text} Looking for other proposals."), err=True)


def take(found: ProposalTable, output: BalanceOutput) -> None:
    """Print or write what was chosen; raises UsageError where there is no such proposal."""
    number = output.apply or 1
    if output.patch:
        typer.echo(found.patch(number), nl=False)
    if output.out is not None:
        found.apply(number, output.out)


def show(document: Document, output: BalanceOutput, checks: dict[str, Any] | None = None) -> None:
    """In the form that was asked for, and as a page if one is to be written."""
    from buildsearch.cli.output import print_document
    from buildsearch.document.data import to_data
    from buildsearch.report.html.whole_page import write_document

    if output.html is not None:
        write_document(document, output.html)
    if output.json:
        data = to_data(document, tables=False)
        typer.echo(json.dumps({**data, **({"checks": checks} if checks else {})}))
    elif not output.patch:
        print_document(document, output)
    if output.html is not None:
        _say_wrote(str(output.html), output)
    if output.out is not None:
        _say_wrote(f"proposal {output.apply} to {output.out}", output)


def _say_wrote(what: str, output: BalanceOutput) -> None:
    if not output.is_silent:
        typer.echo(f"Wrote {what}.")


def show_history(
    run: LoadedRun,
    revisions: Revisions,
    limits: Thresholds,
    output: BalanceOutput,
    how: Scoring,
    *,
    ignore_checksums: bool,
) -> None:
    """Measure, show, write."""
    from buildsearch.cli.output import print_document
    from buildsearch.cli.terminal import said
    from buildsearch.document.data import write_rows
    from buildsearch.library.history import history_of
    from buildsearch.report.html.whole_page import write_document
    from buildsearch.views.history import history_document, history_table, remarks

    history = history_of(run, revisions.history or "", limits, how, ignore_checksums=ignore_checksums)
    notes = [said(note) for note in remarks(history)]
    if revisions.csv is not None:
        write_rows(history_table(history), revisions.csv)
    document = history_document(history, notes)
    if output.html is not None:
        write_document(document, output.html)
    print_document(document, output, tables=False)
    for path in (revisions.csv, output.html):
        if path is not None:
            _say_wrote(str(path), output)
