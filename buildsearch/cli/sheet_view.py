"""A sheet on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from buildsearch.cli.widths import print_fitting
from buildsearch.report.sheets import Sheet


def print_sheet(console: Console, sheet: Sheet, rows: int) -> None:
    """Its title, what to know about it, its first rows, and how many there are more."""
    columns, cells = sheet.brief(rows)
    console.print(Text(f"\n{sheet.title}", style="bold"))
    if sheet.note:
        console.print(Text(sheet.note, style="dim"))
    table = Table(show_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    print_fitting(console, table)
    if len(sheet.rows) > rows:
        console.print(Text(f"and {len(sheet.rows) - rows:,} more in {sheet.name}.csv", style="dim"))
