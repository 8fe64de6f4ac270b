"""A document on a terminal: readable at 80 columns, and no number or build is ever cut."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text as Line

from buildsearch.document.blocks import (
    Bars,
    Block,
    Code,
    Document,
    Heading,
    Kind,
    Labelled,
    More,
    Show,
    Step,
    Table,
    Text,
    Tone,
)
from buildsearch.document.numbers import in_column
from buildsearch.model.text import visible

_STYLES = {
    Tone.PLAIN: "",
    Tone.STRONG: "bold",
    Tone.DIM: "dim",
    Tone.GOOD: "bold green",
    Tone.WARNING: "yellow",
    Tone.BAD: "bold red",
}
_WIDTH_IN_A_PIPE = 80
_LONGEST_LINE = 100  # of a sentence: wider is hard to read
_LABEL = 9  # the longest label, `warning`, and two spaces
_NUMBER = 3  # `1` and two spaces
_OWN_LINE = 6
_PLACED = 2
_MIN_TEXT = 16  # narrower, folded text cannot be read
_FEW_ROWS = 4
_BAR = 40
_GAP = 2  # between columns


def make_console() -> Console:
    """Where documents go."""
    console = Console(highlight=False, markup=False)
    return console if console.is_terminal else Console(highlight=False, markup=False, width=_WIDTH_IN_A_PIPE)


def to_terminal(document: Document, console: Console | None = None) -> None:
    """Print every block; the title is for pages."""
    console = console or make_console()
    for line in lines_of(document, console):
        console.print(line, soft_wrap=True)


def lines_of(document: Document, console: Console) -> Iterator[Line]:
    for block in document.blocks:
        yield from _lines(block, console)


def height(*blocks: Block) -> int:
    """How many lines they take at 80 columns."""
    return len([*lines_of(Document("", blocks), Console(width=_WIDTH_IN_A_PIPE))])


def _lines(block: Block, console: Console) -> Iterator[Line]:
    width = min(console.width, _LONGEST_LINE)
    match block:
        case Heading(text):
            yield Line(visible(text), style="bold")
        case Text(text, tone, indent):
            for i, line in enumerate(_wrapped(text, width, indent)):
                yield Line(" " * (indent if i else 0) + line, style=_STYLES[tone])
        case Labelled(label, text, tone, code, place) if place:
            lines = _wrapped(f"{place}: {label}: {text}" + (f" [{code}]" if code else ""), width, _PLACED)
            first = f"{visible(place)}: {visible(label)}:"
            first = first if lines[0].startswith(first) else lines[0]
            yield Line(first, style=_STYLES[tone]).append(lines[0][len(first) :], style="not bold default")
            yield from (Line(" " * _PLACED + line) for line in lines[1:])
        case More(_, blocks):
            yield from lines_of(Document("", blocks), console)
        case Labelled(label, text, tone, code, _, more):
            yield from _labelled(label, text + (f" [{code}]" if code else ""), tone, width)
            for sentence in more:
                yield from _indented(sentence, width, _LABEL)
        case Step(command, why, label):
            yield from _step(label, command, why, width)
        case Table():
            if block.shown:
                yield from _table(block, console.width)
        case Bars():
            yield from _bars(block, console)
        case Code(text):
            yield from (Line(visible(line)) for line in text.splitlines())


def labelled_lines(text: str, width: int = _WIDTH_IN_A_PIPE) -> int:
    """How many lines a sentence takes behind a label."""
    return len(_wrapped(text, width, _LABEL))


def _wrapped(text: str, width: int, indent: int = 0) -> list[str]:
    """Lines of at most that width, but for words that are longer: commands and builds are not cut.

    Several spaces stay together with the words beside them: they separate a command from what it is for.
    """
    parts = visible(text).split("   ")
    if len(parts) > 1 and len(visible(text)) + indent <= width:
        return [visible(text)]
    flat = " ".join(part.strip() for part in parts)
    return textwrap.wrap(flat, max(20, width - indent), break_long_words=False, break_on_hyphens=False) or [
        ""
    ]


def _indented(text: str, width: int, margin: int) -> Iterator[Line]:
    return (Line(" " * margin + line) for line in _wrapped(text, width, margin))


def _step(label: str, command: str, why: str, width: int) -> Iterator[Line]:
    """The command with what it is for behind it, or below it where the two do not fit."""
    in_one = f"{command}   {why}" if why else command
    is_short = labelled_lines(in_one, width) == 1
    yield from _labelled(label, in_one if is_short else command, Tone.STRONG, width)
    if why and not is_short:
        yield from _indented(why, width, _LABEL)


def _labelled(label: str, text: str, tone: Tone, width: int) -> Iterator[Line]:
    # Numbers of a list need less room than words.
    margin = _NUMBER if 0 < len(label) <= _NUMBER - 2 else _LABEL
    first, *others = _wrapped(text, width, margin)
    yield Line(f"{visible(label):<{margin}}", style=_STYLES[tone]).append(first, style="not bold default")
    yield from (Line(" " * margin + line) for line in others)


def _bars(block: Bars, console: Console) -> Iterator[Line]:
    if not block.bars:
        return
    # Terminals that know no blocks get a mark that all have.
    mark = "█" if console.encoding.lower().startswith("utf") else "#"
    labels = max(cell_len(visible(bar.label)) for bar in block.bars)
    longest = max(10, min(_BAR, console.width - labels - 16))
    yield Line(visible(block.title), style="bold")
    for bar in block.bars:
        drawn = mark * max(1 if bar.share > 0 else 0, round(longest * bar.share))
        line = Line(f"  {_padded(visible(bar.label), labels, left=True)}  ")
        yield line.append(drawn, style="cyan").append(f"{' ' if drawn else ''}{visible(bar.text)}")


def _table(table: Table, width: int) -> Iterator[Line]:
    if table.title:
        yield from (Line(line, style="bold") for line in _wrapped(table.title, width))
    rows = [
        [visible(in_column(cell, column)) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows[: table.shown]
    ]
    inline, below, gap = _layout(table, rows, width)
    if table.is_transposed:
        yield from _transposed(table, rows, width)
    elif inline is None:
        yield from (_transposed if len(rows) <= _FEW_ROWS else _listed)(table, rows, width)
    else:
        yield from _grid(table, rows, inline, below, width, gap)
    if len(table.rows) > table.shown:
        yield Line(f"and {len(table.rows) - table.shown:,} more in {table.name}.csv", style="dim")
    if table.note:
        lines = _wrapped(table.note, min(width, _LONGEST_LINE))
        yield from (Line(line, style="dim") for line in lines)


def _layout(
    table: Table, rows: Sequence[Sequence[str]], width: int
) -> tuple[dict[int, int] | None, list[int], int]:
    """Width of each column on the row (none where nothing fits), the columns below it, and the gap."""
    widths = {
        i: max([cell_len(visible(column.title)), *(cell_len(row[i]) for row in rows)])
        for i, column in enumerate(table.columns)
        if column.show in {Show.ALWAYS, Show.PAGE, Show.WIDE}
    }
    below = [i for i, column in enumerate(table.columns) if column.show is Show.OWN_LINE]
    optional = [i for i in widths if table.columns[i].show is Show.WIDE]
    # Columns move together before one of them is left out.
    gap = 1 if optional and _total(widths, _GAP) > width else _GAP
    while _total(widths, gap) > width and optional:
        del widths[optional.pop()]
    for i in sorted(widths, key=lambda i: -widths[i]):
        if _total(widths, gap) <= width:
            break
        if table.columns[i].kind is Kind.TEXT:
            widths[i] = max(min(widths[i], _MIN_TEXT), widths[i] - (_total(widths, gap) - width))
    return (widths if _total(widths, gap) <= width else None), below, gap


def _total(widths: dict[int, int], gap: int) -> int:
    return sum(widths.values()) + gap * (len(widths) - 1)


def _grid(
    table: Table,
    rows: Sequence[Sequence[str]],
    widths: dict[int, int],
    below: list[int],
    width: int,
    gap: int,
) -> Iterator[Line]:
    def line(cells: dict[int, str]) -> str:
        return (
            (" " * gap)
            .join(_padded(cells[i], size, left=table.columns[i].is_text) for i, size in widths.items())
            .rstrip()
        )

    yield Line(line({i: visible(table.columns[i].title) for i in widths}), style="dim")
    for row in rows:
        folded = {
            i: textwrap.wrap(row[i], widths[i], break_on_hyphens=False) or [""]
            if table.columns[i].kind is Kind.TEXT
            else [row[i]]
            for i in widths
        }
        for k in range(max(len(lines) for lines in folded.values())):
            yield Line(line({i: lines[k] if k < len(lines) else "" for i, lines in folded.items()}))
        for i in below:
            if row[i]:
                yield from _indented(row[i], width, _OWN_LINE)


def _padded(text: str, width: int, *, left: bool) -> str:
    blank = " " * max(0, width - cell_len(text))
    return text + blank if left else blank + text


def _transposed(table: Table, rows: Sequence[Sequence[str]], width: int) -> Iterator[Line]:
    """A line a column: for few rows that are too wide, and for those that are read side by side."""
    shown = [i for i, column in enumerate(table.columns) if column.show is not Show.FILE]
    heads = max(cell_len(visible(table.columns[i].title)) for i in shown)
    # Ranges stand behind the numbers, and numbers below each other.
    sides = [_aligned([row[i] for i in shown]) for row in rows]
    if heads + sum(2 + max(map(cell_len, side)) for side in sides) > width:
        yield from _listed(table, rows, width)
        return
    for k, i in enumerate(shown):
        cells = "".join(f"  {_padded(side[k], max(map(cell_len, side)), left=True)}" for side in sides)
        style = "dim" if k == 0 and table.is_transposed else ""
        yield Line((_padded(visible(table.columns[i].title), heads, left=True) + cells).rstrip(), style=style)


def _aligned(cells: Sequence[str]) -> list[str]:
    parts = [cell.partition(" (") for cell in cells]
    size = max(cell_len(first) for first, _, _ in parts)
    return [_padded(first, size, left=False) + mark + rest for first, mark, rest in parts]


def _listed(table: Table, rows: Sequence[Sequence[str]], width: int) -> Iterator[Line]:
    """The first cell of a row, and below it the others behind their heads."""
    first, *others = [i for i, column in enumerate(table.columns) if column.show is not Show.FILE]
    for row in rows:
        yield Line(row[first])
        text = "; ".join(f"{table.columns[i].title} {row[i]}" for i in others if row[i])
        yield from _indented(text, width, 2)
