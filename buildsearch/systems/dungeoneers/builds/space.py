"""Dungeoneers' build space: every attribute line with every set of gear that its power can use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.notation import BuildReader, check_filters, name_raises
from buildsearch.builds.pointbuy import PointBuy, point_buy_trades, point_buys
from buildsearch.model.errors import Problem, UsageError
from buildsearch.model.space import Chunk, Feature, Wanted
from buildsearch.systems.dungeoneers.builds.build import Build, Raises
from buildsearch.systems.dungeoneers.builds.gear import GearSets
from buildsearch.systems.dungeoneers.builds.grammar import name_build, parse_build, parse_raises
from buildsearch.systems.dungeoneers.builds.legality import gear_points, points_of, reasons_against
from buildsearch.systems.dungeoneers.builds.table import chunk_table
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, DungeoneersRules
from buildsearch.systems.dungeoneers.rules.settings import Settings

# Masks, and the power that each needs.
_Gear = tuple[NDArray[np.uint64], NDArray[np.int64]]
_POWER = ATTRIBUTES.index("power")


class DungeoneersSpace:
    """Builds grouped by attribute line; codes are masks of gear."""

    grouped_by = "attributes"
    groups_have_parts = True  # an attribute line is points of attributes
    most_to_rank: int | None = None

    def __init__(self, rules: DungeoneersRules, settings: Settings) -> None:
        self.rules = rules
        self.settings = settings
        self.gear = GearSets(rules, settings)
        most = settings.max_rank - rules.hero.base
        self._points = PointBuy((1,) * len(ATTRIBUTES), (most,) * len(ATTRIBUTES), settings.points, True)
        self._listed: dict[tuple[tuple[str, ...], tuple[str, ...]], _Gear] = {}

    @property
    def parameters(self) -> Mapping[str, int | str]:
        """Points, gear, spells and ranks."""
        return self.settings.in_words

    def parse(self, text: str) -> Build:
        """Read a build."""
        return parse_build(text, self.rules)

    def name(self, build: Build) -> str:
        """The canonical name."""
        return name_build(build)

    def features(self, build: Build) -> tuple[Feature, ...]:
        """Points of attributes, and gear."""
        return (
            *(Feature(name, points) for name, points in build.raises),
            *(Feature(name) for name in build.gear),
        )

    def cost(self, build: Build) -> int:
        """Points of attributes and of gear."""
        return points_of(build) + gear_points(build, self.rules)

    def reasons_against(self, build: Build, *, at_any_cost: bool = False) -> list[Problem]:
        """Every reason why the build is illegal."""
        return reasons_against(build, self.rules, self.settings, at_any_cost=at_any_cost)

    def count(self, wanted: Wanted) -> dict[str, int]:
        """Sets of gear for each attribute line: those whose need of power it meets."""
        lines = self._wanted_lines(wanted)
        need = np.sort(self._wanted_gear(wanted)[1])
        return {
            name_raises(self._raises(line)): int(np.searchsorted(need, self._power(line), side="right"))
            for line in lines
        }

    def chunks(self, wanted: Wanted, size: int) -> Iterator[Chunk]:
        """Attribute lines in lexicographic order, and the gear of each in the order of subsets."""
        masks, need = self._wanted_gear(wanted)
        for line in self._wanted_lines(wanted):
            usable = masks[need <= self._power(line)]
            for first in range(0, len(usable), size):
                yield Chunk(name_raises(self._raises(line)), usable[first : first + size, None].copy())

    def builds(self, chunk: Chunk) -> Iterator[Build]:
        """The builds of a chunk."""
        raises = self.line_named(chunk.group)
        return (Build(raises, self.gear.gear(row[0])) for row in chunk.codes)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Attributes, then gear."""
        return (*ATTRIBUTES, *self.gear.names)

    def levels(self, chunk: Chunk) -> NDArray[np.uint8]:
        """Points of attributes, the same for the whole chunk, and 1 for each piece of gear."""
        line = np.broadcast_to(self._row(self.line_named(chunk.group)), (len(chunk), len(ATTRIBUTES)))
        return np.concatenate([line.astype(np.uint8), self.gear.bits(chunk.codes[:, 0])], axis=1)

    def encode(self, build: Build) -> Chunk:
        """A build as a mask of gear."""
        return Chunk(name_raises(build.raises), np.array([[self.gear.mask(build.gear)]], np.uint64))

    def costs(self, chunk: Chunk) -> NDArray[np.int64]:
        """Points of attributes and of gear."""
        return self.gear.cost(chunk.codes[:, 0]) + int(self._row(self.line_named(chunk.group)).sum())

    def table(self, chunk: Chunk) -> Mapping[str, Any]:
        """Name, attributes, weapon, armour, spells and cost."""
        return chunk_table(chunk.group, self.costs(chunk), self.gear, chunk.codes[:, 0])

    def sample(self, wanted: Wanted, size: int, rng: np.random.Generator) -> list[Build]:
        """All pairs of a line and gear that it can use equally likely."""
        lines = self._wanted_lines(wanted)
        masks, need = self._wanted_gear(wanted)
        usable = np.array([int((need <= self._power(line)).sum()) for line in lines], np.int64)
        ends = np.cumsum(usable)
        if size and not usable.sum():
            raise UsageError("there is no build to draw. Loosen the filters.")
        found = []
        for place in rng.integers(int(ends[-1]), size=size) if size else ():
            line = int(np.searchsorted(ends, place, side="right"))
            within = masks[need <= self._power(lines[line])]
            mask = within[int(place - ends[line] + usable[line])]
            found.append(Build(self._raises(lines[line]), self.gear.gear(mask)))
        return found

    def drop(self, build: Build, feature: str) -> Build | None:
        """Without a piece of gear; a weapon must be there, and points are all spent."""
        if feature not in build.gear or feature in self.rules.weapons:
            return None
        return Build(build.raises, tuple(name for name in build.gear if name != feature))

    def neighbours(self, build: Build) -> Iterator[Build]:
        """A point moved between two attributes, or a piece of gear dropped, added or swapped."""
        power = self.rules.hero.base + dict(build.raises).get("power", 0)
        masks = np.array([self.gear.mask(build.gear)], np.uint64)
        for row in point_buy_trades(self._points, self._row(build.raises)):
            if self.gear.needed_power(masks)[0] <= self._power(row):
                yield Build(self._raises(row), build.gear)
        for gear in self.gear.neighbours(build.gear):
            if self.gear.needed_power(np.array([self.gear.mask(gear)], np.uint64))[0] <= power:
                yield Build(build.raises, gear)

    def parts(self, wanted: Wanted) -> tuple[str, ...]:
        """The gear; an attribute line is a group."""
        return tuple(name for name in self.gear.names if name not in wanted.without_features)

    def most_parts(self, wanted: Wanted) -> int:
        """A weapon, a piece for each place, and spells."""
        slots = {piece.slot for piece in self.rules.armour.values()}
        return 1 + len(slots) + self.settings.max_spells

    def assembled(self, wanted: Wanted, group: str, parts: Sequence[str]) -> Build | None:
        """What must be there, then parts as long as they fit; a weapon of the list if none was among them."""
        masks, need = self._wanted_gear(wanted)
        raises = self.line_named(group)
        masks = masks[need <= self._power(self._row(raises))]
        # Sets that have everything taken so far; one of them is taken in the end, the smallest first.
        for name in parts:
            bit = np.uint64(1) << np.uint64(self.gear.place[name])
            with_it = masks[masks & bit != 0]
            masks = with_it if len(with_it) else masks
        if not len(masks):
            return None
        pieces = self.gear.bits(masks).sum(axis=1)
        return Build(raises, self.gear.gear(masks[int(pieces.argmin())]))

    def line_named(self, group: str) -> Raises:
        """The attribute line that a group is called by."""
        return parse_raises(group, BuildReader(group))

    @staticmethod
    def _row(raises: Raises) -> NDArray[np.int64]:
        points = dict(raises)
        return np.array([points.get(name, 0) for name in ATTRIBUTES], np.int64)

    @staticmethod
    def _raises(row: NDArray[np.int64]) -> Raises:
        return tuple((name, int(points)) for name, points in zip(ATTRIBUTES, row, strict=True) if points)

    def _power(self, row: NDArray[np.int64]) -> int:
        return self.rules.hero.base + int(row[_POWER])

    @cached_property
    def _lines(self) -> NDArray[np.int64]:
        return point_buys(self._points)

    def _wanted_lines(self, wanted: Wanted) -> list[NDArray[np.int64]]:
        lines = [(row, name_raises(self._raises(row))) for row in self._lines]
        names, words = [name for _, name in lines], ("attribute line", "attribute or gear")
        check_filters(wanted, names, self.feature_names, words, self._canonical)
        groups = {self._canonical(group) for group in wanted.groups}
        with_, without = set(wanted.with_features), set(wanted.without_features)
        return [
            row
            for row, name in lines
            if (not groups or name in groups)
            and with_.intersection(ATTRIBUTES) <= {name for name, _ in self._raises(row)}
            and not without.intersection(name for name, _ in self._raises(row))
        ]

    def _wanted_gear(self, wanted: Wanted) -> _Gear:
        required = tuple(name for name in wanted.with_features if name in self.gear.place)
        refused = tuple(name for name in wanted.without_features if name in self.gear.place)
        if (required, refused) not in self._listed:
            masks = self.gear.listed(required, refused)
            self._listed[required, refused] = masks, self.gear.needed_power(masks)
        return self._listed[required, refused]

    def _canonical(self, group: str) -> str:
        """The group's name however its attributes were ordered."""
        reader = BuildReader(group)
        raises = parse_raises(group, reader)
        return group if reader.problems else name_raises(raises)
