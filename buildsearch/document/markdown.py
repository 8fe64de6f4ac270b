"""A document as Markdown: every word that could be markup, a link or a mention is a code span."""

from __future__ import annotations

from collections.abc import Iterable

from buildsearch.document.blocks import (
    Bars,
    Block,
    Code,
    Document,
    Heading,
    Labelled,
    More,
    Step,
    Table,
    Text,
    Tone,
)
from buildsearch.document.numbers import in_rows
from buildsearch.model.text import as_text, table_lines, visible


def to_markdown(document: Document, level: int = 1) -> str:
    """The whole document under its title, which is a heading of this level."""
    lines = [f"{'#' * level} {_text(document.title)}", "", *_blocks(document.blocks)]
    return "\n".join(lines).rstrip() + "\n"


def _blocks(blocks: Iterable[Block]) -> list[str]:
    lines = [""]
    previous: Block | None = None
    for block in blocks:
        if isinstance(block, Table) and not block.shown:
            continue
        if previous is not None and not (_is_item(block) and _is_item(previous)) and lines[-1]:
            lines.append("")
        lines += _lines(block)
        previous = block
    return lines[1:]


def _text(text: str) -> str:
    return as_text(text).replace(" -> ", " → ").replace(" `->` ", " → ")


def _is_item(block: Block) -> bool:
    return isinstance(block, Labelled | Step)


def _lines(block: Block) -> list[str]:
    match block:
        case Heading(text):
            return [f"## {_text(text)}"]
        case Text(text, tone):
            return [f"**{_text(text)}**" if tone is Tone.STRONG and text else _text(text)]
        case Labelled(label, text, _, code, place, more):
            names = "".join(f" {_code_span(name)}" for name in (code, place) if name)
            return [f"- **{_text(label)}** {_text(text)}{names}", *(f"  {_text(line)}" for line in more)]
        case More(summary, blocks):
            opening = f"<details><summary>{_text(summary)}</summary>"
            return [opening, "", *_blocks(blocks), "", "</details>"]
        case Step(command, why, label):
            return [f"- **{_text(label)}** {_code_span(command)} {_text(why)}"]
        case Table():
            return _table(block)
        case Bars(title, bars):
            rows = [(bar.label, bar.text) for bar in bars]
            return [f"## {_text(title)}", "", *table_lines(("", ""), rows, numbers=True)]
        case Code(text, language):
            return _fenced(text, language)


def _code_span(text: str) -> str:
    return f"`{visible(text).replace('`', chr(39))}`"


def _fenced(text: str, language: str) -> list[str]:
    """A block of code whose fence is longer than any run of backticks inside."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{fence}{language}", *(visible(line) for line in text.splitlines()), fence]


def _table(table: Table) -> list[str]:
    heads, rows = in_rows(table, table.shown)
    lines = [f"## {_text(table.title)}", ""] if table.title else []
    if not rows:
        return [*lines, "None."]
    arrows = [[cell.replace(" -> ", " → ") for cell in row] for row in rows]
    lines += table_lines([_text(head) for head in heads], arrows)
    if len(table.rows) > table.shown and not table.is_transposed:
        lines += ["", f"And {len(table.rows) - table.shown:,} more in {_text(table.name + '.csv')}."]
    return [*lines, "", _text(table.note)] if table.note else lines
