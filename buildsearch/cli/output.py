"""A document in the form that was asked for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from buildsearch.cli.options import ONE_FORM
from buildsearch.model.errors import UsageError

if TYPE_CHECKING:
    from buildsearch.document.blocks import Document


def check_form(*, json_: bool, markdown: bool = False) -> None:
    """Raises UsageError where two forms are asked for: call it before the work begins."""
    if json_ and markdown:
        raise UsageError(ONE_FORM)


def print_document(
    document: Document,
    *,
    json_: bool = False,
    markdown: bool = False,
    tables: bool = True,
    quiet: bool = False,
) -> None:
    """Print it as JSON (without its tables if these are many), as Markdown, or for a terminal."""
    from buildsearch.document.data import to_data
    from buildsearch.document.markdown import to_markdown
    from buildsearch.document.terminal import to_terminal

    if json_:
        typer.echo(json.dumps(to_data(document, tables=tables)))
    elif markdown:
        typer.echo(to_markdown(document), nl=False)
    elif not quiet:
        to_terminal(document)
