"""How builds strike whose criticals explode: strike after strike, each at the front or at everybody."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.damage_rows import dice_tables
from buildsearch.systems.vitality.exact.batch.gatings import Gating
from buildsearch.systems.vitality.exact.batch.tables import Profiles
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.attacks import Roll, caps_of, exploding_roll, single_roll
from buildsearch.systems.vitality.exact.nodes.fields import Kinds, fields_of
from buildsearch.systems.vitality.exact.nodes.maps import Map, Table, map_of
from buildsearch.systems.vitality.exact.nodes.pairs import PairSolver
from buildsearch.systems.vitality.exact.nodes.turns import Swing
from buildsearch.systems.vitality.rules.model import VitalityRules

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Explosions(PairSolver):
    """Profiles and gatings in one encounter; what pairs share is worked out once."""

    # Some hundredths of a second for eight builds. What is larger and near the limit is left to who asks for
    # one build (there it takes half a second).
    most_steps = 700_000

    def __init__(
        self, rules: VitalityRules, ground: ExactGround, profiles: Profiles, gatings: list[Gating]
    ) -> None:
        super().__init__(ground, profiles, gatings, fields_of(ground, bleeds=False), hits_on=True)
        self._caps = caps_of(ground)
        natural_of, dice_of, naturals, dice = dice_tables(rules, profiles.attacks)
        self._dice = [(naturals[i], dice[k]) for i, k in zip(natural_of, dice_of, strict=True)]
        self._rolls: list[Roll] = []
        self._numbers: dict[tuple[object, ...], int] = {}
        # By profile and levels the numbers of its rolls.
        self._strikes: dict[tuple[int, int], tuple[int, ...]] = {}
        self._tables: dict[tuple[object, ...], int] = {}
        self._swings: dict[Swing, int] = {}
        self._examples: list[tuple[int, ...]] = []
        self._flat: tuple[Ints, Floats] = (np.zeros((0, 0), np.int64), np.zeros(0))

    def kinds(self, *, asks_hits: bool) -> Kinds:
        """Which classes were hit, where limits ask."""
        return Kinds(int(self.ground.setup["classes"]) if asks_hits else 0)

    def strike(self, profile_of: Ints, levels: Ints) -> tuple[Ints, Ints]:
        found = np.zeros((2, len(profile_of)), np.int64)
        known: dict[tuple[int, int], tuple[int, int]] = {}
        for i, key in enumerate(zip(profile_of.tolist(), levels.tolist(), strict=True)):
            if key not in known:
                known[key] = self._strike(*key)
            found[:, i] = known[key]
        sizes = np.array([[len(one) for one in roll.chances] for roll in self._rolls])
        starts = (np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape)
        self._flat = starts, np.concatenate([one for roll in self._rolls for one in roll.chances])
        return found[0], found[1]

    def swing(self, number: int) -> Swing:
        return list(self._swings)[number]

    def tables(self, number: int) -> list[list[Table]]:
        return [list(self._rolls[roll].tables) for roll in self._examples[number]]

    def map_of(self, tables: list[Table], kinds: Kinds) -> Map:
        return map_of(self.fields, tables, kinds)

    def chances(self) -> Floats:
        return self._flat[1]

    def starts(self, profile_of: Ints, levels: int) -> Ints:
        rolls = np.array([self._strikes[profile, levels] for profile in profile_of.tolist()])
        return np.asarray(self._flat[0][rolls])

    def _strike(self, profile: int, levels: int) -> tuple[int, int]:
        profiles, starts = self.profiles, self.profiles.starts[profile]
        attack, kill_at = profiles.attacks[profiles.damages.rungs[starts[0]]], profiles.kill_at[profile]
        swing = Swing(int(attack["strikes"]), int(attack["extra_limit"]))
        basic = self._roll(tuple(profiles.damages.basic.tolist()), np.zeros_like(kill_at), explodes=False)
        rolls = [basic, basic]
        for level in range(levels):
            rows = tuple(profiles.damages.rungs[starts + level].tolist())
            rolls.append(self._roll(rows, kill_at, explodes=True))
            rolls.append(self._roll(rows, kill_at, explodes=False) if swing.extras else basic)
        self._strikes[profile, levels] = tuple(rolls)
        key = tuple(table.key for number in rolls for table in self._rolls[number].tables)
        number = self._tables.setdefault(key, len(self._tables))
        if number == len(self._examples):
            self._examples.append(tuple(rolls))
        return number, self._swings.setdefault(swing, len(self._swings))

    def _roll(self, rows: tuple[int, ...], kill_at: Ints, *, explodes: bool) -> int:
        key = (rows, kill_at.tobytes(), explodes)
        if key not in self._numbers:
            strikes, dice = self.profiles.strikes[list(rows)], self._dice[rows[0]]
            make = exploding_roll if explodes else single_roll
            self._numbers[key] = len(self._rolls)
            self._rolls.append(make(strikes, dice, kill_at, self._caps))
        return self._numbers[key]
