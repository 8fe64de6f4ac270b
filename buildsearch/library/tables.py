"""What answers of the library are made of: pages, and tables as Arrow has them, with types for pandas."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from buildsearch.document.blocks import Document, Show
from buildsearch.document.blocks import Table as Block
from buildsearch.library.arguments import checked
from buildsearch.model.errors import UsageError
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.model.text import count
from buildsearch.options.fields import Texts
from buildsearch.ruleset.messages import suggest

if TYPE_CHECKING:
    import pandas as pd


# The first of these that a table has says what a row is about.
_INDEXES = ("build", "loadout", "option", "part", "culprits", "pair", "feature")
_METADATA = b"buildsearch"
# What these count may be missing in every row: where everything is exact, nothing was fought.
_NUMBERS = ("fights", "price", "cost")


class Page(ABC):
    """An answer that notebooks show as the page of its command."""

    __slots__ = ()

    @abstractmethod
    def document(self) -> Document:
        """The page of the command."""

    def _repr_html_(self) -> str:
        return self.document()._repr_html_()


class Answer(Page, Mapping[str, Any]):
    """What a command says: its page, and by name what its JSON has."""

    __slots__ = ("_page",)

    def __init__(self, page: Document) -> None:
        self._page = page

    def document(self) -> Document:
        return self._page

    def __getitem__(self, name: str) -> Any:
        return self._page.data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._page.data)

    def __len__(self) -> int:
        return len(self._page.data)

    def __repr__(self) -> str:
        return f"<{self._page.title}: {', '.join(self)}>"


class Table:
    """Named columns with one row for each build, option or finding.

    polars, duckdb and everything else that reads Arrow takes it as it is (`polars.from_arrow(table)`).
    """

    def __init__(
        self,
        read: Callable[[], pa.Table],
        *,
        title: str = "",
        note: str = "",
        higher_is_better: Mapping[str, bool] | None = None,
        index: str | None = None,
    ) -> None:
        self.title = title
        self.note = note
        self.higher_is_better = dict(higher_is_better or {})
        self._read = read
        self._index = index

    @cached_property
    def _arrow(self) -> pa.Table:
        said = {"title": self.title, "note": self.note, "higher_is_better": self.higher_is_better}
        table = self._read()
        return table.replace_schema_metadata({_METADATA: json.dumps(said).encode()})

    @property
    def index(self) -> str | None:
        """The column that says what a row is about; None where rows are just numbered."""
        if self._index is not None:
            return self._index
        return next((name for name in _INDEXES if name in self._arrow.column_names), None)

    @property
    def columns(self) -> list[str]:
        return list(self._arrow.column_names)

    def __len__(self) -> int:
        return int(self._arrow.num_rows)

    def __repr__(self) -> str:
        named = f" {self.title!r}" if self.title else ""
        return f"<Table{named}: {count(len(self), 'row')} of {', '.join(self.columns)}>"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._arrow.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pa.Table:
        """The table as `pyarrow.Table`; the metadata of its schema has title, note and directions."""
        return self._arrow

    def to_pandas(self) -> pd.DataFrame:
        """A DataFrame whose index is the build or the option.

        Whole numbers stay whole where some are missing, and text is text. `attrs` has the title, the note and
        `higher_is_better`: the direction of each column that has one.
        """
        import pandas as pd

        frame = pd.DataFrame(
            {
                name: _series(column)
                for name, column in zip(self._arrow.column_names, self._arrow.columns, strict=True)
            }
        )
        frame.attrs = {"title": self.title, "note": self.note, "higher_is_better": self.higher_is_better}
        return frame if self.index is None else frame.set_index(self.index)


def _series(column: pa.ChunkedArray) -> pd.Series:
    import pandas as pd

    if pa.types.is_integer(column.type) and column.null_count:
        return pd.Series(column.to_pylist(), dtype=pd.Int64Dtype())
    return column.to_pandas()


def table_of_rows(rows: list[dict[str, Any]], columns: list[str], **about: Any) -> Table:
    """A table out of mappings; `columns` are there even if no row is."""
    found = {name: [row.get(name) for row in rows] for name in columns}
    return Table(lambda: typed(pa.table({name: _column(cells) for name, cells in found.items()})), **about)


def table_of_block(block: Block, higher_is_better: Mapping[str, bool]) -> Table:
    """A table of a document, with every digit."""
    shown = [(i, each.name) for i, each in enumerate(block.columns) if each.show is not Show.PAGE]
    columns = [name for _, name in shown]
    rows = [{name: row[i] for i, name in shown} for row in block.rows]
    known = {name: up for name, up in higher_is_better.items() if name in columns}
    return table_of_rows(rows, columns, title=block.title, note=block.note, higher_is_better=known)


def typed(table: pa.Table, floats: Collection[str] = ()) -> pa.Table:
    """The table with a type for empty columns, and with `floats` that happen to be whole as floats."""
    for place, field in enumerate(table.schema):
        wanted = field.type
        if pa.types.is_null(field.type):
            wanted = pa.int64() if field.name.endswith(_NUMBERS) else pa.string()
        if field.name in floats:
            wanted = pa.float64()
        if wanted != field.type:
            table = table.set_column(place, field.name, table.column(place).cast(wanted))
    return table


def _column(cells: list[Any]) -> pa.Array:
    if any(isinstance(cell, float) for cell in cells):
        return pa.array([None if cell is None else float(cell) for cell in cells], pa.float64())
    return pa.array(cells)


_ROWS_AT_ONCE = 1 << 17
_CODE = "code_"


class Scores(Table):
    """Every build with its score, or those with some options; in no order."""

    def __init__(
        self,
        read: Callable[[], pa.Table],
        space: Callable[[], BuildSpace],
        higher_is_better: Mapping[str, bool],
    ) -> None:
        self._coded, self._space = read, space
        super().__init__(self._shown, title="Scores of builds", higher_is_better=higher_is_better)

    @checked
    def with_(self, options: Texts) -> Scores:
        """Only the builds that have all of these options; raises UsageError for one that there is not."""
        return self._chosen(options, wanted=True)

    @checked
    def without_(self, options: Texts) -> Scores:
        """Only the builds that have none of these options; raises UsageError for one that there is not."""
        return self._chosen(options, wanted=False)

    def option_matrix(self) -> Table:
        """By build a column of True and False for each option, in the order of the scores."""
        names = self._space().feature_names
        has = self._has(range(len(names)))
        columns = {name: pa.array(has[:, i]) for i, name in enumerate(names)}
        build = self._whole["build"]
        return Table(lambda: pa.table({"build": build, **columns}), title="Options of builds", index="build")

    def _chosen(self, options: Texts, *, wanted: bool) -> Scores:
        names = self._space().feature_names
        for option in options:
            if option not in names:
                raise UsageError(f"unknown option `{option}`. {suggest(option, names)}")
        has = self._has([names.index(each) for each in options])
        kept = pa.array((has == wanted).all(axis=1))
        return Scores(lambda: self._whole.filter(kept), self._space, self.higher_is_better)

    @cached_property
    def _whole(self) -> pa.Table:
        """With the codes that the space reads builds from."""
        return self._coded()

    def _shown(self) -> pa.Table:
        return self._whole.drop_columns(self._codes)

    @property
    def _codes(self) -> list[str]:
        return [name for name in self._whole.column_names if name.startswith(_CODE)]

    def _has(self, places: Sequence[int]) -> NDArray[np.bool_]:
        """(builds, options): whether a build has the option at that place of the features."""
        found = np.zeros((self._whole.num_rows, len(places)), np.bool_)
        for rows, chunk in self._pieces():
            found[rows] = self._space().levels(chunk)[:, list(places)] > 0
        return found

    def _pieces(self) -> Iterator[tuple[NDArray[np.int64], Chunk]]:
        """The builds some of one group at a time: their rows, and a chunk."""
        groups = self._whole["group"].combine_chunks().dictionary_encode()
        numbers = groups.indices.to_numpy()
        codes = np.stack([self._whole[name].to_numpy() for name in self._codes], axis=1)
        for number, group in enumerate(groups.dictionary.to_pylist()):
            mine = np.flatnonzero(numbers == number)
            for first in range(0, len(mine), _ROWS_AT_ONCE):
                rows = mine[first : first + _ROWS_AT_ONCE]
                yield rows, Chunk(group, codes[rows])
