"""Numbers as people read them, as files have them, and as pages keep them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from buildsearch.document.blocks import Cell, Change, Column, Kind, OutOf, Sampled, Show, Table

_DIGITS = 6
DECIMALS = 6  # those of model.evaluation, which imports numpy: a test holds them equal


def as_share(share: float) -> str:
    """`98%`. Neither nothing nor all unless it is: `<1%`, `>99%`."""
    if 0 < share < 0.01:
        return "<1%"
    if 0.99 < share < 1:
        return ">99%"
    return f"{share:.0%}"


def as_rate(share: float) -> str:
    """`98.4%`. Neither nothing nor all unless it is: `<0.1%`, `>99.9%`."""
    if 0 < share < 0.001:
        return "<0.1%"
    if 0.999 < share < 1:
        return ">99.9%"
    return f"{share:.1%}".replace("-0.0%", "0.0%")


def in_column(cell: Cell, column: Column) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "-"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Sampled):
        value, low, high = (in_column(each, column) for each in cell)
        return f"{value} ({low} to {high})"
    if isinstance(cell, OutOf):
        return f"{cell.value:,} of {cell.total:,}"
    if isinstance(cell, Change):
        return " -> ".join(in_column(each, column) for each in cell)
    if column.kind in {Kind.PERCENT, Kind.RATE, Kind.WINS}:
        return as_rate(cell) if column.kind is Kind.RATE else as_share(cell)
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.2f}"


def in_rows(table: Table, most: int) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of a page as texts; of a transposed table a row for each column."""
    shown = [i for i, column in enumerate(table.columns) if column.show is not Show.FILE]
    heads = [table.columns[i].title for i in shown]
    rows = [[in_column(row[i], table.columns[i]) for i in shown] for row in table.rows[:most]]
    if table.is_transposed and rows:
        heads, *rows = [list(line) for line in zip(heads, *rows, strict=True)]
    return heads, rows


def in_file(value: float | None) -> float | None:
    """Six significant digits and at most six decimals; what JSON cannot write (unknown, infinite) is null.

    Rounded once: a second rounding to the decimals of a table would move a number that ends in a 5.
    """
    if value is None or not math.isfinite(value):
        return None
    if value == 0:
        return 0.0
    return round(value, min(DECIMALS, _DIGITS - 1 - math.floor(math.log10(abs(value)))))


def short(value: float | None) -> float | None:
    """Six significant digits; unknown and infinite become nothing."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{float(value):.{_DIGITS}g}")


def shorts(values: Iterable[float | None]) -> list[float | None]:
    return [short(value) for value in values]
