"""A document in the form that was asked for."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from buildsearch.options.output import Output, PageOutput

if TYPE_CHECKING:
    from buildsearch.document.blocks import Block, Document

PROGRAM = "buildsearch"


def print_document(document: Document, output: Output, *, tables: bool = True) -> None:
    """Print it as JSON (without its tables if these are many), as Markdown, or for a terminal."""
    from buildsearch.document.data import to_data
    from buildsearch.document.markdown import to_markdown
    from buildsearch.document.terminal import to_terminal

    if output.json:
        typer.echo(json.dumps(to_data(document, tables=tables)))
    elif isinstance(output, PageOutput) and output.markdown:
        typer.echo(to_markdown(document), nl=False)
    elif not output.quiet:
        to_terminal(replace(document, blocks=tuple(map(_as_called, document.blocks))))


def called() -> str:
    """The command as it was called: `buildsearch` where a shell finds it, else its path."""
    typed = sys.argv[0]
    if Path(typed).parts[-2:] == (PROGRAM, "__main__.py"):
        return f"{Path(sys.executable).name} -m {PROGRAM}"
    found = shutil.which(PROGRAM)
    is_found = found is not None and Path(found).exists() and Path(found).resolve() == Path(typed).resolve()
    if is_found or Path(typed).stem != PROGRAM:
        return PROGRAM
    here = Path.cwd()
    return str(Path(typed).relative_to(here)) if Path(typed).is_relative_to(here) else typed


def as_typed() -> str:
    """The command line again."""
    return shlex.join([PROGRAM, *sys.argv[1:]])


def _as_called(block: Block) -> Block:
    from buildsearch.document.blocks import Step

    if isinstance(block, Step) and block.command.startswith(f"{PROGRAM} "):
        rest = block.command.removeprefix(PROGRAM)
        return replace(block, command=called() + rest + ("" if "--game" in rest else _game_typed()))
    return block


def _game_typed() -> str:
    """`--game PATH` as it was typed: the next command is about the same game."""
    for word, after in zip_longest(sys.argv[1:], sys.argv[2:], fillvalue=""):
        if word == "--game" or word.startswith("--game="):
            return f" {shlex.join([word, after] if word == '--game' else [word])}"
    return ""
