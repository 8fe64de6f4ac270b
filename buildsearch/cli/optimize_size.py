"""How big a search is, said before it begins."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer
from annotated_types import Interval

from buildsearch.model.errors import UsageError
from buildsearch.options.fields import Flag
from buildsearch.options.output import Output

if TYPE_CHECKING:
    from buildsearch.library.fight_setup import FightSetup
    from buildsearch.library.search import BuildSearch
    from buildsearch.model.loadouts import PicksLoadouts
    from buildsearch.options.search import SearchOptions

_Most = Annotated[float, Interval(ge=0)] | None


@dataclass(frozen=True, kw_only=True)
class SizeLimits:
    """How big a search may be."""

    dry_run: Annotated[bool, Flag("Only say how big the search is.")] = False
    max_memory: Annotated[_Most, Flag("Refuse a search that needs more GB than this.")] = None
    max_minutes: Annotated[_Most, Flag("Refuse a run that is estimated to take longer.")] = None


def say_loadout_size(
    setup: FightSetup, system: PicksLoadouts, options: SearchOptions, limits: SizeLimits, output: Output
) -> None:
    """Print how big the search is, if only that was asked; raises UsageError for too much memory."""
    from buildsearch.cli.output import print_document
    from buildsearch.library.loadouts import loadout_size
    from buildsearch.views.loadouts import search_size

    size = loadout_size(setup, system, options)
    needed, most = size.bytes / (1 << 30), limits.max_memory
    if limits.dry_run:
        page = search_size(size.builds, size.loadouts, size.members, len(setup.fights), size.bytes)
        print_document(page, Output(json=output.json))
    if most is not None and needed > most:
        raise UsageError(
            f"this needs about {needed:.1f} GB, above --max-memory {most:g}. Lower the budget, "
            "filter with --type, --with or --without, or take fewer --scenario."
        )


def say_size(search: BuildSearch, limits: SizeLimits, output: Output) -> None:
    """Print how big a search is, as far as that is known; raises UsageError for what would be too much."""
    from buildsearch.cli.progress import say_duration, waiting
    from buildsearch.library.search import OPTUNA

    only = limits.dry_run
    with waiting("counting builds", quiet=output.is_silent):
        forecast = search.forecast()
        work, size = forecast.work, search.bytes(forecast.work)
    gigabytes = size / (1 << 30)
    seconds = forecast.left if forecast.is_known else None
    if only and output.json:
        told: dict[str, Any] = {
            "builds": work.builds,
            "scenarios": work.fights,
            "seconds": seconds,
            "bytes": size,
        }
        if search.guide is not None:
            told |= {"builds": sum(search.counts().values()), "search": OPTUNA, **search.guide.told}
        typer.echo(json.dumps(told))
    elif only or not output.is_silent:
        time = "" if seconds is None else f" About {say_duration(seconds)}."
        if only and seconds is None:
            time = " How long it takes is not known on this machine before a first run."
        memory = f" At most {gigabytes:.1f} GB." if only else ""
        typer.echo(f"{_what(search)}{time}{memory}", err=not only)
    _refuse_too_much(search, limits, seconds, gigabytes)


def _what(search: BuildSearch) -> str:
    from buildsearch.model.text import count

    total, guide = sum(search.counts().values()), search.guide
    if search.among is not None:
        return f"{search.among.size:,} of {total:,} builds: the best of {search.among.folder}."
    if guide is None:
        return f"{count(total, 'build')} in {count(len(search.setup.fights), 'scenario')}."
    ends = [] if guide.trials is None else [f"{min(guide.trials, total):,} builds are tried"]
    ends += [] if guide.stop_after is None else [f"{guide.stop_after:g} minutes are over"]
    return f"{count(total, 'build')}: a guided search ({guide.sampler}) until {' or '.join(ends)}."


def _refuse_too_much(
    search: BuildSearch, limits: SizeLimits, seconds: float | None, gigabytes: float
) -> None:
    from buildsearch.cli.progress import say_duration
    from buildsearch.cli.terminal import warn

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
