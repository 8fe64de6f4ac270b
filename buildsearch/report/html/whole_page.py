"""The page itself: one file with its style, its scripts and its data; it sends no request.

Names come from rules files of any origin. They reach the page in two ways only: through the
template, which escapes everything, and as JSON in a block that is no script. Our scripts put that on the page
as text. Both ways write out characters that turn writing around. A policy in the page lets no other script
run, and no request leave.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from buildsearch.document.blocks import Document
from buildsearch.document.html import to_html
from buildsearch.files.atomic import write_whole
from buildsearch.model.text import plain_json, without_tricks
from buildsearch.report.html.run_page import Say, page_content
from buildsearch.report.html.source import Extent, ReportSource

# In the order in which they run; ours come last and share one scope.
_LIBRARIES = ("vendor/d3.min.js", "vendor/plot.min.js")
_OURS = (
    "dom.js",
    "theme.js",
    "tables.js",
    "card.js",
    "picture.js",
    "head.js",
    "leaderboard.js",
    "drawing.js",
    "charts.js",
    "loadouts.js",
    "main.js",
)


def write_page(source: ReportSource, path: Path, extent: Extent, say: Say = lambda _stage: None) -> None:
    write_content(page_content(source, extent, say), path)


def write_content(content: dict[str, Any], path: Path) -> None:
    write_whole(path, render(content))


def render(content: dict[str, Any]) -> str:
    scripts = [*map(bundled, _LIBRARIES), in_a_scope(*(bundled(f"page/{name}") for name in _OURS))]
    return filled("page/report.html.j2", scripts, **content | {"data": as_json(content["data"])})


def in_a_scope(*scripts: str) -> str:
    """Scripts that share one scope."""
    ours = "\n".join(scripts)
    return f'(() => {{\n"use strict";\n{ours}\n}})();\n'


def filled(template: str, scripts: list[str], *, allowed: str = "", style: str = "", **content: Any) -> str:
    """A page of one of our templates: styles and scripts are our own files, everything else is escaped.

    Its policy is `allowed`, or that of a page that only runs these scripts.
    """
    return (
        environment()
        .from_string(bundled(template))
        .render(
            **content,
            style=Markup(bundled("page/style.css") + style),  # noqa: S704
            scripts=[Markup(checked(script)) for script in scripts],  # noqa: S704
            policy=allowed or policy(scripts),
        )
    )


def environment() -> Environment:
    """Templates that escape everything they are not told to trust, and show what turns writing around."""
    return Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_shown
    )


def _shown(value: Any) -> Any:
    return without_tricks(value) if type(value) is str else value


def as_json(data: Any) -> Markup:
    """JSON that cannot end the block that it stands in, whatever names it holds."""
    text = plain_json(data, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - nothing is left in it that markup could begin with


def policy(scripts: list[str]) -> str:
    """Nothing is loaded from anywhere, and only these scripts run. Charts set styles, so styles are free."""
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def checked(script: str) -> str:
    """A script of ours that does not end its own block."""
    if "</script" in script.lower() or "<!--" in script:
        raise ValueError("A bundled script would end its own block.")
    return script


@cache
def bundled(name: str) -> str:
    return files("buildsearch.report.html").joinpath(name).read_text(encoding="utf-8")


def write_document(document: Document, path: Path) -> None:
    write_whole(path, document_page(document))


def document_page(document: Document) -> str:
    """The whole page. The renderer escapes every text of the document."""
    begin = 'offerTheme();\ndocument.documentElement.dataset.ready = "";'
    body = Markup(to_html(document, heading=1))  # noqa: S704 - escaped there
    scripts = [in_a_scope(bundled("page/theme.js"), begin)]
    return filled("page/document.html.j2", scripts, title=document.title, body=body)
