"""The page of a workbench: as closed as a report, with a worker made of a text in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from buildsearch.files.atomic import write_whole
from buildsearch.report.html.whole_page import as_json, bundled, checked, environment, policy
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
# What only a page has that somebody serves.
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
    write_whole(path, render(source, chosen))
    return chosen


@dataclass(frozen=True, slots=True)
class WorkbenchPage:
    """The page, and the policy under which it runs."""

    text: str
    policy: str


def render(source: WorkbenchSource, chosen: KeptBuilds) -> str:
    """The page, as a file."""
    return made(source, chosen).text


def made(
    source: WorkbenchSource, chosen: KeptBuilds, server: Mapping[str, Any] | None = None
) -> WorkbenchPage:
    """The page; with what a `server` tells it, one that asks that server, and nobody else."""
    parcel = pack(source.table, chosen.rows)
    parcel.add_json("levers", lever_data(source))
    data = page_data(source, chosen) | {"sections": parcel.sections}
    names: tuple[str, ...] = (*_PAGE, *_LAST)
    if server is not None:
        data["server"] = dict(server)
        names = (*_PAGE, *_SERVED, *_LAST)
    ours = "\n".join([*map(bundled, _SHARED), *(_text(f"page/{name}") for name in names)])
    script = f'(() => {{\n"use strict";\n{ours}\n}})();\n'
    worker = '"use strict";\n' + "\n".join(_text(f"worker/{name}") for name in _WORKER)
    content: dict[str, Any] = {
        "title": source.title,
        "facts": facts(source, chosen),
        "is_partial": source.is_partial,
        "data": as_json(data),
    }
    rules = f"{policy([script])}; worker-src blob:"
    if server is not None:
        rules += "; connect-src 'self'"
    text = (
        environment()
        .from_string(_text("page/workbench.html.j2"))
        .render(
            **content,
            # These are our own files and letters of base64, not input; everything else is escaped.
            style=Markup(bundled("page/style.css") + _text("page/workbench.css")),  # noqa: S704
            worker=Markup(checked(worker)),  # noqa: S704
            builds=Markup(parcel.text(9 if server is None else 1)),  # noqa: S704
            script=Markup(checked(script)),  # noqa: S704
            policy=rules,
            is_served=server is not None,
        )
    )
    return WorkbenchPage(text, rules)


def _text(name: str) -> str:
    return files("buildsearch.report.html.workbench").joinpath(name).read_text(encoding="utf-8")
