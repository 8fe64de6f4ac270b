"""A document as HTML, for notebooks and pages. All text is escaped here."""

from __future__ import annotations

from html import escape

from buildsearch.document.blocks import (
    Bars,
    Block,
    Code,
    Document,
    Heading,
    Labelled,
    More,
    Show,
    Step,
    Table,
    Text,
)
from buildsearch.document.numbers import in_column
from buildsearch.model.text import visible, without_tricks


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


def _transposed(table: Table) -> str:
    shown = [i for i, column in enumerate(table.columns) if column.show is not Show.FILE][1:]
    heads = "".join(
        f'<th scope="col">{_safe(text)}</th>' if text.strip() else "<td></td>"
        for text in (table.columns[0].title, *(in_column(row[0], table.columns[0]) for row in table.rows))
    )
    rows = "".join(
        f'<tr><th scope="row">{_safe(table.columns[i].title)}</th>'
        + "".join(
            f'<td class="number">{_safe(in_column(row[i], table.columns[i]))}</td>' for row in table.rows
        )
        + "</tr>"
        for i in shown
    )
    return _framed(table, heads, rows)


def _table(table: Table) -> str:
    if table.is_transposed:
        return _transposed(table)
    shown = [i for i, column in enumerate(table.columns) if column.show is not Show.FILE]
    heads = "".join(f'<th scope="col">{_safe(table.columns[i].title)}</th>' for i in shown)
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td class="{"text" if table.columns[i].is_text else "number"}">'
            f"{_safe(in_column(row[i], table.columns[i]))}</td>"
            for i in shown
        )
        + "</tr>"
        for row in table.rows
    )
    return _framed(table, heads, rows)


def _framed(table: Table, heads: str, rows: str) -> str:
    title = f"<caption>{_safe(table.title)}</caption>" if table.title else ""
    note = f'<p class="dim">{_safe(table.note)}</p>' if table.note else ""
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{note}"
