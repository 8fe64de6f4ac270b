"""How builds strike that go at one enemy at a time: all that an action does to the front is one roll.

Without Splinter a turn does the same to every HP, so its strikes are one sum (`turn_damage`); with a
bleed there is a second one, in which the first strike that does damage counts twice (`fields` has the
reason). Splinter's strikes follow one by one when the front has fallen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import distinct_rows
from buildsearch.systems.vitality.exact.batch.damage_rows import dice_tables
from buildsearch.systems.vitality.exact.batch.gatings import Gating
from buildsearch.systems.vitality.exact.batch.tables import Profiles
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.attacks import strike_chances, without_criticals
from buildsearch.systems.vitality.exact.nodes.fields import (
    HARMED,
    MISSED,
    TICKED,
    TOUCHED,
    Fields,
    Kinds,
    fields_of,
)
from buildsearch.systems.vitality.exact.nodes.maps import CODE, Map, reached_map
from buildsearch.systems.vitality.exact.nodes.pairs import PairSolver
from buildsearch.systems.vitality.exact.nodes.turns import ROLLS_A_LEVEL, Swing
from buildsearch.systems.vitality.rules.model import VitalityRules

# Of a table where enemies may bleed.
PARTS = 3


class ActionTable(NamedTuple):
    """An action at fronts of a class: how much damage there can be, at how many HP it defeats.

    Its outcomes are a miss, then a hit of each damage from 0 on; the last is so much or more. Where it
    `bleeds`, two parts follow whose outcomes begin with 1: the damage with what will tick, and the damage
    with the sign turned. The first part says then who is down, the second who is pending or doomed, and the
    third takes those from the doomed who are down. In a fight without bleeds there is but the first part.
    """

    front: int
    most: int
    kill_at: int
    bleeds: bool = False
    parts: int = 1

    @property
    def key(self) -> tuple[int, int, int, bool]:
        """What tells tables apart."""
        return self.front, self.most, self.kill_at, self.bleeds

    @property
    def breaks(self) -> tuple[int, ...]:
        """Where parts begin, and where the last one ends."""
        first, more = self.most + 2, self.most if self.bleeds else 0
        return 0, *(first + part * more for part in range(self.parts))


def single_map(fields: Fields, tables: list[ActionTable], kinds: Kinds) -> Map:
    starts = np.full((len(tables), len(fields)), -1, np.int64)
    parts, count = [], 0
    classes = fields.class_of[fields.place]
    for number, table in enumerate(tables):
        own = np.flatnonzero(classes == table.front)
        own = own[own > 0]
        codes = _codes(fields, own, table, kinds)
        starts[number, own] = count + codes.shape[1] * np.arange(len(own))
        parts.append(codes.ravel())
        count += codes.size
    everything, breaks = np.ones(len(fields), bool), np.array([table.breaks for table in tables])
    return reached_map(fields, everything, starts, np.concatenate(parts), breaks)


def _codes(fields: Fields, own: Ints, table: ActionTable, kinds: Kinds) -> Ints:
    """By field of these and outcome where it leads."""
    values, base = fields.hp[own, None], fields.base[fields.place[own], None]
    hp = values // 2 if fields.bleeds else values
    pending = (values % 2 == 1) & fields.bleeds
    down, nowhere = _down(fields, own, kinds)[:, None], kinds.nowhere
    damage = np.concatenate([[0], np.arange(table.most + 1)])
    left = hp - damage
    kind = np.where(damage > 0, HARMED, np.where(pending, TICKED, MISSED))
    kind[:, 1] = np.where(pending[:, 0], HARMED, TOUCHED)
    after = 2 * left if fields.bleeds else left
    # A tick defeats at 0 HP; who does no damage defeats nobody else.
    stands = left > np.where(damage > 0, table.kill_at, 0)
    codes = np.where(stands, (base + after - 1) * CODE + kind, down)
    if not table.bleeds:
        return codes
    begins = stands & ~pending & (damage > 0)
    codes = np.where(begins, nowhere, codes)
    total = np.arange(1, table.most + 1)
    doomed = base * CODE + HARMED
    echoed = np.where(hp > total, (base + 2 * (hp - total)) * CODE + HARMED, doomed)
    echoed = np.where(pending, nowhere, echoed)
    taken = np.where(pending | (hp > total), nowhere, doomed)
    return np.concatenate([codes, echoed, taken], axis=1)


def _down(fields: Fields, own: Ints, kinds: Kinds) -> Ints:
    """By field the code when its front falls."""
    place = fields.place[own]
    behind = np.minimum(place + 1, len(fields.class_of) - 1)
    clears = fields.wave_end[place] == place + 1
    arriving = np.append(fields.coming, 0)[fields.wave[place] + 1]
    next_one = fields.base[behind] + fields.class_hp[fields.class_of[behind]] - 1
    kind = np.where(clears, kinds.cleared, kinds.down + kinds.block * min(kinds.fallen, 1))
    return np.where(clears, arriving, next_one) * CODE + kind


Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class SingleTargets(PairSolver):
    """Profiles and gatings in one encounter; so many Splinters a turn at most."""

    def __init__(
        self,
        rules: VitalityRules,
        ground: ExactGround,
        profiles: Profiles,
        gatings: list[Gating],
        splinters: int = 0,
    ) -> None:
        bleeds = len(profiles.damages.echoes) > 0
        fields = fields_of(ground, bleeds=bleeds, alone=True)
        super().__init__(ground, profiles, gatings, fields, hits_on=splinters > 0)
        self._hp = fields.class_hp // 2 if bleeds else fields.class_hp
        self._bleeds, self._splinters = bleeds, splinters
        self._swing = Swing(1, 0, splinters, bleeds=bleeds)
        self._kinds = Kinds(0, splinters)
        self._dice = dice_tables(rules, profiles.attacks) if splinters else None
        self._sets = np.zeros((0, len(fields.class_hp) + 1), np.int64)
        # By class and row of damages where its chances start; of all actions, of Splinter's strikes.
        self._starts = np.full((2, len(self._hp), len(profiles.damages.chances)), -1, np.int64)
        self._parts: list[Floats] = []
        self._flat = np.zeros(0)

    def kinds(self, *, asks_hits: bool) -> Kinds:
        """Only the front is ever hit."""
        return self._kinds

    def strike(self, profile_of: Ints, levels: Ints) -> tuple[Ints, Ints]:
        self._add_rolls(profile_of, levels)
        sets = np.concatenate([self.profiles.kill_at[profile_of], levels[:, None]], axis=1)
        kinds, numbers = distinct_rows(sets)
        self._sets = sets[kinds]
        return numbers, np.zeros(len(numbers), np.int64)

    def swing(self, number: int) -> Swing:
        return self._swing

    def tables(self, number: int) -> list[list[ActionTable]]:
        *kill_at, levels = self._sets[number].tolist()
        hps, parts = self._hp.tolist(), PARTS if self._bleeds else 1
        basic = [ActionTable(one, hp, 0, False, parts) for one, hp in enumerate(hps)]
        nothing = [ActionTable(one, 0, 0, False, parts) for one in range(len(hps))] if self._bleeds else basic
        turn = [ActionTable(one, hp, kill_at[one], self._bleeds, parts) for one, hp in enumerate(hps)]
        splinter = [ActionTable(one, hp, kill_at[one], False, parts) for one, hp in enumerate(hps)]
        return [basic, nothing, *[turn, splinter if self._splinters else basic] * levels]

    def map_of(self, tables: list[ActionTable], kinds: Kinds) -> Map:
        return single_map(self.fields, tables, kinds)

    def chances(self) -> Floats:
        return self._flat

    def starts(self, profile_of: Ints, levels: int) -> Ints:
        damages = self.profiles.damages
        found = np.zeros((len(profile_of), ROLLS_A_LEVEL * (1 + levels), len(self._hp)), np.int64)
        for one in range(len(self._hp)):
            found[:, :, one] = self._basic[one]
            found[:, 1, one] = self._nothing if self._bleeds else self._basic[one]
            for level in range(levels):
                rows = damages.rungs[self.profiles.starts[profile_of, one] + level]
                found[:, ROLLS_A_LEVEL * (1 + level), one] = self._starts[0, one, rows]
                if self._splinters:
                    found[:, ROLLS_A_LEVEL * (1 + level) + 1, one] = self._starts[1, one, rows]
        return found

    def _add_rolls(self, profile_of: Ints, levels: Ints) -> None:
        """The chances of everything that these profiles do, class by class and row by row of damages."""
        damages, starts = self.profiles.damages, self.profiles.starts
        kinds = distinct_rows(np.stack([profile_of, levels], axis=1))[0]
        parts, size = [np.array([1.0, 0.0])], 2
        self._nothing, self._basic = 0, []
        profiles, most = profile_of[kinds], levels[kinds]
        for one, hp in enumerate(self._hp.tolist()):
            self._basic.append(size)
            parts.append(self._plain(damages.basic[one : one + 1], hp).ravel())
            size += len(parts[-1])
            rungs = [starts[profiles[most > level], one] + level for level in range(int(most.max(initial=0)))]
            rows = np.unique(damages.rungs[np.concatenate(rungs)])
            blocks = [self._turns_of(rows, hp)]
            if self._splinters:
                blocks.append(self._strikes(rows, hp))
            for number, block in enumerate(blocks):
                self._starts[number, one, rows] = size + block.shape[1] * np.arange(len(rows))
                parts.append(block.ravel())
                size += block.size
        self._flat = np.concatenate(parts)

    def _plain(self, rows: Ints, hp: int) -> Floats:
        """By row the chances of a miss, a hit, each damage; the last: all HP or more."""
        damages = self.profiles.damages
        found = np.zeros((len(rows), hp + 2))
        found[:, 1] = damages.touched[rows]
        found[:, 0] = damages.chances[rows, 0] - found[:, 1]
        found[:, 2:] = damages.chances[rows, 1 : hp + 1]
        found[:, -1] = damages.at_least[rows, hp]
        return found

    def _turns_of(self, rows: Ints, hp: int) -> Floats:
        """By row the chances of a turn's damage, and where it bleeds of what follows from that."""
        plain, damages = self._plain(rows, hp), self.profiles.damages
        if not self._bleeds:
            return plain
        echoes = damages.echoes[rows, 1 : hp + 1]
        echoes[:, -1] = damages.echo_at_least[rows, hp]
        return np.concatenate([plain, echoes, -plain[:, 2:]], axis=1)

    def _strikes(self, rows: Ints, hp: int) -> Floats:
        """By row the chances of one strike."""
        assert self._dice is not None  # noqa: S101 - there are Splinters
        natural_of, dice_of, naturals, dice = self._dice
        found = np.zeros((len(rows), hp + 2))
        for i, row in enumerate(rows.tolist()):
            own = (naturals[natural_of[row]], dice[dice_of[row]])
            found[i] = without_criticals(strike_chances(self.profiles.strikes[row], own, hp))
        return found
