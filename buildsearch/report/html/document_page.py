"""A document as a page of its own: one file with its style, that asks no other for anything."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from buildsearch.document.blocks import Document
from buildsearch.document.html import to_html
from buildsearch.files.atomic import write_whole
from buildsearch.report.html.whole_page import bundled, checked, environment, policy

_SCRIPT = "page/theme.js"


def write_document(document: Document, path: Path) -> None:
    """Write it to a file."""
    write_whole(path, document_page(document))


def document_page(document: Document) -> str:
    """The whole page. The renderer escapes every text of the document."""
    ours = bundled(_SCRIPT)
    begin = 'offerTheme();\ndocument.documentElement.dataset.ready = "";'
    scripts = [f'(() => {{\n"use strict";\n{ours}\n{begin}\n}})();\n']
    page = environment().from_string(bundled("page/document.html.j2"))
    return page.render(
        title=document.title,
        body=Markup(to_html(document, heading=1)),  # noqa: S704 - escaped there
        style=Markup(bundled("page/style.css")),  # noqa: S704
        scripts=[Markup(checked(script)) for script in scripts],  # noqa: S704
        policy=policy(scripts),
    )
