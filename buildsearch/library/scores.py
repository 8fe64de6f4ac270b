"""Every build of a run with its score, and which options it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from buildsearch.library.arguments import checked
from buildsearch.library.tables import Table
from buildsearch.model.errors import UsageError
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.options.fields import Texts
from buildsearch.ruleset.messages import suggest

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
        """Only the builds that have all of these.

        Args:
            options: one option, such as `"bleed"`, or several.

        Raises:
            UsageError: for an option that the rules do not have.

        """
        return self._chosen(options, wanted=True)

    @checked
    def without_(self, options: Texts) -> Scores:
        """Only the builds that have none of these.

        Args:
            options: one option, such as `"bleed"`, or several.

        Raises:
            UsageError: for an option that the rules do not have.

        """
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
