"""The page of a workbench: as closed as a report, with a worker made of a text in it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from buildsearch.report.html.whole_page import as_json, bundled, checked, environment, policy
from buildsearch.report.html.workbench.content import Source, facts, lever_data, page_data
from buildsearch.report.html.workbench.keeping import Kept, kept
from buildsearch.report.html.workbench.packing import pack
from buildsearch.whole_files import write_whole

MOST_ROWS = 1_000_000
# In the order in which they run: what the report has too comes first.
_SHARED = ("page/dom.js", "page/theme.js")
_PAGE = (
    "edits.js",
    "past.js",
    "asking.js",
    "levers.js",
    "options.js",
    "measures.js",
    "board.js",
    "sharing.js",
    "main.js",
)
_WORKER = (
    "bits.js",
    "unpacking.js",
    "yardstick.js",
    "table.js",
    "weighing.js",
    "alike.js",
    "choices.js",
    "reach.js",
    "must_haves.js",
    "culprits.js",
    "board.js",
    "answering.js",
)


def write_workbench(source: Source, path: Path, most: int = MOST_ROWS) -> Kept:
    """Write the page of a run to a file; says what is in it."""
    chosen = kept(source.table, most)
    write_whole(path, render(source, chosen))
    return chosen


def render(source: Source, chosen: Kept) -> str:
    """The page."""
    parcel = pack(source.table, chosen.rows)
    parcel.add_json("levers", lever_data(source))
    data = page_data(source, chosen) | {"sections": parcel.sections}
    ours = "\n".join([*map(bundled, _SHARED), *(_text(f"page/{name}") for name in _PAGE)])
    script = f'(() => {{\n"use strict";\n{ours}\n}})();\n'
    worker = '"use strict";\n' + "\n".join(_text(f"worker/{name}") for name in _WORKER)
    content: dict[str, Any] = {
        "title": source.title,
        "facts": facts(source, chosen),
        "is_partial": source.is_partial,
        "data": as_json(data),
    }
    return (
        environment()
        .from_string(_text("page/workbench.html.j2"))
        .render(
            **content,
            # These are our own files and letters of base64, not input; everything else is escaped.
            style=Markup(bundled("page/style.css") + _text("page/workbench.css")),  # noqa: S704
            worker=Markup(checked(worker)),  # noqa: S704
            builds=Markup(parcel.text()),  # noqa: S704
            script=Markup(checked(script)),  # noqa: S704
            policy=f"{policy([script])}; worker-src blob:",
        )
    )


def _text(name: str) -> str:
    return files("buildsearch.report.html.workbench").joinpath(name).read_text(encoding="utf-8")
