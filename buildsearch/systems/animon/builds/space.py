"""The build space: every stat line with one choice on each axis. Codes are the numbers of the choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.notation import check_filters
from buildsearch.builds.pointbuy import point_buy_trades
from buildsearch.model.errors import Problem, UsageError
from buildsearch.model.space import Chunk, Feature, Wanted
from buildsearch.systems.animon.builds.axes import (
    Axis,
    make_axes,
    signature_features,
    stat_lines,
    stat_problem,
)
from buildsearch.systems.animon.builds.build import Build, Line, signature_stages
from buildsearch.systems.animon.builds.grammar import name_build, name_stats, parse_build
from buildsearch.systems.animon.builds.legality import points_of, reasons_against
from buildsearch.systems.animon.builds.table import chunk_table
from buildsearch.systems.animon.rules.model import STAGES, STATS, AnimonRules
from buildsearch.systems.animon.rules.settings import Settings

Numbers = NDArray[np.int64]
_MOST_TO_RANK = 300_000  # some minutes of sampling each hundred thousand


class AnimonSpace:
    """Builds grouped by the stat line of their highest stage."""

    grouped_by = "stats"
    groups_have_parts = True  # a stat line is points of stats
    most_to_rank: int | None = _MOST_TO_RANK

    def __init__(self, rules: AnimonRules, settings: Settings) -> None:
        self.rules = rules
        self.settings = settings
        self.axes: tuple[Axis, ...] = make_axes(rules, settings)
        self._signatures = len(signature_stages(rules, settings.stage))
        self._least = rules.stages[settings.stage].least

    @property
    def parameters(self) -> Mapping[str, int | str]:
        """Stage, bond level, effects, elements and lower forms."""
        return self.settings.in_words

    def parse(self, text: str) -> Build:
        """Read a build."""
        return parse_build(text, self.rules, self.settings)

    def name(self, build: Build) -> str:
        """The canonical name."""
        return name_build(build)

    def features(self, build: Build) -> tuple[Feature, ...]:
        """Points of stats, element, quality, effects and elements by stage, improvements."""
        found = [*self._stat_features(build.lines[-1]), Feature(build.element)]
        found.append(Feature(f"quality_{build.quality}"))
        stages = signature_stages(self.rules, build.stage)
        for stage, signature in zip(stages, build.signatures, strict=True):
            found += signature_features(stage, signature, self.settings)
        found += [Feature(name, count) for name, count in build.improvements]
        first = STAGES.index(build.stage) + 1 - len(build.lines)
        lower = zip(STAGES[first:], build.lines[:-1], strict=False)
        return (*found, *(Feature(f"{stage}_{name_stats([line])}") for stage, line in lower))

    def cost(self, build: Build) -> int:
        """Points of stats, and improvements."""
        return points_of(build, self.rules)

    def reasons_against(self, build: Build, *, at_any_cost: bool = False) -> list[Problem]:
        """Every reason why the build is illegal."""
        return reasons_against(build, self.rules, self.settings, at_any_cost=at_any_cost)

    def count(self, wanted: Wanted) -> dict[str, int]:
        """The product of the axes for each stat line."""
        number = 1
        for kept in self._kept(wanted):
            number *= len(kept)
        return {name_stats([line]): number for line in self._wanted_lines(wanted)}

    def chunks(self, wanted: Wanted, size: int) -> Iterator[Chunk]:
        """Stat lines in lexicographic order, the choices of the last axis fastest."""
        kept = self._kept(wanted)
        shape = tuple(len(each) for each in kept)
        total = int(np.prod(shape, dtype=object))
        for line in self._wanted_lines(wanted):
            for first in range(0, total, size):
                places = np.arange(first, min(first + size, total), dtype=np.int64)
                columns = _digits(places, shape)
                choices = [axis[column] for axis, column in zip(kept, columns, strict=True)]
                yield Chunk(name_stats([line]), self._codes(choices))

    def builds(self, chunk: Chunk) -> Iterator[Build]:
        """The builds of a chunk."""
        line = self.line_named(chunk.group)
        columns = [column.tolist() for column in self.columns(chunk)]
        return (self._build(line, row) for row in zip(*columns, strict=True))

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """Stats, then what stands on the axes."""
        return (*STATS, *(name for axis in self.axes for name in axis.feature_names))

    def levels(self, chunk: Chunk) -> NDArray[np.uint8]:
        """Points of stats, the same for the whole chunk, and what each choice has."""
        line = np.array(self.line_named(chunk.group), np.int64) - self._least
        parts = [np.broadcast_to(line, (len(chunk), len(STATS))).astype(np.uint8)]
        parts += [axis.levels[column] for axis, column in zip(self.axes, self.columns(chunk), strict=True)]
        return np.concatenate(parts, axis=1)

    def encode(self, build: Build) -> Chunk:
        """A build as the numbers of its choices."""
        choices = self._choices(build)
        numbers = [axis.place[choice] for axis, choice in zip(self.axes, choices, strict=True)]
        return Chunk(name_stats([build.lines[-1]]), self._codes([np.array([i]) for i in numbers]))

    def costs(self, chunk: Chunk) -> NDArray[np.int64]:
        """All builds of a space spend the same."""
        points = sum(stat - self._least for stat in self.line_named(chunk.group))
        number = self.settings.bond_level // self.rules.improvements.levels
        return np.full(len(chunk), points + number, np.int64)

    def table(self, chunk: Chunk) -> Mapping[str, Any]:
        """Name, element, stats, quality, signature attacks, improvements and cost."""
        return chunk_table(
            self.settings.stage,
            chunk.group,
            self.axes,
            self.columns(chunk),
            self._signatures,
            self.costs(chunk),
        )

    def sample(self, wanted: Wanted, size: int, rng: np.random.Generator) -> list[Build]:
        """All builds are equally likely: so are the choices on each axis."""
        lines, kept = self._wanted_lines(wanted), self._kept(wanted)
        if size and not (lines and all(len(each) for each in kept)):
            raise UsageError("there is no build to draw. Loosen the filters.")
        found = []
        for _ in range(size):
            line = lines[int(rng.integers(len(lines)))]
            found.append(self._build(line, [int(each[int(rng.integers(len(each)))]) for each in kept]))
        return found

    def drop(self, build: Build, feature: str) -> Build | None:
        """Every place is filled and every point is spent: nothing can be left out."""
        return None

    def neighbours(self, build: Build) -> Iterator[Build]:
        """A point moved between two stats, or another choice on one axis."""
        problem = stat_problem(self.rules, self.settings.stage)
        numbers = [axis.place[choice] for axis, choice in zip(self.axes, self._choices(build), strict=True)]
        for row in point_buy_trades(problem, np.array(build.lines[-1], np.int64) - self._least):
            a, b, c, d = (int(stat) + self._least for stat in row)
            yield self._build((a, b, c, d), numbers)
        for place, axis in enumerate(self.axes):
            for choice in range(len(axis.choices)):
                if choice != numbers[place]:
                    yield self._build(build.lines[-1], [*numbers[:place], choice, *numbers[place + 1 :]])

    def parts(self, wanted: Wanted) -> tuple[str, ...]:
        """What stands on the axes; a stat line is a group."""
        return tuple(
            name for axis in self.axes for name in axis.feature_names if name not in wanted.without_features
        )

    def most_parts(self, wanted: Wanted) -> int:
        """The most that any choice of each axis has."""
        return sum(int(axis.levels.sum(axis=1).max(initial=0)) for axis in self.axes)

    def assembled(self, wanted: Wanted, group: str, parts: Sequence[str]) -> Build | None:
        """On each axis the choices that have the parts asked for, while there are any; then the least."""
        kept = self._kept(wanted)
        if any(len(each) == 0 for each in kept):
            return None
        chosen = []
        for axis, choices in zip(self.axes, kept, strict=True):
            asked: dict[str, int] = {}
            left = choices
            for name in parts:
                if name in axis.feature_names:
                    asked[name] = asked.get(name, 0) + 1
                    column = axis.feature_names.index(name)
                    fitting = left[axis.levels[left, column] >= asked[name]]
                    left = fitting if len(fitting) else left
            chosen.append(int(left[int(axis.levels[left].sum(axis=1).argmin())]))
        return self._build(self.line_named(group), chosen)

    def line_named(self, group: str) -> Line:
        """The stat line that a group is called by."""
        power, agility, brains, heart = (int(stat) for stat in group.split("-"))
        return power, agility, brains, heart

    def columns(self, chunk: Chunk) -> list[Numbers]:
        """The number of each build's choice on each axis."""
        return [column.astype(np.int64) for column in chunk.codes.T]

    def _codes(self, choices: Sequence[Numbers]) -> NDArray[np.uint64]:
        return np.stack(choices, axis=1).astype(np.uint64)

    def _build(self, line: Line, numbers: Sequence[int]) -> Build:
        element, quality, *rest = (axis.choices[i] for axis, i in zip(self.axes, numbers, strict=True))
        signatures, improvements = rest[: self._signatures], rest[self._signatures]
        lines = (*rest[self._signatures + 1 :], line)
        return Build(
            self.settings.stage,
            element,
            lines,
            quality,
            tuple(signatures),
            improvements,
            self.settings.bond_level,
        )

    def _choices(self, build: Build) -> tuple[Any, ...]:
        lower = build.lines[:-1]
        return (build.element, build.quality, *build.signatures, build.improvements, *lower)

    def _stat_features(self, line: Line) -> list[Feature]:
        return [
            Feature(name, stat - self._least)
            for name, stat in zip(STATS, line, strict=True)
            if stat > self._least
        ]

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        return stat_lines(self.rules, self.settings.stage)

    def _wanted_lines(self, wanted: Wanted) -> list[Line]:
        self._check(wanted)
        with_ = [STATS.index(name) for name in STATS if name in wanted.with_features]
        without = [STATS.index(name) for name in STATS if name in wanted.without_features]
        return [
            line
            for line in self._lines
            if (not wanted.groups or name_stats([line]) in wanted.groups)
            and all(line[i] > self._least for i in with_)
            and all(line[i] == self._least for i in without)
        ]

    def _kept(self, wanted: Wanted) -> list[Numbers]:
        self._check(wanted)
        return [axis.kept(wanted.with_features, wanted.without_features) for axis in self.axes]

    def _check(self, wanted: Wanted) -> None:
        groups = [name_stats([line]) for line in self._lines]
        hint = " Effects and elements of attacks are named with their stage: `super_overcharge`."
        check_filters(wanted, groups, self.feature_names, ("stats", "stat or choice"), hint=hint)


def _digits(numbers: Numbers, shape: tuple[int, ...]) -> list[Numbers]:
    """Mixed radix, the last fastest."""
    found = []
    for size in reversed(shape):
        found.append(numbers % size)
        numbers = numbers // size
    return found[::-1]
