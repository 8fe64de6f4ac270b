"""Arrays of builds whose criticals explode: distinct pairs of gating and profile, gathered into families."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct import distinct_rows
from buildsearch.systems.vitality.exact.batch.damage_rows import dice_tables
from buildsearch.systems.vitality.exact.batch.gatings import Gating
from buildsearch.systems.vitality.exact.batch.processes import Processes
from buildsearch.systems.vitality.exact.batch.splinter import no_splinter
from buildsearch.systems.vitality.exact.batch.tables import Profiles
from buildsearch.systems.vitality.exact.batch.ways import BY_VALUE, BY_WALK, LEFT
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.several.attacks import caps_of, exploding_roll, single_roll
from buildsearch.systems.vitality.exact.several.entries import Entry, readings_of
from buildsearch.systems.vitality.exact.several.families import Family, rolls_for, solve_family
from buildsearch.systems.vitality.exact.several.fields import Fields, fields_of
from buildsearch.systems.vitality.exact.several.ground import program_of
from buildsearch.systems.vitality.exact.several.kinds import Kinds
from buildsearch.systems.vitality.exact.several.limited import counted_family, limited_family
from buildsearch.systems.vitality.exact.several.rhythms import attempts_of
from buildsearch.systems.vitality.exact.several.sites import RollBook, Site
from buildsearch.systems.vitality.exact.several.turns import Swing, Turns, attack_alone, turns_of
from buildsearch.systems.vitality.exact.several.values import Ground, Memory, Program, memory_for, room_for
from buildsearch.systems.vitality.rules.model import VitalityRules

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Nodes times fields times turns of those that are followed turn by turn: some hundredths of a second for
# eight builds. What is larger and near the limit is left to who asks for one build (there it takes half a
# second).
MOST_STEPS = 700_000


@dataclass(frozen=True)
class _Strike:
    """How a profile strikes: the numbers of its rolls, what their tables are, so many strikes a turn."""

    rolls: tuple[int, ...]
    tables: bytes
    swing: Swing


@dataclass(frozen=True, eq=False)
class _Alike:
    """Pairs whose strikes and turns are alike but for chances: by pair its strike and its process."""

    kinds: Kinds
    strikes: list[_Strike] = field(default_factory=list)
    processes: list[tuple[int, int]] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)


@dataclass(eq=False)
class Explosions:
    """Profiles and gatings in one encounter; what pairs share is worked out once."""

    rules: VitalityRules
    ground: ExactGround
    profiles: Profiles
    gatings: list[Gating]
    fields: Fields = field(init=False)
    processes: Processes = field(init=False)

    def __post_init__(self) -> None:
        self.fields, self.caps = fields_of(self.ground), caps_of(self.ground)
        self.processes = Processes(self.ground, self.profiles, no_splinter(), hits_on=True)
        natural_of, dice_of, naturals, dice = dice_tables(self.rules, self.profiles.attacks)
        self._dice = [(naturals[i], dice[k]) for i, k in zip(natural_of, dice_of, strict=True)]
        self._rolls = RollBook()
        self._numbers: dict[tuple[object, ...], int] = {}
        self._strikes: dict[tuple[int, int], _Strike] = {}
        self._shapes: dict[tuple[object, ...], int] = {}
        self._entries: dict[int, Entry] = {}
        self._attempts: dict[int, tuple[float, Ints] | None] = {}
        self._site: tuple[tuple[object, ...], Site] | None = None
        self._room = np.zeros(0)

    def means(self, gating_of: Ints, profile_of: Ints) -> tuple[Floats, Ints]:
        """Mean turns and ways of pairs; NaN and LEFT where there is none."""
        means, ways = np.full(len(gating_of), np.nan), np.full(len(gating_of), LEFT, np.int64)
        families: dict[tuple[object, ...], _Alike] = {}
        for number, kinds, pairs in self._by_process(gating_of, profile_of):
            chain, arrivals = self.processes.chain(number), self.processes.arrivals(number)
            if len(arrivals.states) == 0:
                means[pairs], ways[pairs] = arrivals.before, BY_VALUE
                continue
            mask = int(self.gatings[gating_of[pairs[0]]].setup["since_mask"]) if chain.reads_events else 0
            levels = max(int(chain.steps["action"].max()) - 1, 1)
            for pair, profile in zip(pairs.tolist(), profile_of[pairs].tolist(), strict=True):
                strike = self._strike(profile, levels)
                # Map after map, as each is large and most are asked for by few families.
                key = (
                    kinds.classes,
                    strike.tables,
                    str(strike.swing),
                    self._shape(number, strike.swing, kinds),
                )
                family = families.setdefault(key, _Alike(kinds))
                family.strikes.append(strike)
                family.processes.append((number, mask))
                family.pairs.append(pair)
        self._rolls.flatten()
        for _, family in sorted(families.items(), key=lambda each: each[0]):
            means[family.pairs], ways[family.pairs] = self._solve(family)
        return means, ways

    def _by_process(self, gating_of: Ints, profile_of: Ints) -> list[tuple[int, Kinds, Ints]]:
        levels = self.profiles.levels[profile_of]
        kinds, kind_of = distinct_rows((gating_of * (int(levels.max()) + 1) + levels)[:, None])
        numbers = []
        for gating, level in zip(gating_of[kinds].tolist(), levels[kinds].tolist(), strict=True):
            its = self.gatings[gating]
            number = self.processes.number_of(its, its.levels(level))
            numbers.append(2 * number + int(bool(its.setup["last_hit"])) if number >= 0 else -1)
        process_of = np.array(numbers, np.int64)[kind_of]
        classes = int(self.ground.setup["classes"])
        return [
            (int(number) // 2, Kinds(classes if number % 2 else 0), np.flatnonzero(process_of == number))
            for number in np.unique(process_of)
            if number >= 0
        ]

    def _strike(self, profile: int, levels: int) -> _Strike:
        key = (profile, levels)
        if key not in self._strikes:
            profiles = self.profiles
            attack = profiles.attacks[int(profiles.damages.rungs[profiles.starts[profile, 0]])]
            swing = Swing(int(attack["strikes"]), int(attack["extra_limit"]))
            kill_at = profiles.kill_at[profile]
            basic = self._roll(tuple(profiles.damages.basic.tolist()), np.zeros_like(kill_at), explodes=False)
            rolls = [basic, basic]
            for level in range(levels):
                rows = tuple(profiles.damages.rungs[profiles.starts[profile] + level].tolist())
                rolls.append(self._roll(rows, kill_at, explodes=True))
                rolls.append(self._roll(rows, kill_at, explodes=False) if swing.extras else basic)
            tables = b"".join(table.key for number in rolls for table in self._rolls[number].tables)
            self._strikes[key] = _Strike(tuple(rolls), tables, swing)
        return self._strikes[key]

    def _roll(self, rows: tuple[int, ...], kill_at: Ints, *, explodes: bool) -> int:
        key = (rows, kill_at.tobytes(), explodes)
        if key not in self._numbers:
            strikes, dice = self.profiles.strikes[list(rows)], self._dice[rows[0]]
            make = exploding_roll if explodes else single_roll
            self._numbers[key] = self._rolls.add(make(strikes, dice, kill_at, self.caps))
        return self._numbers[key]

    def _turns(self, number: int, swing: Swing, kinds: Kinds) -> Turns:
        return turns_of(self.processes.chain(number), swing, kinds)

    def _shape(self, number: int, swing: Swing, kinds: Kinds) -> int:
        """The same number where the turns of processes differ in chances at most."""
        shape = self._turns(number, swing, kinds).shape
        return self._shapes.setdefault(shape, len(self._shapes))

    def _site_of(self, strike: _Strike, kinds: Kinds) -> Site:
        """The map of the family at hand; the last one is kept, as the next family may ask for it."""
        key = (kinds.classes, strike.tables)
        if self._site is None or self._site[0] != key:
            rolls = [self._rolls[number] for number in strike.rolls]
            self._site = (key, Site(self.ground, self.fields, rolls, kinds))
        return self._site[1]

    def _entry(self, number: int) -> Entry:
        if number not in self._entries:
            self._entries[number] = Entry(self.processes.arrivals(number), self.ground, self.fields)
        return self._entries[number]

    def _memory(self, ground: Ground, program: Program) -> Memory:
        size = room_for(ground, program)
        if len(self._room) < size:
            self._room = np.zeros(size)
        return memory_for(ground, program, self._room)

    def _solve(self, alike: _Alike) -> tuple[Floats, Ints]:
        kinds, swing = alike.kinds, alike.strikes[0].swing
        site = self._site_of(alike.strikes[0], kinds)
        rows: dict[tuple[int, int], int] = {}
        processes = np.array([rows.setdefault(each, len(rows)) for each in alike.processes], np.int64)
        turns = [self._turns(number, swing, kinds) for number, _ in rows]
        weights = np.stack([site.weights(each, mask) for each, (_, mask) in zip(turns, rows, strict=True)])
        entries = [self._entry(number) for number, _ in rows]
        family = Family(
            self._rolls.starts[np.array([strike.rolls for strike in alike.strikes])],
            site.sizes, site.middles, site.which, self._rolls.chances, processes, weights,
        )  # fmt: skip
        program = program_of(turns[0], len(site.map), kinds)
        memory = self._memory(site.ground, program)
        values, growths = np.zeros(len(processes)), np.zeros(len(processes))
        ways = np.full(len(processes), BY_VALUE)
        limit = int(self.ground.setup["max_turns"])
        readings = readings_of(entries, site.map)
        solve_family(
            site.ground, program, family, rolls_for(family), memory, readings, limit, values, growths
        )
        before = np.array([entry.before for entry in entries])
        near = np.flatnonzero(growths >= 0.0)
        if len(near) > 0:
            values[near] = self._near(alike, site, program, family, memory, near)
            ways[near] = np.where(np.isnan(values[near]), LEFT, BY_WALK)
        return values + before[processes], ways

    def _near(
        self, alike: _Alike, site: Site, program: Program, family: Family, memory: Memory, near: Ints
    ) -> Floats:
        """Those that the turn limit is near to; NaN: they would take too long."""
        limit = int(self.ground.setup["max_turns"])
        means = np.full(len(near), np.nan)
        by_rhythm: dict[tuple[float, bytes], tuple[Ints, list[int]]] = {}
        by_turn = []
        for i, build in enumerate(near.tolist()):
            counts = self._attempts_of(alike.processes[build][0])
            if counts is None:
                by_turn.append(i)
            else:
                by_rhythm.setdefault((counts[0], counts[1].tobytes()), (counts[1], []))[1].append(i)
        if by_turn and len(program.rolls) * len(site.map) * limit <= MOST_STEPS:
            part = _part(family, near[by_turn])
            found = np.zeros(len(by_turn))
            numbers = list(dict.fromkeys(number for number in alike.processes))
            arrived = readings_of([self._entry(number) for number, _ in numbers], site.map, by_turn=True)
            limited_family(site.ground, program, part, rolls_for(part), memory, arrived, limit, found)
            means[by_turn] = found
        swing = alike.strikes[0].swing
        for (activation, _), (behind, some) in by_rhythm.items():
            alone = program_of(attack_alone(swing), len(site.map), alike.kinds)
            part = _part(family, near[some])._replace(weights=np.zeros((len(family.weights), site.size)))
            harmless = np.array(
                [self._rolls.harmless(alike.strikes[build].rolls[2]) ** swing.strikes for build in near[some]]
            )
            found = np.zeros(len(some))
            counted_family(
                site.ground, alone, part, rolls_for(part), self._memory(site.ground, alone), harmless,
                activation, behind, found,
            )  # fmt: skip
            means[some] = found
        return means

    def _attempts_of(self, number: int) -> tuple[float, Ints] | None:
        """Attempts in a rhythm that begins with the fight; None: there is none."""
        if number not in self._attempts:
            late = self.processes.arrivals(number).before > 0.0
            limit = int(self.ground.setup["max_turns"])
            self._attempts[number] = None if late else attempts_of(self.processes.chain(number), limit)
        return self._attempts[number]


def _part(family: Family, builds: Ints) -> Family:
    """Some builds of a family."""
    return family._replace(starts=family.starts[builds], processes=family.processes[builds])
