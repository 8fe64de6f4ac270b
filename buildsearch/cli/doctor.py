"""`buildsearch doctor`: what this machine has, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import typer

from buildsearch.cli.failures import FINDINGS, FINE
from buildsearch.options.output import Json, Output

EXAMPLE = "Example: buildsearch doctor"


def command(as_json: Json = False) -> None:
    """Check the installation and the cache.

    Exit 0: everything works. 1: the first lines say what is wrong and what to do. Send its output along with
    a report of a fault.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.library.doctor import examine
    from buildsearch.views.doctor import doctor_document

    found = examine(Path("results"))
    document = doctor_document(found.facts, found.packages, found.problems, found.notes)
    print_document(document, Output(json=as_json))
    raise typer.Exit(FINDINGS if found.problems else FINE)
