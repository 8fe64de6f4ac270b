"""`buildsearch runs`: which runs there are; old ones are deleted."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Annotated

import typer

from buildsearch.options.fields import Flag, Texts
from buildsearch.options.output import Json, Output

EXAMPLE = "Examples: buildsearch runs;  buildsearch runs --delete 5c1e --yes"


def command(
    *,
    delete: Annotated[Texts, Flag("Delete this run in results.", metavar="RUN")] = (),
    yes: Annotated[bool, Flag("Delete without asking.", "--yes", "-y")] = False,
    as_json: Json = False,
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
        print_document(runs_document(known_runs(), now), Output(json=as_json), tables=False)
        return
    for name in delete:
        folder = find_run(name)
        if not yes:
            if not sys.stdin.isatty():
                raise UsageError(f"{folder} is not deleted without a question. Add --yes.")
            typer.confirm(f"Delete {folder}?", abort=True)
        print_document(deleted_document(delete_run(name)), Output(json=as_json))
