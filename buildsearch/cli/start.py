"""What `buildsearch` alone shows: where to start, or the latest run. It loads nothing heavy."""

from __future__ import annotations

import json
from datetime import datetime

from buildsearch.cli.output import called
from buildsearch.files.safe_reading import read_text
from buildsearch.model.errors import UsageError
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
