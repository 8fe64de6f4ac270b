"""Pairs of gating and profile, gathered into families that share a map and what leads to what."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import distinct_rows
from buildsearch.evaluate.threads import tell
from buildsearch.systems.vitality.exact.batch.case import BY_VALUE, BY_WALK, LEFT
from buildsearch.systems.vitality.exact.batch.crossing import TOLERANCE
from buildsearch.systems.vitality.exact.batch.gatings import Gating
from buildsearch.systems.vitality.exact.batch.processes import Processes
from buildsearch.systems.vitality.exact.batch.tables import Profiles
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.families import Family, rolls_for, solve_family
from buildsearch.systems.vitality.exact.nodes.fields import Fields, Kinds
from buildsearch.systems.vitality.exact.nodes.limited import limited_family
from buildsearch.systems.vitality.exact.nodes.maps import Map
from buildsearch.systems.vitality.exact.nodes.sites import Entry, Site, program_of, readings_of
from buildsearch.systems.vitality.exact.nodes.turns import Swing, Turns, turns_of
from buildsearch.systems.vitality.exact.nodes.values import Ground, Memory, Program, memory_for, room_for

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class PairSolver(ABC):
    """Means of pairs in one encounter; how a profile strikes is for those below to say."""

    # Nodes times fields times turns up to which those are followed turn by turn that the limit is near to.
    most_steps: float = np.inf

    def __init__(
        self, ground: ExactGround, profiles: Profiles, gatings: list[Gating], fields: Fields, *, hits_on: bool
    ) -> None:
        """`hits_on`: a defeat may come with a hit on the next target."""
        self.ground, self.profiles, self.fields = ground, profiles, fields
        self._gatings = gatings
        self._processes = Processes(ground, profiles, hits_on=hits_on)
        self._shapes: dict[Hashable, int] = {}
        self._known_turns: dict[tuple[int, int], Turns] = {}
        self._entries: dict[int, Entry] = {}
        self._site: tuple[tuple[int, Kinds], Site] | None = None
        self._room = np.zeros(0)

    @abstractmethod
    def kinds(self, *, asks_hits: bool) -> Kinds:
        """What is told apart about a roll; `asks_hits`: limits ask who was hit."""

    @abstractmethod
    def strike(self, profile_of: Ints, levels: Ints) -> tuple[Ints, Ints]:
        """By profile and number of levels the number of its tables and of its swing."""

    @abstractmethod
    def swing(self, number: int) -> Swing:
        """The swing of a number."""

    @abstractmethod
    def tables(self, number: int) -> list[list[Any]]:
        """By roll and class the tables of a number."""

    @abstractmethod
    def map_of(self, tables: list[Any], kinds: Kinds) -> Map:
        """The map of these tables."""

    @abstractmethod
    def chances(self) -> Floats:
        """Of all rolls that were asked for."""

    @abstractmethod
    def starts(self, profile_of: Ints, levels: int) -> Ints:
        """By profile, roll and class where its chances start."""

    def means(self, gating_of: Ints, profile_of: Ints, builds: int = 0) -> tuple[Floats, Ints]:
        """Mean turns and ways of pairs; NaN and LEFT where there is none. `builds` have these pairs."""
        means, ways = np.full(len(gating_of), np.nan), np.full(len(gating_of), LEFT, np.int64)
        process_of = self._process_of(gating_of, profile_of)
        numbers, which = np.unique(process_of, return_inverse=True)
        levels, before = np.zeros(len(numbers), np.int64), np.full(len(numbers), np.nan)
        for i, process in enumerate(numbers.tolist()):
            if process < 0:
                continue
            arrivals, steps = self._processes.arrivals(process // 2), self._chain(process).steps
            levels[i] = max(int(steps["action"].max()) - 1, 1)
            # Where nobody ever comes in there is nothing to solve.
            before[i] = np.nan if len(arrivals.states) else arrivals.before
        over = ~np.isnan(before[which])
        means[over], ways[over] = before[which[over]], BY_VALUE
        pairs = np.flatnonzero((process_of >= 0) & ~over)
        if len(pairs) == 0:
            return means, ways
        process_of, profile_of, levels = process_of[pairs], profile_of[pairs], levels[which[pairs]]
        tables, swings = self.strike(profile_of, levels)
        shapes = self._shapes_of(process_of, swings)
        # Map after map, as each is large and most are asked for by few families.
        keys = np.stack([process_of % 2, tables, shapes], axis=1)
        order = np.lexsort(keys.T[::-1])
        begins = np.flatnonzero((np.diff(keys[order], axis=0, prepend=-1) != 0).any(axis=1))
        for own in np.split(order, begins[1:]):
            one = own[0]
            starts = self.starts(profile_of[own], int(levels[one]))
            found = self._solve(int(tables[one]), int(swings[one]), process_of[own], starts)
            means[pairs[own]], ways[pairs[own]] = found
            tell(builds * len(own) / len(pairs))
        return means, ways

    def _process_of(self, gating_of: Ints, profile_of: Ints) -> Ints:
        """By pair its process, twice, and 1 more where limits ask who was hit; negative: there is none."""
        levels = self.profiles.levels[profile_of]
        kinds, kind_of = distinct_rows((gating_of * (int(levels.max()) + 1) + levels)[:, None])
        numbers = []
        for gating, level in zip(gating_of[kinds].tolist(), levels[kinds].tolist(), strict=True):
            its = self._gatings[gating]
            number = self._processes.number_of(its, its.levels(level))
            numbers.append(2 * number + int(bool(its.setup["last_hit"])) if number >= 0 else -1)
        return np.array(numbers, np.int64)[kind_of]

    def _chain(self, process: int) -> Any:
        return self._processes.chain(process // 2)

    def _turns(self, process: int, swing: int) -> Turns:
        key = (process, swing)
        if key not in self._known_turns:
            kinds = self.kinds(asks_hits=process % 2 == 1)
            self._known_turns[key] = turns_of(self._chain(process), self.swing(swing), kinds)
        return self._known_turns[key]

    def _shapes_of(self, process_of: Ints, swings: Ints) -> Ints:
        """By pair a number that is the same where turns differ in chances at most."""
        kinds, kind_of = distinct_rows(np.stack([process_of, swings], axis=1))
        numbers = []
        for process, swing in zip(process_of[kinds].tolist(), swings[kinds].tolist(), strict=True):
            shape = self._turns(process, swing).shape
            numbers.append(self._shapes.setdefault(shape, len(self._shapes)))
        return np.array(numbers, np.int64)[kind_of]

    def _site_of(self, tables: int, kinds: Kinds) -> Site:
        """The map of the family at hand; the last one is kept, as the next family may ask for it."""
        key = (tables, kinds)
        if self._site is None or self._site[0] != key:
            site = Site(
                self.ground, self.fields, self.tables(tables), lambda found: self.map_of(found, kinds)
            )
            self._site = (key, site)
        return self._site[1]

    def _entry(self, process: int) -> Entry:
        number = self._processes.arrivals_number(process // 2)
        if number not in self._entries:
            self._entries[number] = Entry(self._processes.arrivals(process // 2), self.ground, self.fields)
        return self._entries[number]

    def _memory(self, ground: Ground, program: Program) -> Memory:
        size = room_for(ground, program)
        if len(self._room) < size:
            self._room = np.zeros(size)
        return memory_for(ground, program, self._room)

    def _solve(self, tables: int, swing: int, process_of: Ints, starts: Ints) -> tuple[Floats, Ints]:
        kinds = self.kinds(asks_hits=bool(process_of[0] % 2))
        site = self._site_of(tables, kinds)
        numbers, processes = np.unique(process_of, return_inverse=True)
        turns = [self._turns(number, swing) for number in numbers.tolist()]
        masks = [self._processes.mask(number // 2) for number in numbers.tolist()]
        weights = np.stack([site.weights(each, mask) for each, mask in zip(turns, masks, strict=True)])
        entries = [self._entry(number) for number in numbers.tolist()]
        family = Family(
            starts, site.sizes, site.breaks, site.which, self.chances(),
            processes.ravel().astype(np.int64), weights,
        )  # fmt: skip
        program = program_of(turns[0], len(site.map), kinds)
        memory = self._memory(site.ground, program)
        values, bounds = np.zeros(len(starts)), np.zeros(len(starts))
        ways = np.full(len(starts), BY_VALUE)
        limit = int(self.ground.setup["max_turns"])
        readings = readings_of(entries, site.map)
        room = rolls_for(family)
        solve_family(site.ground, program, family, room, memory, readings, limit, values, bounds)
        without_limit = values.copy()
        near = np.flatnonzero(~(bounds < TOLERANCE))
        if len(near) > 0:
            values[near], ways[near] = np.nan, LEFT
            if len(program.rolls) * len(site.map) * limit <= self.most_steps:
                # Those of about the same value settle together.
                near = near[np.argsort(without_limit[near], kind="stable")]
                for own in _by_course(near, family.processes, entries):
                    some = family._replace(starts=starts[own], processes=family.processes[own])
                    found, arrived = np.zeros(len(own)), readings_of(entries, site.map, by_turn=True)
                    limited_family(site.ground, program, some, room, memory, arrived, limit, found)
                    values[own], ways[own] = found, BY_WALK
        return values + np.array([entry.before for entry in entries])[family.processes], ways


def _by_course(builds: Ints, processes: Ints, entries: list[Entry]) -> list[Ints]:
    """Builds whose fights arrive in the same gates before the same turns."""
    numbers: dict[bytes, int] = {}
    courses = np.array([numbers.setdefault(entry.course, len(numbers)) for entry in entries])
    return [builds[courses[processes[builds]] == course] for course in np.unique(courses[processes[builds]])]
