"""Dungeoneers' build space: every attribute line with every set of gear that its power can use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from buildsearch.builds.lines import LinedSpace, RaisedLines, Raises
from buildsearch.builds.notation import BETWEEN, name_raises
from buildsearch.builds.pointbuy import PointBuy
from buildsearch.model.errors import UsageError
from buildsearch.model.space import Chunk, Feature, Wanted
from buildsearch.systems.dungeoneers.builds import grammar, legality
from buildsearch.systems.dungeoneers.builds.gear import GearSets
from buildsearch.systems.dungeoneers.builds.grammar import Build
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, DungeoneersRules, Limits

# Masks, and the power that each needs.
_Gear = tuple[NDArray[np.uint64], NDArray[np.int64]]


class DungeoneersSpace(LinedSpace):
    """Builds grouped by attribute line; codes are masks of gear."""

    rules: DungeoneersRules
    settings: Limits
    grouped_by = "attributes"
    grammar, legality = grammar, legality
    most_to_rank: int | None = None

    def __init__(self, rules: DungeoneersRules, settings: Limits) -> None:
        self.gear = GearSets(rules, settings)
        most = settings.max_rank - rules.hero.base
        points = PointBuy((1,) * len(ATTRIBUTES), (most,) * len(ATTRIBUTES), settings.points, True)
        lines = RaisedLines(points, ATTRIBUTES, ("attribute line", "attribute or gear"))
        super().__init__(rules, settings, lines, self.gear.names)
        self._listed: dict[tuple[tuple[str, ...], tuple[str, ...]], _Gear] = {}

    def features(self, build: Build) -> tuple[Feature, ...]:
        """Points of attributes, and gear."""
        return (
            *(Feature(name, points) for name, points in build.raises),
            *(Feature(name) for name in build.gear),
        )

    def cost(self, build: Build) -> int:
        """Points of attributes and of gear."""
        return sum(legality.spent(build, self.rules))

    def count(self, wanted: Wanted) -> dict[str, int]:
        """Sets of gear for each attribute line: those whose need of power it meets."""
        lines = self.lines.wanted(wanted, self.feature_names)
        need = np.sort(self._wanted_gear(wanted)[1])
        return {
            name_raises(line): int(np.searchsorted(need, self._power(line), side="right")) for line in lines
        }

    def chunks(self, wanted: Wanted, size: int) -> Iterator[Chunk]:
        """Attribute lines in lexicographic order, and the gear of each in the order of subsets."""
        masks, need = self._wanted_gear(wanted)
        for line in self.lines.wanted(wanted, self.feature_names):
            usable = masks[need <= self._power(line)]
            for first in range(0, len(usable), size):
                yield Chunk(name_raises(line), usable[first : first + size, None].copy())

    def builds(self, chunk: Chunk) -> Iterator[Build]:
        """The builds of a chunk."""
        raises = self.lines.read(chunk.group)
        return (Build(raises, self.gear.named(row[0])) for row in chunk.codes)

    def part_levels(self, chunk: Chunk) -> NDArray[np.uint8]:
        """1 for each piece of gear."""
        return self.gear.bits(chunk.codes[:, 0])

    def encode(self, build: Build) -> Chunk:
        """A build as a mask of gear."""
        return Chunk(name_raises(build.raises), np.array([[self.gear.mask(build.gear)]], np.uint64))

    def costs(self, chunk: Chunk) -> NDArray[np.int64]:
        """Points of attributes and of gear."""
        return self.gear.cost(chunk.codes[:, 0]) + sum(dict(self.lines.read(chunk.group)).values())

    def table(self, chunk: Chunk) -> Mapping[str, Any]:
        """Name, attributes, weapon, armour, spells and cost."""
        gear, masks = self.gear, chunk.codes[:, 0]
        line = pa.DictionaryArray.from_arrays(np.zeros(len(chunk), np.int32), [chunk.group]).cast(pa.string())
        return {
            "build": pc.binary_join_element_wise(line, gear.texts(masks), BETWEEN),
            "attributes": line,
            "weapon": gear.texts(masks, gear.is_weapon),
            "armour": gear.texts(masks, ~(gear.is_weapon | gear.is_spell)),
            "spells": gear.texts(masks, gear.is_spell),
            "cost": pa.array(self.costs(chunk)),
        }

    def sample(self, wanted: Wanted, size: int, rng: np.random.Generator) -> list[Build]:
        """All pairs of a line and gear that it can use equally likely."""
        lines = self.lines.wanted(wanted, self.feature_names)
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
            found.append(Build(lines[line], self.gear.named(mask)))
        return found

    def drop(self, build: Build, feature: str) -> Build | None:
        """Without a piece of gear; a weapon must be there, and points are all spent."""
        if feature not in build.gear or feature in self.rules.weapons:
            return None
        return Build(build.raises, tuple(name for name in build.gear if name != feature))

    def neighbours(self, build: Build) -> Iterator[Build]:
        """A point moved between two attributes, or a piece of gear dropped, added or swapped."""
        traded = (Build(line, build.gear) for line in self.lines.trades(build.raises))
        swapped = (Build(build.raises, gear) for gear in self.gear.neighbours(build.gear))
        for each in (*traded, *swapped):
            if self.gear.needed_power(self.encode(each).codes[:, 0])[0] <= self._power(each.raises):
                yield each

    def most_parts(self, wanted: Wanted) -> int:
        """A weapon, a piece for each place, and spells."""
        slots = {piece.slot for piece in self.rules.armour.values()}
        return 1 + len(slots) + self.settings.max_spells

    def assembled(self, wanted: Wanted, group: str, parts: Sequence[str]) -> Build | None:
        """What must be there, then parts as long as they fit; a weapon of the list if none was among them."""
        masks, need = self._wanted_gear(wanted)
        raises = self.lines.read(group)
        masks = masks[need <= self._power(raises)]
        # Sets that have everything taken so far; one of them is taken in the end, the smallest first.
        for name in parts:
            bit = np.uint64(1) << np.uint64(self.gear.place[name])
            with_it = masks[masks & bit != 0]
            masks = with_it if len(with_it) else masks
        if not len(masks):
            return None
        pieces = self.gear.bits(masks).sum(axis=1)
        return Build(raises, self.gear.named(masks[int(pieces.argmin())]))

    def _power(self, line: Raises) -> int:
        return self.rules.hero.base + dict(line).get("power", 0)

    def _wanted_gear(self, wanted: Wanted) -> _Gear:
        required = tuple(name for name in wanted.with_features if name in self.gear.place)
        refused = tuple(name for name in wanted.without_features if name in self.gear.place)
        if (required, refused) not in self._listed:
            masks = self.gear.listed(required, refused)
            self._listed[required, refused] = masks, self.gear.needed_power(masks)
        return self._listed[required, refused]
