"""`runs` as a page: which runs there are, the newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import PurePath
from typing import Any

from buildsearch.document.blocks import Column, Document, Kind, Text, table_of
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
    table = table_of(
        "listed",
        "",
        runs,
        (Column("latest", Kind.TEXT, " "), lambda run: "*" if run.is_latest else " "),
        (Column("run", Kind.BUILD), lambda run: run.id),
        (Column("rules", Kind.BUILD), lambda run: run.shown_rules),
        (
            Column("parameters", Kind.TEXT),
            lambda run: "; ".join(filter(None, (said_parameters(run.parameters), run.state))),
        ),
        (Column("builds", Kind.COUNT), lambda run: run.builds),
        (Column("best", Kind.COUNT), lambda run: run.best or "-"),
        (Column("size", Kind.COUNT), lambda run: said_size(run.bytes)),
        (Column("date", Kind.COUNT), lambda run: _said_date(run.written, now)),
        shown=len(runs),
    )
    marked = "* is `latest`. " if any(run.is_latest for run in runs) else ""
    example = runs[-1].id
    note = f"{marked}Read another: analyze {example}. Delete: runs --delete {example}"
    return Document("Runs", (table, Text(note)), {"runs": [_data(run) for run in runs]})


def _said_date(written: datetime, now: datetime) -> str:
    """`11:16` of today, `18 Nov` of this year, `Nov 2025`."""
    if written.date() == now.date():
        return f"{written:%H:%M}"
    return f"{written.day} {written:%b}" if written.year == now.year else f"{written:%b %Y}"


def _data(run: KnownRun) -> dict[str, Any]:
    said = {each.name: getattr(run, each.name) for each in fields(run)}
    written = run.written.isoformat(timespec="seconds")
    return said | {"parameters": dict(run.parameters), "best": run.best or None, "written": written}


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
