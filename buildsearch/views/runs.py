"""`runs` as a page: which runs there are, the newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any

from buildsearch.document.blocks import Column, Document, Kind, Table, Text
from buildsearch.model.text import count


@dataclass(frozen=True, slots=True)
class KnownRun:
    """A run as its run.json describes it; `file` names its rules as they were typed, `best` is how people say
    its best score."""

    id: str
    folder: str
    rules: str
    file: str
    parameters: Mapping[str, int | str]
    builds: int | None
    best: str
    bytes: int
    written: datetime
    is_latest: bool = False
    state: str = ""  # incomplete, or of an older format

    @property
    def shown_rules(self) -> str:
        """The id, or the file where that has another name: a changed copy often keeps the id."""
        file = PurePath(self.file)
        return self.rules if file.stem in ("", self.rules) else file.name


def runs_document(runs: Sequence[KnownRun], now: datetime) -> Document:
    """A line for each run; `now` decides whether its day is shown."""
    if not runs:
        return Document(
            "Runs", (Text("No runs in results. `buildsearch optimize` makes one."),), {"runs": []}
        )
    columns = (
        Column("latest", Kind.TEXT, " "),
        Column("run", Kind.BUILD),
        Column("rules", Kind.BUILD),
        Column("parameters", Kind.TEXT),
        Column("builds", Kind.COUNT),
        Column("best", Kind.COUNT),
        Column("size", Kind.COUNT),
        Column("date", Kind.COUNT),
    )
    rows = [
        (
            "*" if run.is_latest else " ",
            run.id,
            run.shown_rules,
            "; ".join([said_parameters(run.parameters), *([run.state] if run.state else [])]),
            run.builds,
            run.best or "-",
            said_size(run.bytes),
            _said_date(run.written, now),
        )
        for run in runs
    ]
    marked = "* is `latest`. " if any(run.is_latest for run in runs) else ""
    example = runs[-1].id
    note = f"{marked}Read another: analyze {example}. Delete: runs --delete {example}"
    blocks = (Table("listed", "", columns, rows, shown=len(rows)), Text(note))
    return Document("Runs", blocks, {"runs": [_data(run) for run in runs]})


def _said_date(written: datetime, now: datetime) -> str:
    """`11:16` of today, `18 Nov` of this year, `Nov 2025`."""
    if written.date() == now.date():
        return f"{written:%H:%M}"
    return f"{written.day} {written:%b}" if written.year == now.year else f"{written:%b %Y}"


def _data(run: KnownRun) -> dict[str, Any]:
    return {
        "id": run.id,
        "folder": run.folder,
        "rules": run.rules,
        "file": run.file,
        "parameters": dict(run.parameters),
        "builds": run.builds,
        "best": run.best or None,
        "bytes": run.bytes,
        "written": run.written.isoformat(timespec="seconds"),
        "is_latest": run.is_latest,
        "state": run.state,
    }


def said_parameters(parameters: Mapping[str, int | str]) -> str:
    """`tier 3, focused, budget 6, damage`."""
    return ", ".join(
        f"{name} {value}" if isinstance(value, int) else value for name, value in parameters.items()
    )


def said_size(size: int) -> str:
    """`27 MB`, `120 KB`."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} KB"


def deleted_document(run: KnownRun) -> Document:
    builds = "" if run.builds is None else f", {count(run.builds, 'build')}"
    return Document("Runs", (Text(f"Deleted {run.folder} ({run.rules}{builds}, {said_size(run.bytes)})."),))
