"""Lines of raises, `power+1,prowess+3`: what builds are grouped by where points are bought."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.notation import BuildReader, check_filters, name_raises
from buildsearch.builds.pointbuy import PointBuy, point_buy_trades, point_buys
from buildsearch.model.arrays import Ints
from buildsearch.model.errors import Problem
from buildsearch.model.space import Chunk, Wanted

# (name, steps), none of them zero, in the order of the names.
Raises = tuple[tuple[str, int], ...]


def in_order(steps: dict[str, int], names: Sequence[str]) -> Raises:
    return tuple((name, steps[name]) for name in names if steps.get(name, 0))


class RaisedLines:
    """Every line of a point-buy. `words`: what the game calls a line, and what a build has besides."""

    def __init__(self, problem: PointBuy, names: Sequence[str], words: tuple[str, str]) -> None:
        self.problem = problem
        self.names = tuple(names)
        self.words = words

    def row(self, raises: Raises) -> Ints:
        steps = dict(raises)
        return np.array([steps.get(name, 0) for name in self.names], np.int64)

    def read(self, group: str) -> Raises:
        """The line that a group is called by, however it is ordered; an unknown one has what is known."""
        return in_order(BuildReader(group).raises(group, self.names, ""), self.names)

    def trades(self, raises: Raises) -> Iterator[Raises]:
        return map(self._raises, point_buy_trades(self.problem, self.row(raises)))

    def wanted(self, wanted: Wanted, features: Sequence[str]) -> list[Raises]:
        """The lines that keep the filters, in lexicographic order; raises UsageError if no build can."""
        names = [name_raises(line) for line in self._lines]
        check_filters(wanted, names, features, self.words, self._canonical)
        groups = {self._canonical(group) for group in wanted.groups}
        needed = set(wanted.with_features).intersection(self.names)
        return [
            line
            for line, name in zip(self._lines, names, strict=True)
            if (not groups or name in groups)
            and needed <= dict(line).keys()
            and not dict(line).keys() & set(wanted.without_features)
        ]

    @cached_property
    def _lines(self) -> list[Raises]:
        return [self._raises(row) for row in point_buys(self.problem)]

    def _raises(self, row: Ints) -> Raises:
        return in_order(dict(zip(self.names, row.tolist(), strict=True)), self.names)

    def _canonical(self, group: str) -> str:
        reader = BuildReader(group)
        raises = in_order(reader.raises(group, self.names, ""), self.names)
        return group if reader.problems else name_raises(raises)


class LinedSpace(ABC):
    """Builds of a line of raises and of parts beside it, grouped by the line.

    `grammar` has `parse_build` and `name_build`, `legality` has `reasons_against`.
    """

    groups_have_parts = True
    grammar: Any
    legality: Any

    def __init__(self, rules: Any, settings: Any, lines: RaisedLines, part_names: Sequence[str]) -> None:
        self.rules = rules
        self.settings = settings
        self.lines = lines
        self.part_names = tuple(part_names)

    @abstractmethod
    def part_levels(self, chunk: Chunk) -> NDArray[np.uint8]:
        """How much of each part the builds of a chunk have."""

    @property
    def parameters(self) -> Mapping[str, int | str]:
        words: Mapping[str, int | str] = self.settings.in_words
        return words

    @property
    def feature_names(self) -> tuple[str, ...]:
        """What can be raised, then the parts."""
        return (*self.lines.names, *self.part_names)

    def parse(self, text: str) -> Any:
        return self.grammar.parse_build(text, self.rules)

    def name(self, build: Any) -> str:
        return str(self.grammar.name_build(build))

    def reasons_against(self, build: Any, *, at_any_cost: bool = False) -> list[Problem]:
        found: list[Problem] = self.legality.reasons_against(
            build, self.rules, self.settings, at_any_cost=at_any_cost
        )
        return found

    def levels(self, chunk: Chunk) -> NDArray[np.uint8]:
        """Steps of the line, the same for the whole chunk, and the parts of each build."""
        line = self.lines.row(self.lines.read(chunk.group)).astype(np.uint8)
        return np.concatenate(
            [np.broadcast_to(line, (len(chunk), len(line))), self.part_levels(chunk)], axis=1
        )

    def parts(self, wanted: Wanted) -> tuple[str, ...]:
        """The parts; a line is a group."""
        return tuple(name for name in self.part_names if name not in wanted.without_features)
