"""`buildsearch doctor`: what this machine has, and what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from buildsearch.cli.exit_codes import FINDINGS, FINE
from buildsearch.cli.options import JsonOption

EXAMPLE = "Example: buildsearch doctor"


def command(json_: JsonOption = False) -> None:
    """Say what is installed, what is kept, and what is wrong.

    Exit 0: nothing is wrong. 1: something is, and the last lines say what to do. Send it along with a
    report of a fault.
    """
    from buildsearch.workflow.doctor import examine

    found = examine(Path("results"))
    if json_:
        told = {
            "facts": found.facts,
            "packages": found.packages,
            "problems": found.problems,
            "notes": found.notes,
        }
        typer.echo(json.dumps(told, indent=2))
    else:
        width = max(map(len, found.facts))
        for name, fact in found.facts.items():
            typer.echo(f"{name:<{width}}  {fact}")
        packages = ", ".join(f"{name} {has or 'MISSING'}" for name, has in found.packages.items())
        typer.echo(f"{'Packages':<{width}}  {packages}")
        for note in found.notes:
            typer.echo(f"Note: {note}")
        for problem in found.problems:
            typer.echo(f"Wrong: {problem}")
        if not found.problems:
            typer.echo("Nothing is wrong. To begin: buildsearch optimize --budget 4")
    raise typer.Exit(FINDINGS if found.problems else FINE)
