"""What `optimize` shows of other rulings and stats."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from buildsearch.library.sweep import Swept
from buildsearch.search.readings import Readings

_HANG_ON = 3


def print_sweep(swept: Swept, shown: int) -> None:
    """How many of the best stay among the best under each change, and what the first of them hang on."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    table = Table(title=f"Which of the top {shown} stay", title_justify="left")
    table.add_column("change")
    table.add_column("stay", justify="right")
    table.add_column("new best")
    table.add_column("fall out", overflow="fold")
    for row in swept.rows:
        if row.problem is not None:
            table.add_row(row.change, "-", "", Text(row.problem))
            continue
        table.add_row(
            row.change,
            f"{row.kept} of {row.of}",
            Text(row.best),
            Text(", ".join(row.lost[:5]) + (f" and {len(row.lost) - 5} more" if len(row.lost) > 5 else "")),
        )
    console.print(table)
    for build in range(min(_HANG_ON, len(swept.readings.names))):
        console.print(hangs_on(swept.readings, build))


def hangs_on(readings: Readings, build: int) -> str:
    """A sentence: under which readings a build keeps its rank, and what it scores under the others."""
    name, rank = readings.names[build], int(readings.usual.ranks[build])
    known = [each for each in readings.others if each.problem is None]
    lost = readings.displaced(build)
    says = f"{name} ({readings.usual.scores[build]:.4g}) "
    holds = "stays first" if rank == 1 else f"stays among the first {rank}"
    if not known:
        return f"{says}could not be scored under any other reading."
    if not lost:
        return f"{says}{holds} under all {len(known)} other readings."
    falls = [
        f"{each.label} ({each.scores[build]:.4g}, rank {each.ranks[build]})"
        for each in sorted(lost, key=lambda each: -int(each.ranks[build]))
    ]
    held = f"{holds} under {len(known) - len(lost)} of {len(known)} other readings"
    return f"{says}{held}; not under {', '.join(falls)}."
