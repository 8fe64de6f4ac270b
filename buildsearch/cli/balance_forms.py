"""In which form `balance` answers: text, Markdown, JSON or a patch, and into which files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from buildsearch.cli.options import ONE_FORM
from buildsearch.cli.problems import visible
from buildsearch.files.atomic import check_writable
from buildsearch.model.errors import UsageError


@dataclass(frozen=True, slots=True)
class Output:
    """In which form, and into which files."""

    form: str  # text, markdown, json or patch
    apply: int | None
    out: Path | None
    html: Path | None
    quiet: bool
    verbose: bool = False

    @property
    def is_patch(self) -> bool:
        """Whether a unified diff is asked for."""
        return self.form == "patch"

    @property
    def is_talking(self) -> bool:
        """Whether a person reads along."""
        return self.form == "text" and not self.quiet


def make_output(
    apply: int | None,
    out: Path | None,
    html: Path | None,
    *,
    json_: bool,
    markdown: bool,
    patch: bool,
    quiet: bool,
    verbose: bool = False,
) -> Output:
    """What was asked for; raises UsageError for what contradicts itself and files that cannot be written."""
    if sum((json_, markdown, patch)) > 1:
        raise UsageError(ONE_FORM if not patch else "--patch, --json and --markdown: choose one of them.")
    if (apply is None) != (out is None) and not (patch and out is None):
        raise UsageError("--apply says which proposal, --out into which file. Give both of them.")
    for path in (html, out):
        if path is not None:
            check_writable(path)
    form = "json" if json_ else "markdown" if markdown else "patch" if patch else "text"
    return Output(form, apply, out, html, quiet, verbose)


@contextmanager
def status(output: Output) -> Iterator[Callable[[str], None]]:
    """A line that says what is proved so far."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True, highlight=False)
    if not output.is_talking or not console.is_terminal:
        yield lambda _text: None
        return
    with console.status("") as line:
        yield lambda text: line.update(escape(visible(text)))


def first_found(text: str, output: Output) -> None:
    """The first proposal, while the search goes on."""
    if output.is_talking:
        typer.echo(visible(f"Found: {text} Looking for other proposals."), err=True)
