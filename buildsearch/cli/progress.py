"""What a person who waits is shown; silent where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from buildsearch.workflow.watch import Watch


@contextmanager
def waiting(what: str, *, quiet: bool) -> Iterator[None]:
    """Says what takes so long, for as long as it does. Shown on a terminal's stderr only."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True, highlight=False).status(what):
        yield


@contextmanager
def progress_bar(what: str, total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar with rate and remaining time. Gives a function that is told how many more are done."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.advance(task, done)


def _nobody() -> None:
    """Nobody is told."""


def watch_on_terminal(*, quiet: bool, on_interrupt: Callable[[], None] = _nobody) -> Watch:
    """Bars and warnings as a terminal has them; warnings are said even to who wants it quiet."""
    from buildsearch.cli.problems import warn
    from buildsearch.workflow.watch import Watch

    return Watch(
        bar=lambda what, total: progress_bar(what, total, quiet=quiet), warn=warn, on_interrupt=on_interrupt
    )


@contextmanager
def stages_on_terminal(*, quiet: bool) -> Iterator[Watch]:
    """The same with the name of the stage that is at work, for work without bars."""
    from dataclasses import replace

    watch = watch_on_terminal(quiet=quiet)
    if quiet or not sys.stderr.isatty():
        yield watch
        return
    from rich.console import Console

    with Console(stderr=True, highlight=False).status("") as status:
        yield replace(watch, stage=status.update)
