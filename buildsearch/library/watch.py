"""Around the work: who learns how far it is and stops it, where scores are kept, and where they are made."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from buildsearch.cluster.addresses import read_address
from buildsearch.files.atomic import check_writable
from buildsearch.files.user_cache import default_cache_path
from buildsearch.model.errors import Cancelled, UsageError, naming_arguments
from buildsearch.options.output import Cancellation, Execution, Progress
from buildsearch.search.executor import Jobs
from buildsearch.search.leaders import Leaders
from buildsearch.search.scoring import Advance, Bar, no_bar
from buildsearch.search.timing import Forecast


class BuildsearchWarning(UserWarning):
    """Something odd that does not stop the work."""


def warn_in_python(sentence: str) -> None:
    """The way in which libraries warn."""
    warnings.warn(naming_arguments(sentence, lambda name: f"`{name}`"), BuildsearchWarning, stacklevel=3)


def no_stage(_stage: str) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told: bars of long stages, how far a run is, names of short stages, what is proved so far, the
    first proposal, warnings, a near end, and the best builds found so far."""

    bar: Bar = no_bar
    run: Callable[[Forecast], AbstractContextManager[None]] = lambda _forecast: nullcontext()
    stage: Callable[[str], None] = no_stage
    say: Callable[[str], None] = no_stage
    on_first: Callable[[str], None] = no_stage
    warn: Callable[[str], None] = warn_in_python
    on_interrupt: Callable[[], None] = lambda: None
    on_leaders: Callable[[Leaders], None] | None = None


SILENT = Watch()


@dataclass(frozen=True, slots=True)
class Scoring:
    """How builds are scored: where scores are kept, what works, and who is told."""

    cache: Path | None = None
    jobs: Jobs = -1
    watch: Watch = SILENT


NOTHING_KEPT = Scoring()


def watch_by(progress: Callable[[Progress], None] | None, cancel: Cancellation | None) -> Watch:
    """A watch that calls `progress`, and that stops the work once `cancel` is set.

    Work hears of it at its next step, and only once: what is known by then is still put in order.
    """
    heard = False

    @contextmanager
    def bar(stage: str, total: int) -> Iterator[Advance]:
        done = 0

        def advance(more: int) -> None:
            nonlocal done, heard
            done += more
            if progress is not None:
                progress(Progress(stage, done, total))
            if cancel is not None and not heard and cancel.is_set():
                heard = True
                raise Cancelled("stopped before the end, as it was asked to.")

        advance(0)
        yield advance

    def stage(name: str) -> None:
        with bar(name, 0):
            pass

    return Watch(bar=bar, stage=stage)


def cache_folder(cache: bool | str | Path, watch: Watch = SILENT) -> Path | None:
    """Where scores are kept; None where they are not. Raises UsageError for what is no folder."""
    if cache is False:
        return None
    folder = default_cache_path() if cache is True else Path(cache)
    try:
        check_writable(folder / "scores")
    except UsageError as error:
        if cache is not True and isinstance(error.__cause__, NotADirectoryError | FileExistsError):
            raise UsageError(
                f"scores cannot be kept: {error} Name a folder with ‹cache›, or leave it out."
            ) from error
        # A full disk, or one that may not be written to: what is kept there can still be read.
        watch.warn(f"scores cannot be kept: {error} The run goes on without.")
    return folder


def scoring_for(given: Execution) -> Scoring:
    """How a caller from Python wants builds to be scored."""
    watch = watch_by(given.progress, given.cancel)
    return Scoring(cache_folder(given.cache, watch), given.jobs, watch)


@contextmanager
def on_cluster(
    address: str | None,
    *,
    jobs: int = -1,
    tell: Callable[[str], None] = no_stage,
    warn: Callable[[str], None] = no_stage,
) -> Iterator[Jobs]:
    """What to pass as `jobs`: an executor on a cluster, or without an address the number. Raises
    UsageError."""
    if address is None:
        yield jobs
        return
    where = read_address(address)
    try:
        from buildsearch.cluster.dask_executor import cluster_executor
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] == "buildsearch":
            raise
        raise UsageError(
            f"‹cluster› needs {error.name}, which is not installed. Install the extra: "
            "`pip install 'buildsearch[cluster]'`."
        ) from error
    with cluster_executor(where, jobs=jobs, tell=tell, warn=warn) as executor:
        yield executor
