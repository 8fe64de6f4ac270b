"""A rank in the place of a build: `explain 7`, `score 1`, `compare 1 58` are about a run's leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from buildsearch.model.errors import UsageError
from buildsearch.options.fields import shared
from buildsearch.options.game import DEFAULT_RULES, GameOptions
from buildsearch.report.latest import latest_run
from buildsearch.report.run_files import board_rows
from buildsearch.report.run_record import RunRecord, read_record


def is_rank(text: str) -> bool:
    """Whether a text is a rank and not a build: no build is called by a number alone."""
    return text.isascii() and text.isdigit()


def build_of_rank(folder: Path, text: str) -> str:
    """The build of that rank in a run, or the text itself where it is a build; raises UsageError."""
    if not is_rank(text):
        return text
    rows = board_rows(folder)
    names = [row["build"] for row in rows if row["rank"] == int(text)]
    if not names:
        raise UsageError(f"{folder} has no rank {text}: its leaderboard ends at {rows[-1]['rank']}.")
    return str(names[0])


def of_latest_run(request: GameOptions, texts: Sequence[str]) -> tuple[GameOptions, list[str], Path | None]:
    """A request about builds, some of them ranks of the latest run: then under the rules, parameters and
    scenarios of that run, as far as the request does not say others. Gives the run too."""
    if not any(map(is_rank, texts)):
        return request, list(texts), None
    folder = latest_run()
    record = read_record(folder)
    if not isinstance(record, RunRecord):
        raise UsageError(f"{folder} has loadouts, not builds. Write the build instead of its rank.")
    if request.rules not in (DEFAULT_RULES, record.request.rules):
        raise UsageError(f"{folder} is of {record.request.rules}, not of {request.rules}. Write the build.")
    base = shared(GameOptions, record.request)
    mine = {name: value for name, value in shared(GameOptions, request).items() if value and name != "rules"}
    changed = {
        **{name: mine[name] for name in mine if name in ("scenarios", "only")},
        **{name: {**base[name], **mine[name]} for name in mine if isinstance(mine[name], dict)},
        **{name: (*base[name], *mine[name]) for name in mine if name in ("overrides", "rulings")},
    }
    return GameOptions(**base).changed(**changed), [build_of_rank(folder, text) for text in texts], folder
