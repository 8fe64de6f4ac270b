"""What `meta` shows on a terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from buildsearch.meta.double_oracle import Meta
from buildsearch.model.evaluation import TIE
from buildsearch.model.text import count
from buildsearch.report import meta_sentences as words
from buildsearch.report.meta_files import PAGE

_CYCLES = 3
# Columns of the heat map side by side; more go below, so that no line is longer than a narrow terminal.
_WIDTH = 50
_LEGEND = "# wins 75 % or more  + wins  = even or not decided  - loses  . loses 75 % or more"


def print_meta(meta: Meta, title: str, total: int, folder: Path) -> None:
    """Shares and counters, how sure that is, circles, the heat map, and what to do."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    if meta.is_partial:
        console.print("INCOMPLETE: interrupted before everybody was answered.", style="bold yellow")
    console.print(
        f"Who beats whom: {title}, {count(total, 'build')}, {len(meta.names)} in the matrix", style="bold"
    )
    for place, name in enumerate(meta.names):
        console.print(f"{place + 1:>4}  {words.say_share(meta, place)}")
        console.print(Text(f"      {name}", style="bold"))
        console.print(Text(f"      {words.say_counter(meta, place)}", style="dim"))
    for sentence in (
        words.say_effective(meta),
        words.say_holding(meta),
        words.say_exploitability(meta, total),
        words.say_cycles(meta),
    ):
        console.print(sentence)
    for line in words.cycle_lines(meta, _CYCLES):
        console.print(f"  {line}")
    if len(meta.names) > 1:
        console.print("Row against column, in the order in which circles show:", style="bold")
        for line in heat_map(meta):
            console.print(line)
        console.print(_LEGEND, style="dim")
    console.print(Text(words.verdict(meta), style="bold"))
    console.print(words.NO_FORECAST)
    console.print(f"Written to {folder} (look at {PAGE}).")


def heat_map(meta: Meta) -> list[str]:
    """The matrix in characters, at most `_WIDTH` columns side by side."""
    order = meta.structure.order
    lines = []
    for first in range(0, len(order), _WIDTH):
        columns = order[first : first + _WIDTH]
        if len(order) > 9:
            lines.append("      " + "".join(str((i + 1) // 10 % 10) if i + 1 > 9 else " " for i in columns))
        lines.append("      " + "".join(str((i + 1) % 10) for i in columns))
        lines += [f"{i + 1:>4}  " + "".join(_mark(meta, i, j) for j in columns) for i in order]
    return lines


def _mark(meta: Meta, i: int, j: int) -> str:
    if i == j or (meta.low[i, j] <= 0.5 + TIE and meta.high[i, j] >= 0.5 - TIE):
        return "="
    wins = meta.means[i, j]
    if wins > 0.5:
        return "#" if wins >= 0.75 else "+"
    return "." if wins <= 0.25 else "-"
