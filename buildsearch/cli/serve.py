"""`buildsearch serve`: the workbench with the engines behind it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from annotated_types import Interval

from buildsearch.options.balance import BalanceFiles
from buildsearch.options.fields import Flag, as_path
from buildsearch.options.output import (
    CacheOptions,
    IgnoreChecksums,
    Open,
    Output,
    RunName,
    Threads,
    WorkbenchRows,
)

_LEADS_ON = """<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<title>buildsearch</title><meta http-equiv="refresh" content="0; url={0}"><a href="{0}">Open the workbench</a>
"""
EXAMPLE = (
    "Examples: buildsearch serve --open;  buildsearch serve results/v2 --port 8765;  "
    "buildsearch serve results/v2 --folder ~/my-game --json"
)


def command(
    *,
    run: RunName = None,
    port: Annotated[
        int, Interval(ge=0, le=65_535), Flag("Port on 127.0.0.1. Default: any that is free.")
    ] = 0,
    folder: Annotated[Path, Flag("Rules are only saved inside this folder. Default: this one.")] = Path(),
    rows: WorkbenchRows = 1_000_000,
    files: BalanceFiles,
    is_open: Open = False,
    kept: CacheOptions,
    how: Threads,
    ignore_checksums: IgnoreChecksums = False,
    output: Output,
) -> None:
    """Serve the workbench here, with the engines behind it.

    Change any number of the rules: the builds that matter are scored again at once, the others follow. Run
    balance from the page, and save to the rules file with its comments kept. Ctrl-C ends it.
    """
    from buildsearch.model.errors import UsageError

    try:
        from buildsearch.server.app import HOST, listen, make_app, serve_until_interrupted
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio", "h11"):
            raise
        raise UsageError(
            "serve needs starlette and uvicorn, which are not installed: pip install 'buildsearch[serve]', "
            "or in a checkout pip install '.[serve]'."
        ) from None
    import secrets

    from buildsearch.analysis.thresholds import read_thresholds
    from buildsearch.cli.failures import FINE
    from buildsearch.cli.interrupts import leave
    from buildsearch.cli.progress import stages_on_terminal
    from buildsearch.gate.config import read_config, with_preset
    from buildsearch.library.runs import load_run
    from buildsearch.library.service import ServeSettings, Service
    from buildsearch.library.watch import Scoring, cache_folder

    if not folder.is_dir():
        raise UsageError(f"--folder {folder} is not a folder.")
    limits = read_thresholds(as_path(files.thresholds))
    settings = with_preset(read_config(as_path(files.config))[0])
    with listen(port) as on:
        with stages_on_terminal(quiet=output.is_silent) as watch:
            loaded = load_run(run, ignore_checksums=ignore_checksums, watch=watch)
            watch.stage("packing builds")
            scoring = Scoring(cache_folder(kept.cache, watch), how.jobs)
            service = Service(loaded, ServeSettings(folder, limits, settings, scoring, rows))
            why_not = service.shown.why_not_saved
        token, port = secrets.token_urlsafe(32), on.getsockname()[1]
        address = f"http://{HOST}:{port}/?token={token}"
        if output.json:
            saved = {"saves": why_not is None, "why_not": why_not}
            typer.echo(json.dumps({"address": address, "run": str(loaded.folder), **saved}))
        else:
            typer.echo(address if output.quiet else f"{address}\n{_words(str(loaded.folder), why_not)}")
        with _in_browser(address) if is_open else nullcontext():
            is_interrupted = serve_until_interrupted(make_app(service, token, port), on)
        if is_interrupted:
            # Threads may be at work that nobody wants any more, and solvers do not like to be torn down.
            leave(FINE)


@contextmanager
def _in_browser(address: str) -> Iterator[None]:
    """The browser is given a file that leads to the address: arguments of a process are for all to see, and
    the file is for this user alone. It is there for as long as the block lasts."""
    import os
    import tempfile

    handle, name = tempfile.mkstemp(prefix="buildsearch-", suffix=".html")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_LEADS_ON.format(address))
        typer.launch(Path(name).as_uri())
        yield
    finally:
        Path(name).unlink(missing_ok=True)


def _words(run: str, why_not: str | None) -> str:
    saved = "" if why_not is None else f" Nothing can be saved: {why_not}"
    return f"The workbench of {run}, for this machine and anyone who has the address. Ctrl-C ends it.{saved}"
