"""Problems as a person reads them, and as a program does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from buildsearch.model.problem import Problem, Severity


def print_problems(problems: Iterable[Problem]) -> None:
    """Each on stderr: where, what, the offending value, and what to do about it."""
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    for problem in problems:
        colour = "red" if problem.severity is Severity.ERROR else "yellow"
        line = Text(f"{visible(problem.where)}: ", style="bold")
        line.append(f"{problem.severity.value}: ", style=colour)
        line.append(visible(problem.message if problem.hint is None else f"{problem.message}."))
        place = " = ".join(part for part in (problem.path, problem.value) if part)
        if problem.hint:
            line.append(f" {visible(problem.hint)}", style="cyan")
        if place:
            line.append(f" [{visible(place)}]", style="dim")
        console.print(line)


def visible(text: str) -> str:
    """The text with control characters written out: keys and values of a file are not to drive a terminal."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )


def problem_to_dict(problem: Problem) -> dict[str, Any]:
    """The same for `--json`."""
    return asdict(problem) | {"severity": problem.severity.value}
