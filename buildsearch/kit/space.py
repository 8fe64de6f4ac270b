"""Every legal build of declared choices: listed and counted in bulk, group by group.

A build is its levels as bytes, part by part in the order of the rules file. Codes are the same bytes, so
they stay what they are under other costs, limits and bans.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from buildsearch.builds.notation import BETWEEN, BuildReader, check_filters
from buildsearch.engines.memo import LruCache
from buildsearch.kit.choices import ONE, Choice, Shelf
from buildsearch.kit.trouble import authored
from buildsearch.model.errors import Problem, UsageError
from buildsearch.model.space import Chunk, Feature, Wanted

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Build = bytes
# A function of the game that says why a build is illegal; its arguments are called like choices.
Requirement = Callable[..., str | None]
_RULES = "rules"


@dataclass(frozen=True)
class _Test:
    """Which ways to choose go together: `holds` is asked about rows of the choices in `reads`."""

    reads: tuple[int, ...]
    holds: Callable[[Ints], Bools]


class KitSpace:
    """Builds grouped by one of the choices."""

    groups_have_parts = True
    most_to_rank: int | None = None

    def __init__(
        self,
        choices: Sequence[Choice],
        requirements: Sequence[Requirement],
        rules: Any,
        limits: Mapping[str, int],
    ) -> None:
        self.rules, self.parameters = rules, dict(limits)
        self.requirements = tuple(requirements)
        self.shelves = tuple(choice.of(rules, limits) for choice in choices)
        self.grouped_by = self.shelves[0].name
        self.feature_names = tuple(name for shelf in self.shelves for name in shelf.names)
        ends = np.cumsum([0, *(len(shelf.names) for shelf in self.shelves)]).tolist()
        self._slices = [slice(*pair) for pair in pairwise(ends)]
        self._place = {name: i for i, name in enumerate(self.feature_names)}
        self._seen = LruCache[tuple[str, bytes], Any](1 << 12)
        self._listed = LruCache[tuple[str, Wanted], NDArray[np.uint8]](8)

    # What is legal ------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> list[Ints]:
        """Every way of each choice."""
        return [shelf.rows() for shelf in self.shelves]

    @cached_property
    def _groups(self) -> dict[str, int]:
        """The ways of the first choice by name."""
        return {self.shelves[0].text(row): i for i, row in enumerate(self._rows[0])}

    def _views(self, build: Build) -> dict[str, Any]:
        found = {shelf.name: self._view(shelf, build[at]) for shelf, at in self._parts()}
        return {**found, _RULES: self.rules}

    def _view(self, shelf: Shelf, levels: bytes) -> Any:
        return self._seen.get((shelf.name, levels), lambda: shelf.view(levels))

    def _parts(self) -> Iterator[tuple[Shelf, slice]]:
        return zip(self.shelves, self._slices, strict=True)

    def view(self, build: Build) -> SimpleNamespace:
        """A build as functions of the game see it: its choices by name."""
        return SimpleNamespace(**self._views(build))

    @cached_property
    def _tests(self) -> list[_Test]:
        order = {shelf.name: i for i, shelf in enumerate(self.shelves)}
        tests = [self._required(each, order) for each in self.requirements]
        for ban in self.rules.bans:
            sides = [self._having(name) for name in ban.options]
            reads = tuple(place for place, _ in sides)
            tests.append(_Test(reads, lambda rows, sides=sides: ~_both(rows, sides)))  # type: ignore[misc]
        return tests

    def _having(self, name: str) -> tuple[int, Bools]:
        place = next(i for i, shelf in enumerate(self.shelves) if name in shelf.names)
        return place, self._rows[place][:, self.shelves[place].names.index(name)] > 0

    def _required(self, requirement: Requirement, order: Mapping[str, int]) -> _Test:
        names = requirement_reads(requirement, order)
        reads = tuple(order[name] for name in names if name in order)

        def holds(rows: Ints) -> Bools:
            different, which = np.unique(rows, axis=0, return_inverse=True)
            views = [
                {row: self.shelves[place].view(self._rows[place][row]) for row in set(column.tolist())}
                for place, column in zip(reads, different.T, strict=True)
            ]
            found = []
            for row in different.tolist():
                given = {
                    self.shelves[place].name: view[i]
                    for place, view, i in zip(reads, views, row, strict=True)
                }
                found.append(not self._refusal(requirement, given))
            return np.array(found, np.bool_)[which.reshape(-1)]

        return _Test(reads, holds)

    def _refusal(self, requirement: Requirement, views: Mapping[str, Any]) -> str | None:
        known = {**views, _RULES: self.rules}
        given = {name: known[name] for name in inspect.signature(requirement).parameters}
        with authored(requirement):
            return requirement(**given)

    def _join(self, ways: Sequence[Ints], *, counting: bool = False) -> tuple[Ints, Ints]:
        """Ways of each choice that go together, a row each, and how many builds each row stands for.

        When counting, choices that nothing further asks about are dropped as the join goes on.
        """
        found, number = np.zeros((1, 0), np.int64), np.ones(1, np.int64)
        pools = {shelf.choice.pool for shelf in self.shelves if shelf.choice.pool}
        spent = {name: np.zeros(1, np.int64) for name in pools}
        known: list[int] = []  # the choice of each column
        for place, (shelf, some) in enumerate(zip(self.shelves, ways, strict=True)):
            size = len(number)
            found = np.column_stack([np.repeat(found, len(some), axis=0), np.tile(some, size)])
            number = np.repeat(number, len(some))
            known.append(place)
            spent = {name: np.repeat(points, len(some)) for name, points in spent.items()}
            keep = np.ones(len(number), np.bool_)
            if shelf.choice.pool:
                spent[shelf.choice.pool] += np.tile(self._costs[place][some], size)
                keep &= spent[shelf.choice.pool] <= self.parameters[shelf.choice.pool]
            for test in self._tests:
                if max(test.reads, default=-1) == place and keep.any():
                    columns = [known.index(each) for each in test.reads]
                    keep[keep] = test.holds(found[keep][:, columns])
            found, number = found[keep], number[keep]
            spent = {name: points[keep] for name, points in spent.items()}
            if counting:
                later = {
                    each for test in self._tests if max(test.reads, default=-1) > place for each in test.reads
                }
                kept = [i for i, each in enumerate(known) if each in later or each == 0]
                known = [known[i] for i in kept]
                merged = np.column_stack([found[:, kept], *spent.values()])
                merged, which = np.unique(merged, axis=0, return_inverse=True)
                number = np.bincount(which.reshape(-1), number, len(merged)).astype(np.int64)
                found = merged[:, : len(kept)]
                spent = {name: merged[:, len(kept) + i] for i, name in enumerate(spent)}
        return found, number

    @cached_property
    def _costs(self) -> list[Ints]:
        return [shelf.cost(rows) for shelf, rows in zip(self.shelves, self._rows, strict=True)]

    def _ways(self, wanted: Wanted, group: str | None = None) -> list[Ints]:
        """Of each choice the rows that have and lack what is asked for."""
        words = (self.grouped_by, "option")
        check_filters(wanted, tuple(self._groups), self.feature_names, words)
        groups = wanted.groups or tuple(self._groups)
        firsts = [
            self._groups[each] for each in self._groups if each in (groups if group is None else (group,))
        ]
        found = [np.array(firsts, np.int64), *(np.arange(len(rows)) for rows in self._rows[1:])]
        for names, is_there in ((wanted.with_features, True), (wanted.without_features, False)):
            for name in names:
                place, having = self._having(name)
                found[place] = found[place][having[found[place]] == is_there]
        return found

    def _levels_of(self, wanted: Wanted, group: str) -> NDArray[np.uint8]:
        """The builds of a group, a row each; the last groups are kept."""

        def listed() -> NDArray[np.uint8]:
            found = self._join(self._ways(wanted, group))[0]
            rows = [rows[column] for rows, column in zip(self._rows, found.T, strict=True)]
            return np.concatenate(rows, axis=1).astype(np.uint8)

        return self._listed.get((group, wanted), listed)

    # What the core asks ---------------------------------------------------------------------------

    def parse(self, text: str) -> Build:
        """Read a build; raises InputError with everything that is wrong about the text."""
        reader = BuildReader(text)
        parts = text.split("/")
        if len(parts) != len(self.shelves):
            names = BETWEEN.join(shelf.name for shelf in self.shelves)
            reader.complain(
                f"a build has {len(self.shelves)} parts with slashes between them", f"Write {names}."
            )
            reader.finish()
        row = [
            level
            for shelf, part in zip(self.shelves, parts, strict=True)
            for level in shelf.read(part, reader)
        ]
        reader.finish()
        return bytes(row)

    def name(self, build: Build) -> str:
        """`greatsword / defence / str+7,con+2 / tough / plate`."""
        return BETWEEN.join(shelf.text(build[at]) for shelf, at in self._parts())

    def features(self, build: Build) -> tuple[Feature, ...]:
        """The parts that it has."""
        return tuple(
            Feature(name, level) for name, level in zip(self.feature_names, build, strict=True) if level
        )

    def cost(self, build: Build) -> int:
        """Points of all kinds."""
        return int(self.costs(self.encode(build))[0])

    def costs(self, chunk: Chunk) -> Ints:
        """Points of all kinds."""
        levels = self.levels(chunk)
        found = np.zeros(len(levels), np.int64)
        for shelf, at in self._parts():
            found += shelf.cost(levels[:, at])
        return found

    def reasons_against(self, build: Build, *, at_any_cost: bool = False) -> list[Problem]:
        """What its choices cannot be, what they cost too much, bans and requirements."""
        found = [problem for shelf, at in self._parts() for problem in shelf.reasons(build[at])]
        if not found:
            views = self._views(build)
            refusals = [self._refusal(each, views) for each in self.requirements]
            found += [Problem(sentence) for sentence in refusals if sentence]
        spent: dict[str, int] = {}
        for shelf, at in self._parts():
            if shelf.choice.pool:
                paid = int(shelf.cost(np.array([list(build[at])]))[0])
                spent[shelf.choice.pool] = spent.get(shelf.choice.pool, 0) + paid
        whole = {shelf.choice.pool for shelf in self.shelves if shelf.choice.spend_all}
        for pool, points in spent.items():
            budget = self.parameters[pool]
            if not at_any_cost and points > budget:
                found.append(
                    Problem(f"{points} points of {pool}, and {budget} is the most", value=str(points))
                )
            elif not at_any_cost and pool in whole and points < budget:
                found.append(Problem(f"{budget - points} points of {pool} are left", hint="All are spent."))
        has = {feature.name for feature in self.features(build)}
        for ban in self.rules.bans:
            if has.issuperset(ban.options):
                found.append(Problem(f"`{ban.options[0]}` is banned with `{ban.options[1]}`"))
        return found

    def count(self, wanted: Wanted) -> dict[str, int]:
        """By the first choice, without listing."""
        ways = self._ways(wanted)
        found, number = self._join(ways, counting=True)
        totals = np.bincount(found[:, 0], number, len(self._groups)).astype(np.int64)
        return {name: int(totals[place]) for name, place in self._groups.items() if place in ways[0]}

    def chunks(self, wanted: Wanted, size: int) -> Iterator[Chunk]:
        """In the order of the rules file."""
        for group in self.count(wanted):
            levels = self._levels_of(wanted, group)
            for first in range(0, len(levels), size):
                yield Chunk(group, _coded(levels[first : first + size]))

    def levels(self, chunk: Chunk) -> NDArray[np.uint8]:
        """Codes are levels."""
        codes = np.ascontiguousarray(chunk.codes, "<u8")
        return codes.view(np.uint8).reshape(len(codes), -1)[:, : len(self.feature_names)]

    def builds(self, chunk: Chunk) -> Iterator[Build]:
        """The rows of `levels`."""
        return (row.tobytes() for row in self.levels(chunk))

    def encode(self, build: Build) -> Chunk:
        """A chunk of one."""
        levels = np.frombuffer(build, np.uint8)[None]
        return Chunk(self.shelves[0].text(build[self._slices[0]]), _coded(levels))

    def table(self, chunk: Chunk) -> Mapping[str, Any]:
        """The name, each choice in words, and the cost."""
        levels = self.levels(chunk)
        columns = {}
        for shelf, at in self._parts():
            different, which = np.unique(levels[:, at], axis=0, return_inverse=True)
            texts = pa.array([shelf.text(row) for row in different.tolist()], pa.string())
            columns[shelf.name] = texts.take(pa.array(which.reshape(-1)))
        names = pc.binary_join_element_wise(*columns.values(), BETWEEN)
        return {"build": names, **columns, "cost": pa.array(self.costs(chunk))}

    def sample(self, wanted: Wanted, size: int, rng: np.random.Generator) -> list[Build]:
        """All equally likely."""
        counts = self.count(wanted)
        ends = np.cumsum(list(counts.values()))
        if size and not (len(ends) and ends[-1]):
            raise UsageError("there is no build to draw. Loosen the filters.")
        drawn = rng.integers(int(ends[-1]), size=size) if size else np.zeros(0, np.int64)
        groups, found = list(counts), []
        for place in drawn.tolist():
            group = int(np.searchsorted(ends, place, side="right"))
            within = place - int(ends[group]) + counts[groups[group]]
            found.append(self._levels_of(wanted, groups[group])[within].tobytes())
        return found

    def drop(self, build: Build, feature: str) -> Build | None:
        """At level 0, if that is legal."""
        without = bytearray(build)
        without[self._place[feature]] = 0
        found = bytes(without)
        return None if found == build or self.reasons_against(found) else found

    def neighbours(self, build: Build) -> Iterator[Build]:
        """One small change of a choice, or another option of two choices of which each has one."""
        near = []
        for shelf, at in self._parts():
            ways = dict.fromkeys(shelf.near(build[at]))
            near.append([row for row in ways if self._may_be(row, shelf)])
        singles = [i for i, shelf in enumerate(self.shelves) if shelf.kind == ONE]
        changes = [{i: row} for i, rows in enumerate(near) for row in rows]
        changes += [
            {i: first, j: second} for i in singles for j in singles if i < j
            for first in near[i] for second in near[j]
        ]  # fmt: skip
        for change in changes:
            row = bytearray(build)
            for i, levels in change.items():
                row[self._slices[i]] = bytes(levels)
            if not self.reasons_against(bytes(row)):
                yield bytes(row)

    def _may_be(self, row: Sequence[int], shelf: Any) -> bool:
        return all(0 <= level < len(costs) for level, costs in zip(row, shelf.costs, strict=True))

    def parts(self, wanted: Wanted) -> tuple[str, ...]:
        """All but those of the first choice."""
        own = self.feature_names[self._slices[0].stop :]
        return tuple(name for name in own if name not in wanted.without_features)

    def most_parts(self, wanted: Wanted) -> int:
        """The most levels of each choice together."""
        return sum(int(rows.sum(axis=1).max(initial=0)) for rows in self._rows[1:])

    def assembled(self, wanted: Wanted, group: str, parts: Sequence[str]) -> Build | None:
        """Parts as long as some build has them all; of those builds, one with the fewest."""
        levels = self._levels_of(wanted, group)
        taken = dict.fromkeys(parts, 0)
        for name in parts:
            having = levels[levels[:, self._place[name]] > taken[name]]
            if len(having):
                levels, taken[name] = having, taken[name] + 1
        if not len(levels):
            return None
        return bytes(levels[int(levels.sum(axis=1, dtype=np.int64).argmin())])


def requirement_reads(requirement: Requirement, known: Mapping[str, Any]) -> tuple[str, ...]:
    """The choices that a requirement is about; raises UsageError for an argument that is none."""
    names = tuple(inspect.signature(requirement).parameters)
    for name in names:
        if name not in known and name != _RULES:
            raise UsageError(
                f"requirement `{requirement.__name__}` asks for `{name}`. Its arguments are called like "
                f"choices ({', '.join(known)}), or `{_RULES}`."
            )
    return names


def _both(rows: Ints, sides: Sequence[tuple[int, Bools]]) -> Bools:
    found = np.ones(len(rows), np.bool_)
    for column, (_, having) in zip(rows.T, sides, strict=True):
        found &= having[column]
    return found


def _coded(levels: NDArray[np.uint8]) -> NDArray[np.uint64]:
    width = -(-levels.shape[1] // 8) * 8
    padded = np.zeros((len(levels), width), np.uint8)
    padded[:, : levels.shape[1]] = levels
    return padded.view("<u8").astype(np.uint64)
