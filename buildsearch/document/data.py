"""A document for programs: JSON, and tables as CSV or Parquet."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from buildsearch.document.blocks import Cell, Change, Column, Document, OutOf, Sampled, Show, Table
from buildsearch.document.numbers import in_file
from buildsearch.document.table_files import write_table


def to_data(document: Document, *, tables: bool = True) -> dict[str, object]:
    """What `--json` prints: the data of the document, and its tables under their names.

    Where the data says under `tables` which file each table is in, their rows take its place.
    """
    if not tables:
        return dict(document.data)
    rows = {table.name: table_rows(table) for table in document.tables}
    return {**document.data, "tables": rows} if "tables" in document.data else {**document.data, **rows}


def table_rows(table: Table) -> list[dict[str, object]]:
    """A mapping a row; a sampled number brings its range in two more columns."""
    return [
        {
            name: value
            for column, cell in zip(table.columns, row, strict=True)
            if column.show is not Show.PAGE
            for name, value in _values(column, cell)
        }
        for row in table.rows
    ]


def _values(column: Column, cell: Cell) -> list[tuple[str, object]]:
    if isinstance(cell, Sampled):
        ends = ("", "_low", "_high")
        return [(f"{column.name}{end}", in_file(value)) for end, value in zip(ends, cell, strict=True)]
    if isinstance(cell, Change):
        return [
            (f"{column.name}_{end}", in_file(value) if isinstance(value, float) else value)
            for end, value in zip(("before", "after"), cell, strict=True)
        ]
    if isinstance(cell, OutOf):
        return [(column.name, cell.value), (f"{column.name}_of", cell.total)]
    return [(column.name, in_file(cell) if isinstance(cell, float) else cell)]


def write_csv(table: Table, folder: Path) -> Path | None:
    """Write a table under its name; nothing where it has no rows."""
    target = folder / f"{table.name}.csv"
    if not table.rows:
        target.unlink(missing_ok=True)
        return None
    write_rows(table, target)
    return target


def write_rows(table: Table, target: Path) -> None:
    """Write a table that has rows to a file, as CSV or Parquet by its ending."""
    rows = table_rows(table)
    names = list(dict.fromkeys(name for row in rows for name in row))
    write_table([{name: pa.array([row.get(name) for row in rows]) for name in names}], target)
