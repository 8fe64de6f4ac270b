"""A document as HTML, for notebooks and pages. All text is escaped here."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from buildsearch.document.blocks import (
    Bars,
    Block,
    Cell,
    Code,
    Column,
    Document,
    Heading,
    Kind,
    Labelled,
    More,
    Show,
    Step,
    Table,
    Text,
)
from buildsearch.document.numbers import in_rows
from buildsearch.model.text import visible, without_tricks

_MOST_COLUMNS = 12  # more do not fit on a page


def to_html(document: Document, *, heading: int = 2) -> str:
    """The blocks as elements with classes and no style of their own, under a title of level `heading`."""
    title = f"<h{heading}>{_safe(document.title)}</h{heading}>"
    parts = [title, *(_element(block, heading + 1) for block in document.blocks)]
    return f'<div class="buildsearch-document">{"".join(parts)}</div>'


def _safe(text: str) -> str:
    return escape(visible(without_tricks(text.replace(" -> ", " → "))))


def _element(block: Block, level: int) -> str:
    match block:
        case Heading(text):
            return f"<h{level}>{_safe(text)}</h{level}>"
        case Text(text, tone):
            return f'<p class="{tone}">{_safe(text)}</p>' if text else ""
        case Labelled(label, text, tone, code, place, more):
            name = "".join(f" <code>{_safe(each)}</code>" for each in (code, place) if each)
            lines = "".join(f"<br>{_safe(line)}" for line in more)
            return f'<p class="{tone}"><b>{_safe(label)}</b> {_safe(text)}{name}{lines}</p>'
        case More(summary, blocks):
            inside = "".join(_element(each, level) for each in blocks)
            return f"<details><summary>{_safe(summary)}</summary>{inside}</details>"
        case Step(command, why, label):
            return f"<p><b>{_safe(label)}</b> <code>{_safe(command)}</code> {_safe(why)}</p>"
        case Table():
            return _table(block) if block.shown else ""
        case Bars(title, bars):
            rows = "".join(
                f"<tr><th>{_safe(bar.label)}</th>"
                f'<td><meter min="0" max="1" value="{min(1.0, max(0.0, bar.share)):.4f}"></meter></td>'
                f"<td>{_safe(bar.text)}</td></tr>"
                for bar in bars
            )
            return f"<h{level}>{_safe(title)}</h{level}><table>{rows}</table>"
        case Code(text):
            lines = "\n".join(_safe(line) for line in text.splitlines())
            return f"<pre><code>{lines}</code></pre>"


def _table(table: Table) -> str:
    heads, rows = in_rows(table, len(table.rows))
    head = "".join(f'<th scope="col">{_safe(text)}</th>' if text.strip() else "<td></td>" for text in heads)
    lines = map(_named_row, rows) if table.is_transposed else map(_row, rows, _classes(table))
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    title = f"<caption>{_safe(table.title)}</caption>" if table.title else ""
    note = f'<p class="dim">{_safe(table.note)}</p>' if table.note else ""
    found = f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    if len(heads) > _MOST_COLUMNS:  # it scrolls, with the keyboard too
        found = (
            f'<div class="scroll" tabindex="0" role="region" aria-label="{_safe(table.title)}">{found}</div>'
        )
    return found + note


def _named_row(texts: Sequence[str]) -> str:
    name, *others = texts
    return f'<th scope="row">{_safe(name)}</th>' + _row(others, ["number"] * len(others))


def _row(texts: Sequence[str], classes: Sequence[str]) -> str:
    cells = zip(texts, classes, strict=True)
    return "".join(f'<td class="{kind}">{_safe(text)}</td>' for text, kind in cells)


def _classes(table: Table) -> list[list[str]]:
    shown = [(i, column) for i, column in enumerate(table.columns) if column.show is not Show.FILE]
    return [[_class(column, row[i]) for i, column in shown] for row in table.rows]


def _class(column: Column, cell: Cell) -> str:
    if column.kind is Kind.WINS and isinstance(cell, float) and cell != 0.5:
        return "number wins" if cell > 0.5 else "number loses"
    return "text" if column.is_text else "number"
