"""Problems as a person reads them, and as a program does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from buildsearch.cli.bind import flag
from buildsearch.model.errors import Problem, Severity, naming_arguments
from buildsearch.model.text import visible

__all__ = ["print_problems", "problem_to_dict", "said", "visible", "warn"]


def said(sentence: str) -> str:
    """A sentence of the library as the command line says it: flags for arguments, no control characters."""
    return visible(naming_arguments(sentence, flag))


def print_problems(problems: Iterable[Problem]) -> None:
    """Each on stderr: where, what, the offending value, and what to do about it."""
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    for problem in problems:
        colour = "red" if problem.severity is Severity.ERROR else "yellow"
        line = Text(f"{said(problem.where)}: ", style="bold")
        line.append(f"{problem.severity.value}: ", style=colour)
        line.append(said(problem.message if problem.hint is None else f"{problem.message}."))
        where = " = ".join(part for part in (problem.path, problem.value) if part)
        if problem.hint:
            line.append(f" {said(problem.hint)}", style="cyan")
        if where:
            line.append(f" [{visible(where)}]", style="dim")
        console.print(line)


def warn(sentence: str) -> None:
    """Something that does not stop the work, on stderr."""
    import typer

    typer.echo(f"buildsearch: warning: {said(sentence)}", err=True)


def problem_to_dict(problem: Problem) -> dict[str, Any]:
    """The same for `--json`."""
    told = {name: getattr(problem, name) for name in ("source", "message", "hint")}
    named = {name: text and naming_arguments(text, flag) for name, text in told.items()}
    return asdict(problem) | {"severity": problem.severity.value, **named}
