"""What an answer says, as blocks of data. Only renderers format numbers and escape text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Tone(StrEnum):
    """What a colour means; the words must say it too."""

    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


class Kind(Enum):
    """What a column holds."""

    TEXT = auto()
    BUILD = auto()  # never cut: it is what a user types again
    COUNT = auto()
    NUMBER = auto()
    PERCENT = auto()  # a share in whole percent
    RATE = auto()  # a share with one decimal: how often a build wins
    WINS = auto()  # a share in whole percent that a page colours: more or less than half


class Show(Enum):
    """Where a column appears. Files and JSON have every column but those of a page."""

    ALWAYS = auto()
    WIDE = auto()  # dropped first where the window is narrow
    OWN_LINE = auto()  # on a line of its own below the row
    FILE = auto()
    PAGE = auto()  # says in words what other columns hold for programs


class Sampled(NamedTuple):
    """A number that is known within a range: `6.23 (6.11 to 6.35)`."""

    value: float
    low: float
    high: float


def in_range(value: float, low: float, high: float) -> float | Sampled:
    """A number, with its range where it has one."""
    return value if low == high else Sampled(value, low, high)


class Change(NamedTuple):
    """A value before and after: `6.70 -> 2.52`."""

    before: str | int | float | None
    after: str | int | float | None


class OutOf(NamedTuple):
    """A count and what it is a part of: `5 of 56`."""

    value: int
    total: int


Cell = str | int | float | bool | None | Sampled | Change | OutOf


@dataclass(frozen=True, slots=True)
class Column:
    """The name is the key in JSON and the head of the CSV column; `head` is what people read."""

    name: str
    kind: Kind = Kind.NUMBER
    head: str = ""
    show: Show = Show.ALWAYS

    @property
    def title(self) -> str:
        return self.head or self.name.replace("_", " ")

    @property
    def is_text(self) -> bool:
        """Whether it reads from the left."""
        return self.kind in {Kind.TEXT, Kind.BUILD}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns. The name is also that of its CSV file; `shown` rows are printed, files have all.

    `is_transposed`: people read a line for each column, under the first cells of the rows (`now`, `after`).
    One that shows none is for files and programs only.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    shown: int = 15
    is_transposed: bool = False


def table_of(
    name: str,
    title: str,
    items: Iterable[T],
    *fields: tuple[Column, Callable[[T], Cell]],
    note: str = "",
    shown: int = 15,
    is_transposed: bool = False,
) -> Table:
    """A row for each item: every column with what it holds."""
    columns = tuple(column for column, _ in fields)
    rows = [tuple(of(item) for _, of in fields) for item in items]
    return Table(name, title, columns, rows, note, shown, is_transposed)


@dataclass(frozen=True, slots=True)
class Heading:
    """A title above the blocks that follow."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph. `indent` moves its second and later lines to the right; an empty one is a blank line."""

    text: str
    tone: Tone = Tone.PLAIN
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence behind a word: a finding with its severity and code, or `Fix`, `Next`, `Result`.

    `place` is the `file:line` that it is about, as editors and terminals make clickable. `more` are sentences
    on lines of their own below it.
    """

    label: str
    text: str
    tone: Tone = Tone.STRONG
    code: str = ""
    place: str = ""
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A command to type next, and what it is for."""

    command: str
    why: str
    label: str = "Next"


class Bar(NamedTuple):
    """A line of a picture: `share` from 0 to 1, and the number behind the bar."""

    label: str
    share: float
    text: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Lengths below each other."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to copy."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class More:
    """Blocks that a page folds away under a summary; a terminal shows them."""

    summary: str
    blocks: tuple[Block, ...]


Block = Heading | Text | Labelled | Step | Table | Bars | Code | More
BLANK = Text("")


def _tables(blocks: Iterable[Block]) -> Iterator[Table]:
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, More):
            yield from _tables(block.blocks)


@dataclass(frozen=True)
class Document:
    """An answer as people and programs read it. `data` is what JSON has besides the tables."""

    title: str
    blocks: tuple[Block, ...]
    data: Mapping[str, object] = field(default_factory=dict)

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(_tables(self.blocks))

    def _repr_html_(self) -> str:
        from buildsearch.document.html import to_html

        return to_html(self)
