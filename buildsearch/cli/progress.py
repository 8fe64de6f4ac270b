"""What a person who waits is shown; silent where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text as Line

    from buildsearch.library.watch import Scoring, Watch
    from buildsearch.options.output import Execution, Output
    from buildsearch.search.executor import Jobs
    from buildsearch.search.leaders import Leaders
    from buildsearch.search.timing import Forecast

T = TypeVar("T")


@contextmanager
def waiting(what: str, *, quiet: bool) -> Iterator[None]:
    """Says what takes time, while it does. Shown on a terminal's stderr only."""
    with stages_on_terminal(quiet=quiet) as watch:
        watch.stage(what)
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


@contextmanager
def run_bar(forecast: Forecast, above: Callable[[], list[Line]], *, quiet: bool) -> Iterator[None]:
    """One bar for a whole run: its stage, how much of it is over, and the time left; and what is known so far
    above it."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    class Bar(Progress):
        """Whenever it is drawn it asks how far the run is; it never goes back."""

        def get_renderables(self) -> Iterable[RenderableType]:
            for task in self.tasks:
                over = max(task.completed, forecast.share)
                self.update(task.id, completed=over, description=f"{forecast.stage} {say_left(forecast)}")
            return [*above(), *super().get_renderables()]

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task("", total=1.0)
        yield


def say_left(forecast: Forecast) -> str:
    """The time left in words, as exactly as it is known."""
    left = forecast.left
    return "" if left is None else f"({say_duration(left)} left)"


def say_duration(seconds: float) -> str:
    """Seconds, or minutes where they are many."""
    return f"{max(seconds, 1):.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def _nobody() -> None:
    """Nobody is told."""


def watch_on_terminal(*, quiet: bool, on_interrupt: Callable[[], None] = _nobody) -> Watch:
    """Bars and warnings as a terminal has them; warnings are said even to who wants it quiet."""
    from buildsearch.cli.terminal import warn
    from buildsearch.library.watch import Watch
    from buildsearch.search.scoring import no_bar

    is_shown = False
    above: list[Line] = []

    def on_leaders(leaders: Leaders) -> None:
        from rich.console import Console

        from buildsearch.document.terminal import lines_of
        from buildsearch.report.leaderboard import score_words
        from buildsearch.views.optimize import provisional_document

        page = provisional_document(leaders, score_words(leaders.objective))
        above[:] = lines_of(page, Console(stderr=True, highlight=False))
        for line in above:
            line.no_wrap, line.overflow = True, "ellipsis"

    @contextmanager
    def alone(shown: AbstractContextManager[T]) -> Iterator[T]:
        nonlocal is_shown
        is_shown = True
        try:
            with shown as found:
                yield found
        finally:
            is_shown = False

    def run(forecast: Forecast) -> AbstractContextManager[None]:
        return alone(run_bar(forecast, lambda: above, quiet=quiet))

    def bar(what: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        # A terminal has one bar: parts of what is shown are not shown.
        return no_bar(what, total) if is_shown else alone(progress_bar(what, total, quiet=quiet))

    return Watch(
        bar=bar,
        run=run,
        warn=warn,
        on_interrupt=on_interrupt,
        on_leaders=None if quiet or not sys.stderr.isatty() else on_leaders,
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
    from rich.markup import escape

    from buildsearch.model.text import visible

    with Console(stderr=True, highlight=False).status("") as status:
        yield replace(watch, stage=lambda text: status.update(escape(visible(text))))


@contextmanager
def on_cluster(address: str | None, *, jobs: int, quiet: bool) -> Iterator[Jobs]:
    """What to score with: a cluster, as long as the block lasts, or threads. Says where a cluster is."""
    import typer

    from buildsearch.cli.terminal import warn
    from buildsearch.library import watch

    def tell(sentence: str) -> None:
        if not quiet:
            typer.echo(sentence, err=True)

    with watch.on_cluster(address, jobs=jobs, tell=tell, warn=warn) as executor:
        yield executor


@contextmanager
def scoring_on_terminal(
    how: Execution,
    output: Output,
    cluster: str | None = None,
    on_interrupt: Callable[[], None] = _nobody,
) -> Iterator[Scoring]:
    """How builds are scored, as long as the block lasts, with bars and warnings as a terminal has them."""
    from buildsearch.library.watch import Scoring, cache_folder

    watch = watch_on_terminal(quiet=output.is_silent, on_interrupt=on_interrupt)
    with on_cluster(cluster, jobs=how.jobs, quiet=output.quiet) as jobs:
        yield Scoring(cache_folder(how.cache, watch), jobs, watch)


def refuse_cluster(address: str | None, what: str) -> None:
    """Raises UsageError where a cluster is named for something that is done here."""
    from buildsearch.model.errors import UsageError

    if address is not None:
        raise UsageError(f"{what} on this machine alone. Leave --cluster out.")
