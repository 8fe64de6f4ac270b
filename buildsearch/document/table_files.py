"""Tables as CSV or Parquet, written batch by batch; a file appears whole or not at all."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from buildsearch.files.atomic import whole_file
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import DECIMALS
from buildsearch.model.text import TRICKS, visible

FORMATS = (".csv", ".parquet")
# What spreadsheets take for the beginning of a formula.
_FORMULA = r"^[=+\-@]"
_CONTROLS = f"[\\x00-\\x1f\\x7f-\\x9f{TRICKS}]"


def write_table(batches: Iterable[Mapping[str, Any]], target: Path | None) -> int:
    """Write columns to a file by its ending, or as CSV to standard output. Returns the rows written."""
    if target is None:
        return _write(batches, sys.stdout.buffer, ".csv")
    check_ending(target)
    with whole_file(target) as part:
        return _write(batches, part, target.suffix)


def check_ending(target: Path) -> None:
    """Raises UsageError for a file that no table is written to."""
    if target.suffix not in FORMATS:
        raise UsageError(
            f"{target}: a table is written as {' or '.join(FORMATS)}. Choose one of these endings."
        )


def _write(batches: Iterable[Mapping[str, Any]], sink: Any, ending: str) -> int:
    rows = 0
    writer = None
    try:
        for columns in batches:
            table = _rounded(pa.table(dict(columns)))
            if ending == ".csv":
                table = _harmless(table)
            if writer is None:
                writer = _open(sink, table.schema, ending)
            writer.write_table(table)
            rows += table.num_rows
    finally:
        if writer is not None:
            writer.close()
    if writer is None:
        raise UsageError("there is nothing to write: no build fits. Loosen the filters or raise the budget.")
    return rows


def _rounded(table: Any) -> Any:
    """Numbers with the decimals that are known. Errors are rounded up: only what is exact has none."""
    for i, field in enumerate(table.schema):
        if pa.types.is_float64(field.type):
            how = "up" if field.name.endswith("error") else "half_to_even"
            table = table.set_column(i, field, pc.round(table.column(i), DECIMALS, round_mode=how))
    return table


def _harmless(table: Any) -> Any:
    """The text of a table as `harmless` has it."""
    for i, field in enumerate(table.schema):
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type):
            column = table.column(i)
            wrong = pc.match_substring_regex(column, f"{_FORMULA}|{_CONTROLS}")
            if pc.any(wrong).as_py():
                mended = [cell and harmless(cell) for cell in column.to_pylist()]
                table = table.set_column(i, field, pa.array(mended, field.type))
    return table


def harmless(cell: Any) -> Any:
    """A cell that a spreadsheet would run as a formula gets a quote in front, which it shows as text.

    Control characters and those that turn writing around are written out.
    """
    if not isinstance(cell, str):
        return cell
    shown = re.sub(_CONTROLS, lambda found: visible(found[0]), cell)
    return f"'{shown}" if re.match(_FORMULA, shown) else shown


def _open(sink: Any, schema: Any, ending: str) -> Any:
    if ending == ".csv":
        options = pyarrow.csv.WriteOptions(quoting_style="needed", quoting_header="needed")
        return pyarrow.csv.CSVWriter(sink, schema, write_options=options)
    return pyarrow.parquet.ParquetWriter(sink, schema, compression="zstd")
