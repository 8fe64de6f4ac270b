"""How big a search is, said before it begins."""

from __future__ import annotations

import json
from typing import Any

import typer

from buildsearch.cli.problems import warn
from buildsearch.cli.progress import say_duration, waiting
from buildsearch.cli.search_options import Limits
from buildsearch.library.guide import OPTUNA
from buildsearch.library.search import Search
from buildsearch.model.errors import UsageError
from buildsearch.model.text import count


def say_size(search: Search, limits: Limits, *, json_: bool, quiet: bool) -> None:
    """Print how big a search is, as far as that is known; raises UsageError for what would be too much."""
    only = limits.dry_run
    with waiting("counting builds", quiet=quiet or json_):
        forecast = search.forecast()
        work, size = forecast.work, search.bytes(forecast.work)
    gigabytes = size / (1 << 30)
    seconds = forecast.left if forecast.is_known else None
    if only and json_:
        told: dict[str, Any] = {
            "builds": work.builds,
            "scenarios": work.fights,
            "seconds": seconds,
            "bytes": size,
        }
        if search.guide is not None:
            told |= {"builds": sum(search.counts().values()), "search": OPTUNA, **search.guide.told}
        typer.echo(json.dumps(told))
    elif only or not (quiet or json_):
        time = "" if seconds is None else f" About {say_duration(seconds)}."
        if only and seconds is None:
            time = " How long it takes is not known on this machine before a first run."
        memory = f" At most {gigabytes:.1f} GB." if only else ""
        typer.echo(f"{_what(search)}{time}{memory}", err=not only)
    _refuse_too_much(search, limits, seconds, gigabytes)


def _what(search: Search) -> str:
    total, guide = sum(search.counts().values()), search.guide
    if search.among is not None:
        return f"{search.among.size:,} of {total:,} builds: the best of {search.among.folder}."
    if guide is None:
        return f"{count(total, 'build')} in {count(len(search.setup.fights), 'scenario')}."
    ends = [] if guide.trials is None else [f"{min(guide.trials, total):,} builds are tried"]
    ends += [] if guide.stop_after is None else [f"{guide.stop_after:g} minutes are over"]
    return f"{count(total, 'build')}: a guided search ({guide.sampler}) until {' or '.join(ends)}."


def _refuse_too_much(search: Search, limits: Limits, seconds: float | None, gigabytes: float) -> None:
    named = ", ".join(f"-p {each.name}=..." for each in search.setup.loaded.system.parameters)
    hint = f"Ask for fewer builds ({named}, --type, --with, --without) or fewer scenarios (--scenario)."
    if limits.max_memory is not None and gigabytes > limits.max_memory:
        raise UsageError(
            f"this needs up to {gigabytes:.1f} GB, above --max-memory {limits.max_memory:g}. {hint}"
        )
    if limits.max_minutes is None:
        return
    if seconds is None:
        warn("--max-minutes cannot be checked: no run of this game has finished here with this cache.")
    elif seconds > 60 * limits.max_minutes:
        raise UsageError(
            f"this takes about {say_duration(seconds)}; --max-minutes allows {limits.max_minutes:g}. {hint} "
            "A smaller --initial-fights or --ranking-fights helps where builds are sampled."
        )
