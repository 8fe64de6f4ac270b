"""How whoever asked learns how far the work is, what is odd about it, and how they stop it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from buildsearch.model.errors import Cancelled, naming_arguments
from buildsearch.search.ranking import nobody
from buildsearch.search.scoring import Advance, Bar, no_bar
from buildsearch.search.timing import Forecast


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is. `total` is 0 where nobody knows it beforehand."""

    stage: str
    done: int
    total: int


@runtime_checkable
class Cancellation(Protocol):
    """Whatever can be set from elsewhere: a `threading.Event` will do."""

    def is_set(self) -> bool:
        """Whether the work shall stop."""


class BuildsearchWarning(UserWarning):
    """Something odd that does not stop the work."""


@contextmanager
def no_run(_forecast: Forecast) -> Iterator[None]:
    """Nobody watches."""
    yield


def warn_in_python(sentence: str) -> None:
    """The way in which libraries warn."""
    warnings.warn(naming_arguments(sentence, lambda name: f"`{name}`"), BuildsearchWarning, stacklevel=3)


def no_stage(_stage: str) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told: bars of long stages, how far a run is, names of short stages, warnings, a near end."""

    bar: Bar = no_bar
    run: Callable[[Forecast], AbstractContextManager[None]] = no_run
    stage: Callable[[str], None] = no_stage
    warn: Callable[[str], None] = warn_in_python
    on_interrupt: Callable[[], None] = nobody


SILENT = Watch()


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
