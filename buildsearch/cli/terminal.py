"""What a terminal is shown: characters that turn writing around come out as escapes, and problems as a
person reads them, and as a program does.

Names and texts come from rules files that anybody may have written. They reach a terminal by many ways, and
all of these end here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from buildsearch.cli.bind import flag
from buildsearch.model.errors import Problem, Severity, naming_arguments
from buildsearch.model.text import visible, without_tricks


class _Plain:
    """A stream that writes escapes for such characters, and is otherwise the stream behind it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        shown = without_tricks(text)
        try:
            self._stream.write(shown)
        except UnicodeEncodeError:  # a file on Windows has an old encoding, and a game may be called 東京
            encoding = self._stream.encoding
            self._stream.write(shown.encode(encoding, "backslashreplace").decode(encoding))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def shown_plainly() -> Iterator[None]:
    """Standard output and error that show what they are given, for as long as the block lasts."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Plain(out), _Plain(err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


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
