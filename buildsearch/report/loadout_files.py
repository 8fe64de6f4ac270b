"""The folder of a search for loadouts: loadouts.csv, usage.csv, run.json."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from buildsearch.document.table_files import harmless
from buildsearch.files.atomic import whole_file, whole_folder
from buildsearch.files.safe_reading import read_csv
from buildsearch.model.errors import UsageError, reason_of
from buildsearch.model.loadouts import Use
from buildsearch.report.run_record import LoadoutRecord, seal

LOADOUTS, USAGE = "loadouts.csv", "usage.csv"
USAGE_COLUMNS = ("rank", "loadout", "scenario", "action", "share")
JOINED = " | "
_MOST_BYTES = 1 << 28


def usage_rows(
    names: Sequence[str], fights: Sequence[str], used: Sequence[Sequence[Sequence[Use]]]
) -> list[dict[str, Any]]:
    """A row for each loadout, fight and action; its own builds are called by their names.

    A loadout that takes a build twice has one row for both.
    """
    rows = []
    for rank, (name, by_fight) in enumerate(zip(names, used, strict=True), start=1):
        parts = name.split(JOINED)
        for fight, its in zip(fights, by_fight, strict=True):
            shares: dict[str, float] = {}
            for use in its:
                action = _action(parts, use)
                shares[action] = shares.get(action, 0.0) + use.share
            rows += [
                dict(zip(USAGE_COLUMNS, (rank, name, fight, action, share), strict=True))
                for action, share in shares.items()
            ]
    return rows


def _action(parts: Sequence[str], use: Use) -> str:
    if use.part is not None:
        return parts[use.part]
    verb, _, which = use.action.partition(" ")
    letters = {chr(ord("A") + place): part for place, part in enumerate(parts)}
    return f"{verb} {letters[which]}" if which in letters else use.action


def write_loadouts(
    folder: Path,
    rows: Sequence[Mapping[str, Any]],
    usage: Sequence[Mapping[str, Any]],
    record: LoadoutRecord,
) -> None:
    """Write everything aside; the folder then changes as a whole, or not at all."""
    with whole_folder(folder) as staged:
        _write_csv(staged.path / LOADOUTS, list(rows[0]) if rows else [], rows)
        _write_csv(staged.path / USAGE, USAGE_COLUMNS, usage)
        seal(staged, folder, record)


def _write_csv(target: Path, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    with whole_file(target) as part:
        file = io.TextIOWrapper(part, encoding="utf-8", newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(harmless, columns))
        writer.writerows([harmless(row[column]) for column in columns] for row in rows)
        file.detach()


def has_loadouts(folder: Path) -> bool:
    return (folder / LOADOUTS).exists()


def read_loadouts(folder: Path) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """loadouts.csv and usage.csv; a run from before there was a usage.csv has none. Raises UsageError."""
    found = _read_csv(folder / LOADOUTS)
    if not found:
        raise UsageError(f"{folder / LOADOUTS} has no loadout. Run optimize again.")
    return found, _read_csv(folder / USAGE) if (folder / USAGE).exists() else []


def _read_csv(path: Path) -> list[dict[str, str]]:
    try:
        return read_csv(path, _MOST_BYTES)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {reason_of(error)}. Run optimize again.") from error
