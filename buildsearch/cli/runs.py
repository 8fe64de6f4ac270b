"""`buildsearch runs`: which runs there are; old ones are deleted."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Annotated

import typer

from buildsearch.cli.options import JsonOption

EXAMPLE = "Examples: buildsearch runs;  buildsearch runs --delete 5c1e --yes"


def command(
    delete: Annotated[
        list[str] | None,
        typer.Option("--delete", metavar="RUN", help="Delete this run in results. May be repeated."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
    json_: JsonOption = False,
) -> None:
    """List runs, or delete some.

    With rules, parameters, builds, best score, size and date. Other commands read a run by its id.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.library.known_runs import delete_run, known_runs
    from buildsearch.model.errors import UsageError
    from buildsearch.report.latest import find_run
    from buildsearch.views.runs import deleted_document, runs_document

    if not delete:
        now = datetime.now().astimezone()
        print_document(runs_document(known_runs(), now), json_=json_, tables=False)
        return
    for name in delete:
        folder = find_run(name)
        if not yes:
            if not sys.stdin.isatty():
                raise UsageError(f"{folder} is not deleted without a question. Add --yes.")
            typer.confirm(f"Delete {folder}?", abort=True)
        print_document(deleted_document(delete_run(name)), json_=json_)
