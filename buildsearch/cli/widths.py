"""Tables in windows of any width: text may be folded, a number is never cut."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

# Narrower than this, folded text cannot be read.
_LEAST_TEXT = 14
_BETWEEN = 3


def print_fitting(console: Console, table: Table) -> None:
    """The table as it is, or with its text folded, or as a list where not even its numbers fit."""
    cells = [[_text(cell) for cell in column.cells] for column in table.columns]
    heads = [_text(column.header) for column in table.columns]
    widths = [
        max(cell_len(line) for cell in (head, *column) for line in (cell.plain.splitlines() or [""]))
        for head, column in zip(heads, cells, strict=True)
    ]
    is_number = [column.justify == "right" for column in table.columns]
    needed = [
        width if fixed else min(width, _LEAST_TEXT) for width, fixed in zip(widths, is_number, strict=True)
    ]
    if sum(needed) + _BETWEEN * len(needed) > console.width:
        _print_list(console, table, heads, cells)
        return
    for column, fixed in zip(table.columns, is_number, strict=True):
        column.no_wrap = column.no_wrap or fixed
        column.overflow = column.overflow if fixed else "fold"
    console.print(table)


def _text(cell: object) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))


def _print_list(console: Console, table: Table, heads: list[Text], cells: list[list[Text]]) -> None:
    """A row is its first cell, and below it the others with their heads."""
    if table.title:
        console.print(_text(table.title), style="italic")
    for row in zip(*cells, strict=True):
        if row[0].plain:  # without one, a row goes on with the thing above it
            console.print(row[0])
        others = [(head, cell) for head, cell in zip(heads[1:], row[1:], strict=True) if cell.plain]
        told = [Text(f"{head.plain}: " if head.plain else "").append_text(cell) for head, cell in others]
        console.print(Padding(Text("; ").join(told), (0, 0, 0, 2)))
