"""The `buildsearch` command and its sub-commands."""

from __future__ import annotations

import atexit
import json
import os
import sys
from datetime import datetime
from typing import NoReturn

import typer
from typer.exceptions import TyperException

from buildsearch.cli import (
    analyze,
    balance,
    cache,
    check,
    compare,
    diff,
    doctor,
    enumerate_builds,
    explain,
    init,
    list_things,
    meta,
    new,
    optimize,
    report,
    runs,
    schema,
    score,
    serve,
    show,
    trace,
    validate,
    workbench,
)
from buildsearch.cli.bind import bind
from buildsearch.cli.failures import (
    BAD_INPUT,
    FINE,
    INTERNAL,
    INTERRUPTED,
    end,
    fail,
    reader_left,
    warnings_of_rules,
)
from buildsearch.cli.interrupts import leave, listening, was_interrupted
from buildsearch.cli.output import called
from buildsearch.cli.root_options import OwnGame, Version, hint_at_game, take_game
from buildsearch.cli.terminal import shown_plainly
from buildsearch.files.safe_reading import read_text
from buildsearch.model.errors import BuildsearchError, UsageError
from buildsearch.model.text import visible
from buildsearch.report.latest import latest_run

WHAT = """Finds the best, dominant and broken builds of a tabletop combat game,
and the smallest rules change that fixes them."""
_FIRST = """Start here, with Vitality v2 (531,438 builds):
  buildsearch optimize       score every build (about 3 minutes)
  buildsearch analyze        what is broken, and the fix
  buildsearch report --open  the same as a page with charts"""
_FURTHER = """  buildsearch analyze        what is broken, and the fix
  buildsearch balance        other fixes, and writing one
  buildsearch report --open  the same as a page with charts"""
_OWN = """Your own game:
  buildsearch init my-game   copy the rules, then change a number

All commands: buildsearch --help. Check the installation: buildsearch doctor"""


def start_screen() -> str:
    """The text, with the command as it was called."""
    latest = _latest(datetime.now().astimezone())
    begin = _FIRST if latest is None else f"{latest}\n{_FURTHER}"
    text = f"{WHAT}\n\n{begin}\n{_OWN}"
    program = called()
    return text if program == "buildsearch" else text.replace("buildsearch ", f"{program} ")


def _latest(now: datetime) -> str | None:
    """`Latest run: vitality-v2, 531,438 builds, best 2.52 turns, today 11:16`, from run.json alone."""
    try:
        path = latest_run() / "run.json"
        record = json.loads(read_text(path))
        written = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
        said = [
            str(record["rules"]["id"]),
            f"{record['builds']:,} builds",
            f"best {record['best']['score_text']}",
        ]
    except (OSError, ValueError, LookupError, TypeError, UsageError):
        return None
    is_today = written.date() == now.date()
    day = "today" if is_today else f"{written.day} {written:%b}"
    return visible(f"Latest run: {', '.join(said)}, {day} {written:%H:%M}")


# A shell sets this when it asks what may come next.
_COMPLETING = "_BUILDSEARCH_COMPLETE"
app = typer.Typer(
    name="buildsearch",
    help=WHAT,
    epilog="Example: buildsearch optimize --rules vitality-v2 --tier 3",
    # Plain help: it answers twice as fast as rich's, and reads the same in a pipe.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_COMMANDS = (
    optimize, check, enumerate_builds, report, workbench, serve, analyze, balance, explain, score, compare,
    meta, diff, trace, runs, cache, validate, list_things, show, init, new, schema, doctor,
)  # fmt: skip
for _module in _COMMANDS:
    # `enumerate` and `list` are words of Python, so their files are called after what they do, too.
    _name = _module.__name__.rpartition(".")[2].partition("_")[0]
    app.command(_name, epilog=_module.EXAMPLE)(bind(_module.command))


@app.callback()
def _main(
    version: Version = False,
    game: OwnGame = None,
) -> None:
    """Finds the best, dominant and broken builds of a tabletop combat game, and the smallest fix."""


def run() -> NoReturn:
    """Run the command line; every way to fail has its exit code and a sentence on stderr.

    The process ends before Python takes its libraries apart: threads of theirs that still run then have
    aborted a run that was done ("terminate called without an active exception").
    """
    with listening():
        code = exit_code_of(sys.argv[1:])
    if not was_interrupted():
        atexit._run_exitfuncs()
    leave(code)


def exit_code_of(arguments: list[str]) -> int:
    """Run the arguments and say how it ended."""
    with shown_plainly(), warnings_of_rules():
        return _exit_code_of(arguments)


def _exit_code_of(arguments: list[str]) -> int:
    if not arguments and _COMPLETING not in os.environ:
        typer.echo(start_screen())
        return BAD_INPUT
    try:
        take_game(arguments)
        code = app(args=arguments, prog_name="buildsearch", standalone_mode=False)
        sys.stdout.flush()
    except (BuildsearchError, OSError, TyperException, typer.Abort) as error:
        code = end(error)
        if code == BAD_INPUT:
            hint_at_game()
        return code
    except SystemExit as ended:
        # Only typer exits by itself: when it has told a shell what it asked for, or its reader went away.
        if not ended.code or _COMPLETING in os.environ:
            return FINE
        return reader_left()
    except Exception as error:
        if was_interrupted():
            return fail("interrupted.", INTERRUPTED)  # libraries make other errors of it
        if os.environ.get("BUILDSEARCH_DEBUG"):
            raise
        what = f"internal error: {type(error).__name__}: {error}."
        return fail(f"{what} Set BUILDSEARCH_DEBUG=1 to see where, and please report it.", INTERNAL)
    if code == INTERRUPTED:  # typer's answer to Ctrl-C
        return fail("interrupted.", INTERRUPTED)
    return code if isinstance(code, int) else FINE
