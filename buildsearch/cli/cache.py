"""`buildsearch cache`: cached scores, shown or deleted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from buildsearch.model.text import count
from buildsearch.options.fields import Flag, Positional
from buildsearch.options.output import Json

EXAMPLE = "Examples: buildsearch cache info;  buildsearch cache clear --cache .buildsearch-cache"
_ACTIONS = ("info", "clear")


def command(
    *,
    action: Annotated[str, Positional("What to do.", metavar="info|clear")],
    cache: Annotated[
        Path | None, Flag("Folder of the cache. Default: $BUILDSEARCH_CACHE, else ~/.cache/buildsearch.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show or clear cached scores.

    Scores are kept by content, so a changed rule never meets an old score; clearing only costs time.
    """
    from buildsearch.files.user_cache import default_cache_path
    from buildsearch.model.errors import UsageError
    from buildsearch.ruleset.messages import suggest
    from buildsearch.search.score_cache import cache_info, clear_cache

    if action not in _ACTIONS:
        raise UsageError(f"unknown action `{action}`. {suggest(action, _ACTIONS)}")
    path = cache or default_cache_path()
    found = clear_cache(path) if action == "clear" else cache_info(path)
    if as_json:
        typer.echo(
            json.dumps(
                {"path": str(path), "files": found.files, "bytes": found.size, "damaged": found.damaged}
            )
        )
        return
    size = f"{found.size / (1 << 20):,.1f} MB in {count(found.files, 'file')}"
    damaged = f" {found.damaged:,} of them were damaged and set aside." if found.damaged else ""
    typer.echo(f"{'Cleared' if action == 'clear' else 'Cached'} in {path}: {size}.{damaged}")
