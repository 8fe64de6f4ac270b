"""How big a search is, said before it begins."""

from __future__ import annotations

import json

import typer

from buildsearch.cli.progress import waiting
from buildsearch.cli.search_options import Limits
from buildsearch.model.errors import UsageError
from buildsearch.model.text import count
from buildsearch.search.estimate import SearchEstimate
from buildsearch.workflow.guide import OPTUNA, Guide
from buildsearch.workflow.search import Search

# Who has waited for so many seconds is told that they are in the sum.
_WORTH_A_WORD = 10.0


def say_size(search: Search, limits: Limits, *, json_: bool, quiet: bool) -> None:
    """Print the estimate, if anybody wants it; raises UsageError for what would be too much."""
    is_silent, only = quiet or json_, limits.dry_run
    with waiting("counting builds", quiet=is_silent):
        counts = search.counts()
    total = sum(counts.values())
    if search.among is not None or search.guide is not None:
        # A pilot would try as many builds as the search itself.
        if only or not is_silent:
            typer.echo(_say_some(search, total, json_=only and json_), err=not only)
        return
    if not only and limits.max_memory is None and limits.time_ is None and is_silent:
        return
    if not only and limits.max_memory is None and limits.time_ is None:
        left = search.left_of_few(counts)
        if left is not None:
            sampled = f"; {count(left, 'score')} cannot be solved in bulk" if left else ""
            typer.echo(f"{_builds(search, total)}{sampled}.", err=True)
            return
    with waiting("estimating (the first time, code is compiled: minutes)", quiet=is_silent):
        size = search.estimate(counts)
    if only and json_:
        typer.echo(json.dumps(_as_data(size)))
    elif only or not quiet:
        typer.echo(
            f"{_builds(search, size.builds)}; {_exact(size.exact_share)}. "
            f"About {_time(size, is_next=only)} and {_gigabytes(size):.1f} GB.",
            err=not only,
        )
    _refuse_too_much(search, size, limits)


def _builds(search: Search, builds: int) -> str:
    return f"{count(builds, 'build')} in {count(len(search.setup.fights), 'scenario')}"


def _refuse_too_much(search: Search, size: SearchEstimate, limits: Limits) -> None:
    named = ", ".join(f"-p {each.name}=..." for each in search.setup.loaded.system.parameters)
    hint = f"Ask for fewer builds ({named}, --group, --with, --without) or fewer scenarios (--scenario)."
    needed = _gigabytes(size)
    if limits.max_memory is not None and needed > limits.max_memory:
        raise UsageError(
            f"this needs about {needed:.1f} GB, above --max-memory {limits.max_memory:g}. {hint}"
        )
    if limits.time_ is not None and size.seconds > 60 * limits.time_:
        sampling = " A smaller --floor or --race-fights helps too." if size.exact_share < 1 else ""
        raise UsageError(
            f"this takes about {_duration(size.seconds)}, above --time {limits.time_:g} minutes. "
            f"{hint}{sampling}"
        )


def _say_some(search: Search, total: int, *, json_: bool) -> str:
    """Where only some builds are looked at: which."""
    if search.among is not None:
        return f"{search.among.size:,} of {total:,} builds: the best of {search.among.folder}."
    guide = search.guide
    if guide is None or json_:
        return json.dumps({"builds": total, "search": OPTUNA} | ({} if guide is None else guide.told))
    return f"{count(total, 'build')}: a guided search ({guide.sampler}) until {_end(guide, total)}."


def _end(guide: Guide, total: int) -> str:
    ends = [] if guide.trials is None else [f"{min(guide.trials, total):,} builds are tried"]
    ends += [] if guide.minutes is None else [f"{guide.minutes:g} minutes are over"]
    return " or ".join(ends)


def _as_data(size: SearchEstimate) -> dict[str, object]:
    return {
        "builds": size.builds,
        "exact_share": size.exact_share,
        "seconds": size.seconds,
        "stages": {stage: round(took, 3) for stage, took in size.stages.items()},
        "bytes": size.bytes,
    }


def _gigabytes(size: SearchEstimate) -> float:
    return size.bytes / (1 << 30)


def _time(size: SearchEstimate, *, is_next: bool) -> str:
    """How long this run takes, or the next one, which finds everything compiled."""
    if is_next:
        return _duration(size.seconds)
    passed = f" ({_duration(size.passed)} of it are over)" if size.passed > _WORTH_A_WORD else ""
    return _duration(size.compiling + size.seconds) + passed


def _duration(seconds: float) -> str:
    return f"{max(seconds, 1):.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def _exact(share: float) -> str:
    if share == 1:
        return "all scores are exact"
    # Rounded down: what is sampled must not be rounded away.
    return f"{int(100 * share)}% of the scores are exact, the rest is sampled"
