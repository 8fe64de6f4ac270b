"""Arrays of builds whose criticals explode: distinct pairs of gating and profile, gathered into families."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct import distinct_rows
from buildsearch.systems.vitality.exact.batch.arrivals import Arrivals
from buildsearch.systems.vitality.exact.batch.damages import dice_tables
from buildsearch.systems.vitality.exact.batch.gatings import Gating
from buildsearch.systems.vitality.exact.batch.processes import Processes
from buildsearch.systems.vitality.exact.batch.splinter import no_splinter
from buildsearch.systems.vitality.exact.batch.tables import Profiles
from buildsearch.systems.vitality.exact.batch.ways import BY_VALUE, BY_WALK, LEFT
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.several.attacks import (
    Roll,
    caps_of,
    distinct_tables,
    exploding_roll,
    harmless_chance,
    single_roll,
)
from buildsearch.systems.vitality.exact.several.families import (
    MOMENTS,
    Family,
    Readings,
    family_of,
    rolls_for,
    solve_family,
)
from buildsearch.systems.vitality.exact.several.fields import Fields, fields_of
from buildsearch.systems.vitality.exact.several.ground import ground_of, living_of, program_of
from buildsearch.systems.vitality.exact.several.kinds import Kinds
from buildsearch.systems.vitality.exact.several.limited import counted_family, limited_family
from buildsearch.systems.vitality.exact.several.maps import Map, Table, map_of
from buildsearch.systems.vitality.exact.several.rhythms import attempts_of
from buildsearch.systems.vitality.exact.several.turns import Swing, attack_alone, turns_of
from buildsearch.systems.vitality.exact.several.values import Ground, Program, memory_for
from buildsearch.systems.vitality.rules import VitalityRules

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Nodes times fields times turns of those that are followed turn by turn: some hundredths of a second for
# eight builds. What is larger and near the limit is left to who asks for one build (there it takes half a
# second).
MOST_STEPS = 700_000


@dataclass(frozen=True, eq=False)
class _Alike:
    """Pairs of one process that strike alike but for chances: their rolls, build by build."""

    name: str
    tables: bytes
    swing: Swing
    builds: list[list[Roll]]
    pairs: Ints

    @property
    def key(self) -> tuple[bytes, str]:
        """Those with the same tables stand together."""
        return self.tables, self.name


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
        self._rolls: dict[tuple[object, ...], Roll] = {}
        self._maps: dict[tuple[bytes, ...], Map] = {}
        self._grounds: dict[tuple[int, int], Ground] = {}
        self._living: dict[int, tuple[Ints, list[list[int]]]] = {}

    def means(self, gating_of: Ints, profile_of: Ints) -> tuple[Floats, Ints]:
        """Mean turns and ways of pairs; NaN and LEFT where there is none."""
        means, ways = np.full(len(gating_of), np.nan), np.full(len(gating_of), LEFT, np.int64)
        families = [
            (kinds, number, family)
            for number, kinds, pairs in self._by_process(gating_of, profile_of)
            for family in self._families(number, profile_of, pairs)
        ]
        # Map after map, as each is large and most are asked for by few families.
        families.sort(key=lambda each: (each[0].classes, each[2].key))
        for kinds, number, family in families:
            mine = family.pairs
            means[mine], ways[mine] = self._solve(number, gating_of[mine[0]], kinds, family)
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

    def _families(self, number: int, profile_of: Ints, pairs: Ints) -> list[_Alike]:
        """Pairs of a process by how they strike."""
        steps = self.processes.chain(number).steps
        levels = max(int(steps["action"].max()) - 1, 1)
        found: dict[tuple[bytes, Swing], tuple[list[list[Roll]], list[int]]] = {}
        profiles = self.profiles
        for pair in pairs.tolist():
            profile = int(profile_of[pair])
            first = int(profiles.damages.rungs[profiles.starts[profile, 0]])
            attack = profiles.attacks[first]
            swing = Swing(int(attack["strikes"]), int(attack["extra_limit"]))
            rolls = self._rolls_of(profile, levels, profiles.kill_at[profile], swing)
            key = (b"".join(table.key for roll in rolls for table in roll.tables), swing)
            builds, mine = found.setdefault(key, ([], []))
            builds.append(rolls)
            mine.append(pair)
        return [
            _Alike(str(swing), key, swing, builds, np.array(mine, np.int64))
            for (key, swing), (builds, mine) in found.items()
        ]

    def _rolls_of(self, profile: int, levels: int, kill_at: Ints, swing: Swing) -> list[Roll]:
        profiles = self.profiles
        nothing = np.zeros_like(kill_at)
        basic = self._roll(tuple(profiles.damages.basic.tolist()), nothing, explodes=False)
        rolls = [basic, basic]
        for level in range(levels):
            rows = tuple(profiles.damages.rungs[profiles.starts[profile] + level].tolist())
            rolls.append(self._roll(rows, kill_at, explodes=True))
            rolls.append(self._roll(rows, kill_at, explodes=False) if swing.extras else basic)
        return rolls

    def _roll(self, rows: tuple[int, ...], kill_at: Ints, *, explodes: bool) -> Roll:
        key = (rows, kill_at.tobytes(), explodes)
        if key not in self._rolls:
            strikes, dice = self.profiles.strikes[list(rows)], self._dice[rows[0]]
            make = exploding_roll if explodes else single_roll
            self._rolls[key] = make(strikes, dice, kill_at, self.caps)
        return self._rolls[key]

    def _map(self, tables: list[Table], kinds: Kinds) -> Map:
        """The map of the family at hand; the last one is kept, as the next family may ask for it."""
        key = (b"%d" % kinds.classes, *(table.key for table in tables))
        if key not in self._maps:
            self._maps.clear()
            self._grounds.clear()
            self._living.clear()
            self._maps[key] = map_of(self.fields, tables, kinds)
        return self._maps[key]

    def _ground(self, map_: Map, mask: int) -> Ground:
        key = (id(map_), mask)
        if key not in self._grounds:
            if id(map_) not in self._living:
                self._living[id(map_)] = living_of(self.fields, map_)
            self._grounds[key] = ground_of(self.ground, map_, self._living[id(map_)], mask)
        return self._grounds[key]

    def _solve(self, number: int, gating: int, kinds: Kinds, alike: _Alike) -> tuple[Floats, Ints]:
        swing, builds = alike.swing, alike.builds
        tables, which = distinct_tables(builds[0])
        map_ = self._map(tables, kinds)
        chain, arrivals = self.processes.chain(number), self.processes.arrivals(number)
        mask = int(self.gatings[gating].setup["since_mask"]) if chain.reads_events else 0
        ground = self._ground(map_, mask)
        turns, limit = turns_of(chain, swing, kinds), int(self.ground.setup["max_turns"])
        family = family_of(builds, which)
        values, growths = np.zeros(len(builds)), np.zeros(len(builds))
        ways = np.full(len(builds), BY_VALUE)
        if len(arrivals.states) == 0:
            return values + arrivals.before, ways
        program = program_of(turns, len(map_), kinds)
        rolls, memory = rolls_for(family), memory_for(ground, program)
        readings = self._readings(arrivals, map_)
        solve_family(ground, program, family, rolls, memory, readings, limit, values, growths)
        near = np.flatnonzero(growths >= 0.0)
        if len(near) > 0:
            part = family._replace(starts=family.starts[near])
            values[near] = self._near(
                number, swing, kinds, map_, ground, program, part, [builds[i] for i in near]
            )
            ways[near] = np.where(np.isnan(values[near]), LEFT, BY_WALK)
        return values + arrivals.before, ways

    def _near(
        self, number: int, swing: Swing, kinds: Kinds, map_: Map, ground: Ground, program: Program,
        family: Family, builds: list[list[Roll]],
    ) -> Floats:  # fmt: skip
        """Those that the turn limit is near to; NaN: they would take too long."""
        chain, limit = self.processes.chain(number), int(self.ground.setup["max_turns"])
        means = np.full(len(builds), np.nan)
        arrivals = self.processes.arrivals(number)
        counts = None if arrivals.before > 0.0 else attempts_of(chain, limit)
        if counts is None:
            if len(program.rolls) * len(map_) * limit > MOST_STEPS:
                return means
            rolls, memory = rolls_for(family), memory_for(ground, program)
            readings = self._readings(arrivals, map_)
            state, column = np.nonzero(arrivals.grown[0])
            by_turn = np.ascontiguousarray(arrivals.by_turn[:, state, column])
            arrived = (readings.gates, readings.fields, by_turn)
            limited_family(ground, program, family, rolls, memory, arrived, limit, means)
            return means
        activation, behind = counts
        program = program_of(attack_alone(swing), len(map_), kinds)
        ground = self._ground(map_, 0)
        harmless = np.array([harmless_chance(build[2]) ** swing.strikes for build in builds])
        rolls, memory = rolls_for(family), memory_for(ground, program)
        counted_family(ground, program, family, rolls, memory, harmless, activation, behind, means)
        return means

    def _readings(self, arrivals: Arrivals, map_: Map) -> Readings:
        """Arrivals by enemy and HP as fields: nobody else is hurt before the attack comes into use."""
        hps = self.ground.foes["max_hp"]
        weights = arrivals.grown
        state, column = np.nonzero(weights[0])
        starts = np.concatenate([[0], np.cumsum(hps)])
        place = np.searchsorted(starts, column, side="right") - 1
        hp = column - starts[place] + 1
        fields = map_.new[self.fields.whole(place, hp)]
        if arrivals.before == 0.0 and len(column) == 1:
            fields[:] = len(map_) - 1  # before the first turn
        powers = np.array(
            [[growth ** (turn - 1) for turn in range(len(arrivals.by_turn))] for growth in MOMENTS]
        )
        grown = np.concatenate([weights[:1, state, column], powers @ arrivals.by_turn[:, state, column]])
        return Readings(arrivals.states[state], fields, grown)
