"""Problems as a person reads them, and as a program does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from buildsearch.cli.flags import flag
from buildsearch.model.errors import naming_arguments
from buildsearch.model.problem import Problem, Severity
from buildsearch.model.visible import visible

__all__ = ["print_problems", "problem_to_dict", "visible", "warn"]


def print_problems(problems: Iterable[Problem]) -> None:
    """Each on stderr: where, what, the offending value, and what to do about it."""
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    for problem in problems:
        colour = "red" if problem.severity is Severity.ERROR else "yellow"
        line = Text(f"{visible(naming_arguments(problem.where, flag))}: ", style="bold")
        line.append(f"{problem.severity.value}: ", style=colour)
        line.append(visible(problem.message if problem.hint is None else f"{problem.message}."))
        place = " = ".join(part for part in (problem.path, problem.value) if part)
        if problem.hint:
            line.append(f" {visible(problem.hint)}", style="cyan")
        if place:
            line.append(f" [{visible(place)}]", style="dim")
        console.print(line)


def warn(sentence: str) -> None:
    """Something that does not stop the work, on stderr."""
    import typer

    typer.echo(f"buildsearch: warning: {visible(naming_arguments(sentence, flag))}", err=True)


def problem_to_dict(problem: Problem) -> dict[str, Any]:
    """The same for `--json`."""
    source = None if problem.source is None else naming_arguments(problem.source, flag)
    return asdict(problem) | {"severity": problem.severity.value, "source": source}
