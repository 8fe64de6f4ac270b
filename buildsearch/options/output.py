"""How work is done, and in which form it is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Protocol, runtime_checkable

from annotated_types import Interval

from buildsearch.model.errors import UsageError
from buildsearch.options.fields import CacheFlag, Flag, OnlyPython, Positional

_MOST_JOBS = 256
Seed = Annotated[int, Flag("Seed: the same one gives the same numbers.")]
Json = Annotated[bool, Flag("Print the answer as JSON, for programs.", "--json")]
Open = Annotated[bool, Flag("Show it in the browser.", "--open")]
RunName = Annotated[str | None, Positional("A run's folder or name. Default: the last run.", metavar="RUN")]
IgnoreChecksums = Annotated[bool, Flag("Read a run whose files are not those that optimize wrote.")]
ThresholdsFile = Annotated[Path | str | None, Flag("A TOML file with other thresholds.")]
WorkbenchRows = Annotated[
    int,
    Interval(ge=1, le=5_000_000),
    Flag("Most builds in the page; about 20 bytes each, in the file.", "--rows"),
]
Cluster = Annotated[
    str | None,
    Flag(
        "Score on a Dask cluster: tcp://HOST:8786 (or tls://), or local:4 for four processes here. "
        "Needs the extra `cluster`."
    ),
]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is. `total` is 0 where it is not known beforehand."""

    stage: str
    done: int
    total: int


@runtime_checkable
class Cancellation(Protocol):
    """Anything that can be set from elsewhere: a `threading.Event` will do."""

    def is_set(self) -> bool:
        """Whether the work shall stop."""


@dataclass(frozen=True, kw_only=True)
class Threads:
    """How many."""

    jobs: Annotated[int, Flag("Threads; -1 for every core.", "--jobs", "-j")] = -1

    def __post_init__(self) -> None:
        if self.jobs != -1 and not 1 <= self.jobs <= _MOST_JOBS:
            raise UsageError(f"‹jobs› must be from 1 to {_MOST_JOBS}, or -1 for every core, not {self.jobs}.")


@dataclass(frozen=True, kw_only=True)
class Cancelling:
    """How a caller from Python stops the work."""

    cancel: Annotated[
        Cancellation | None,
        OnlyPython("Once it is set (a `threading.Event` will do), `Cancelled` is raised at the next step."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Watched(Cancelling):
    """How a caller from Python learns how far the work is."""

    progress: Annotated[
        Callable[[Progress], None] | None, OnlyPython("Is told a `Progress` now and then.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class CacheOptions:
    """Where scores are kept."""

    cache: Annotated[
        bool | str | Path,
        CacheFlag(
            "Folder of kept scores. Default: $BUILDSEARCH_CACHE, else ~/.cache/buildsearch.", "--cache"
        ),
    ] = True


@dataclass(frozen=True, kw_only=True)
class Execution(Watched, CacheOptions, Threads):
    """How work is done that scores builds."""


@dataclass(frozen=True, kw_only=True)
class Output:
    """In which form an answer is printed."""

    json: Json = False
    quiet: Annotated[bool, Flag("No progress, no summary.", "--quiet", "-q")] = False

    @property
    def is_silent(self) -> bool:
        """Whether a program reads the answer, or nothing does."""
        return self.quiet or self.json


@dataclass(frozen=True, kw_only=True)
class PageOutput(Output):
    """The same with Markdown."""

    markdown: Annotated[bool, Flag("Print Markdown, for a pull request.")] = False

    def __post_init__(self) -> None:
        if self.json and self.markdown:
            raise UsageError("--json and --markdown are two forms of one answer. Choose one of them.")

    @property
    def is_silent(self) -> bool:
        """The same."""
        return self.quiet or self.json or self.markdown
