"""The one picture that a command ends with: bars on a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from buildsearch.analysis.reach import Freedom
from buildsearch.model.space import Feature
from buildsearch.model.text import visible

_WIDTH = 40
_MOST_PARTS = 8


class Bar(NamedTuple):
    """A line of the picture: `length` from 0 to 1, and what stands behind it."""

    name: str
    length: float
    said: str


def print_bars(console: Console, title: str, bars: Sequence[Bar]) -> None:
    """Names, bars and numbers below one another; nothing where there is nothing to show."""
    if not bars:
        return
    # Terminals that know no blocks get a mark that all have.
    mark = "█" if console.encoding.lower().startswith("utf") else "#"
    wide = max(len(visible(bar.name)) for bar in bars)
    console.print(Text(f"\n{title}", style="bold"))
    for bar in bars:
        drawn = mark * max(1 if bar.length > 0 else 0, round(_WIDTH * bar.length))
        line = Text(f"  {visible(bar.name):<{wide}}  ")
        line.append(drawn, style="cyan")
        line.append(f"{' ' if drawn else ''}{bar.said}")
        console.print(line, soft_wrap=True)


def freedom_of(rows: Iterable[tuple[str, Freedom]]) -> list[Bar]:
    """How many options are viable, today and under each proposal."""
    return [Bar(name, free.options / max(1, free.of), f"{free.options} of {free.of}") for name, free in rows]


def parts_of(builds: Sequence[Iterable[Feature]]) -> list[Bar]:
    """What these builds are made of, the most frequent first."""
    counts = Counter(
        feature.name for build in builds for feature in {each.name: each for each in build}.values()
    )
    return [
        Bar(name, number / len(builds), f"{number} of {len(builds)}")
        for name, number in sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_MOST_PARTS]
    ]
