"""The page of a workbench: as closed as a report, with a worker made of a text in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from buildsearch.files.atomic import write_whole
from buildsearch.report.html.whole_page import as_json, bundled, checked, filled, in_a_scope, policy
from buildsearch.report.html.workbench.content import WorkbenchSource, facts, lever_data, page_data
from buildsearch.report.html.workbench.packing import KeptBuilds, kept, pack

MOST_ROWS = 1_000_000
# In the order in which they run: what the report has too comes first.
_SHARED = ("page/dom.js", "page/theme.js", "page/picture.js")
_PAGE = (
    "edits.js",
    "past.js",
    "asking.js",
    "levers.js",
    "options.js",
    "measures.js",
    "board.js",
    "sharing.js",
)
# Only in a page that `serve` shows.
_SERVED = ("talking.js", "files.js", "numbers.js", "proposing.js", "saving.js")
_LAST = ("main.js",)
_WORKER = (
    "bits.js",
    "unpacking.js",
    "yardstick.js",
    "table.js",
    "ordering.js",
    "alike.js",
    "choices.js",
    "reach.js",
    "must_haves.js",
    "decided.js",
    "board.js",
    "answering.js",
)


def write_workbench(source: WorkbenchSource, path: Path, most: int = MOST_ROWS) -> KeptBuilds:
    """Write the page of a run to a file; says what is in it."""
    chosen = kept(source.table, most)
    write_whole(path, made(source, chosen).text)
    return chosen


@dataclass(frozen=True, slots=True)
class WorkbenchPage:
    """The page, and the policy under which it runs."""

    text: str
    policy: str


def made(
    source: WorkbenchSource, chosen: KeptBuilds, server: Mapping[str, Any] | None = None
) -> WorkbenchPage:
    """The page; with what a `server` tells it, one that asks that server only."""
    is_served = server is not None
    parcel = pack(source.table, chosen.rows)
    parcel.add_json("levers", lever_data(source))
    data = page_data(source, chosen) | {"sections": parcel.sections}
    data |= {"server": dict(server)} if server is not None else {}
    names = (*_PAGE, *(_SERVED if is_served else ()), *_LAST)
    script = in_a_scope(*map(bundled, _SHARED), *(bundled(f"workbench/page/{name}") for name in names))
    worker = '"use strict";\n' + "\n".join(bundled(f"workbench/worker/{name}") for name in _WORKER)
    allowed = f"{policy([script])}; worker-src blob:" + ("; connect-src 'self'" if is_served else "")
    text = filled(
        "workbench/page/workbench.html.j2",
        [script],
        allowed=allowed,
        style=bundled("workbench/page/workbench.css"),
        title=source.title,
        facts=facts(source, chosen),
        is_partial=source.is_partial,
        data=as_json(data),
        # Our own files, and letters of base64.
        worker=Markup(checked(worker)),  # noqa: S704
        builds=Markup(parcel.text(1 if is_served else 9)),  # noqa: S704
        is_served=is_served,
    )
    return WorkbenchPage(text, allowed)
