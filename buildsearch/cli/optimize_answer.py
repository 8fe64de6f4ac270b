"""`buildsearch optimize`: what it ends with."""

from __future__ import annotations

import json

import typer

from buildsearch.cli.exit_codes import INTERRUPTED
from buildsearch.cli.interrupts import finishing
from buildsearch.cli.output import as_typed, print_document
from buildsearch.cli.progress import waiting
from buildsearch.document.blocks import Step
from buildsearch.library.boards import board_of, health_of
from buildsearch.library.optimize import Finished
from buildsearch.library.runs import load_run
from buildsearch.model.errors import UsageError
from buildsearch.model.text import count
from buildsearch.views.optimize import Health, Written, optimize_document

# So many builds are judged in a few seconds, under a tenth of what it takes to score them.
_MOST_JUDGED = 1 << 20


def show_answer(finished: Finished, *, json_: bool, quiet: bool, is_kept: bool) -> None:
    """The best builds; an interrupted run ends here, and says how to continue."""

    is_partial = finished.answer.is_partial
    if json_:
        typer.echo(json.dumps(finished.record.said() | {"folder": str(finished.folder)}))
    elif not quiet:
        record = finished.record
        board = board_of(finished.folder, record, finished.search.setup, health=_health(finished))
        written = Written(str(finished.folder), record.seconds["total"], is_latest=not is_partial)
        how = "continues where it stopped" if is_kept else "starts again: no scores were cached (--no-cache)"
        again = Step(as_typed(), how) if is_partial else None
        print_document(optimize_document(board, written, again))
    if is_partial:
        if json_ or quiet:
            some = f"{finished.record.scored:,} of {count(finished.record.builds, 'build')} are scored"
            typer.echo(f"buildsearch: incomplete: {some} in {finished.folder}.", err=True)
        raise typer.Exit(INTERRUPTED)


def _health(finished: Finished) -> Health | None:
    """The state of the game, kept for `analyze`; None where that would take much of the time of the run."""

    record, jobs = finished.record, finished.search.question.jobs
    if record.incomplete or record.legal_builds is not None or record.scored > _MOST_JUDGED:
        return None
    try:
        with waiting("looking for problems", quiet=False):
            return health_of(load_run(str(finished.folder)), jobs)
    except UsageError:
        return None
    except KeyboardInterrupt:
        finishing("Stopped looking for problems; the run is complete.\n")
        return None
