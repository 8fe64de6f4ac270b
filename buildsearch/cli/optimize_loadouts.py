"""`buildsearch optimize` for characters that take several builds."""

from __future__ import annotations

from buildsearch.cli.output import print_document
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.loadouts import FoundLoadouts, loadout_size
from buildsearch.model.errors import UsageError
from buildsearch.model.loadouts import PicksLoadouts
from buildsearch.model.request import SearchRequest
from buildsearch.views.loadouts import ranked_loadouts, search_size


def say_loadout_size(
    setup: FightSetup,
    system: PicksLoadouts,
    request: SearchRequest,
    gigabytes: float | None,
    *,
    only: bool,
    json_: bool,
) -> None:
    """Print how big the search is, if only that was asked; raises UsageError for too much memory."""
    size = loadout_size(setup, system, request)
    needed = size.bytes / (1 << 30)
    if only:
        document = search_size(size.builds, size.loadouts, size.members, len(setup.fights), size.bytes)
        print_document(document, json_=json_)
    if gigabytes is not None and needed > gigabytes:
        raise UsageError(
            f"this needs about {needed:.1f} GB, above --max-memory {gigabytes:g}. Lower the budget, "
            "filter with --type, --with or --without, or take fewer --scenario."
        )


def show_loadouts(setup: FightSetup, found: FoundLoadouts, *, json_: bool, quiet: bool) -> None:
    """The ranks, in the form that was asked for."""
    metric = setup.loaded.system.metrics[0]
    document = ranked_loadouts(found.rows, list(setup.fights), metric, found.record.said(), str(found.folder))
    print_document(document, json_=json_, tables=False, quiet=quiet)
