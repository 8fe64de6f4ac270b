"""A table with a name and a title, as CSV, as Markdown and as data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from buildsearch.document.table_files import write_table
from buildsearch.model.text import as_text, table_lines

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows under named columns. `shown` are the columns that fit on a terminal; empty means all.

    `percent` are columns of shares, which people read as percentages.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    shown: tuple[str, ...] = ()
    note: str = ""
    percent: frozenset[str] = frozenset()

    def brief(self, most: int) -> tuple[tuple[str, ...], list[list[str]]]:
        """The shown columns of the first rows, as text; heads as people read them."""
        columns = self.shown or self.columns
        places = [self.columns.index(column) for column in columns]
        heads = tuple(column.replace("_", " ") for column in columns)
        return heads, [
            [self._say(column, row[place]) for column, place in zip(columns, places, strict=True)]
            for row in self.rows[:most]
        ]

    def _say(self, column: str, cell: Cell) -> str:
        if column in self.percent and isinstance(cell, float):
            return f"{cell:.1%}"
        return say_cell(cell)

    def as_data(self) -> list[dict[str, Cell]]:
        """A mapping a row; what JSON cannot say (infinite, unknown) is null."""
        return [
            {column: _plain(cell) for column, cell in zip(self.columns, row, strict=True)}
            for row in self.rows
        ]

    def as_markdown(self, most: int) -> str:
        """A table of the first rows, and how many there are more."""
        columns, rows = self.brief(most)
        lines = [f"## {as_text(self.title)}", ""]
        if self.note:
            lines += [as_text(self.note), ""]
        if not rows:
            return "\n".join([*lines, "None.", ""])
        lines += table_lines(columns, rows)
        if len(self.rows) > most:
            lines += ["", f"And {len(self.rows) - most:,} more in {self.name}.csv."]
        return "\n".join([*lines, ""])


def write_sheet(sheet: Sheet, folder: Path) -> Path | None:
    """Write a sheet as CSV; nothing where it has no rows."""
    target = folder / f"{sheet.name}.csv"
    if not sheet.rows:
        target.unlink(missing_ok=True)
        return None
    write_sheet_to(sheet, target)
    return target


def write_sheet_to(sheet: Sheet, target: Path) -> None:
    """Write a sheet that has rows to a file, as CSV or Parquet by its ending."""
    columns = {
        column: pa.array([_plain(row[place]) for row in sheet.rows])
        for place, column in enumerate(sheet.columns)
    }
    write_table([columns], target)


def say_cell(cell: Cell) -> str:
    """A cell as people read it."""
    if cell is None:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:.4g}" if isinstance(cell, float) else cell


def _plain(cell: Any) -> Cell:
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    plain: Cell = cell
    return plain
