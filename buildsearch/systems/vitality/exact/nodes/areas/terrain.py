"""An area attack in an encounter, its fields parted in two: where own HP need no axis, and the others.

As long as the same number of enemies strikes back every turn, what the attacker has lost does not depend on
who of the enemies is how badly hurt: mass lies by field, and beside it is one vector of HP. That is the open
part of a fight of one wave. Where fewer strike, few fields are left, and these are followed with an axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.course import (
    accepted_blows,
    allowed_hp,
    levels_of,
    limit_chain_of,
    plan_of,
)
from buildsearch.systems.vitality.exact.forward import Entries, Plan, States, room_of, starts_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.areas.followed import OVER, field_kernel, no_fields
from buildsearch.systems.vitality.exact.nodes.areas.kernels import Kernel
from buildsearch.systems.vitality.exact.nodes.areas.rolls import Roll, Wave, roll_of, waves_of
from buildsearch.systems.vitality.exact.nodes.areas.turns import area_turns, asked_of
from buildsearch.systems.vitality.exact.nodes.attacks import kill_at_of
from buildsearch.systems.vitality.exact.nodes.maps import CODE
from buildsearch.systems.vitality.exact.nodes.turns import Swing

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Terrain:
    """Of `ground` only the enemies and their retaliation are read, as terrains serve many attacks.

    `numbers`: by wave, row and column the followed field, -1 where fields are open or nobody lives.

    `coming`: by wave the followed field in which it is just coming; none where the fight begins open.
    """

    ground: ExactGround
    waves: tuple[Wave, ...]
    numbers: tuple[Ints, ...]
    coming: tuple[int, ...]

    @property
    def is_open(self) -> bool:
        """Whether the fight begins where HP need no axis."""
        return not self.coming

    @cached_property
    def followed_fields(self) -> int:
        """How many fields are followed with the attacker's HP."""
        return sum(int((each >= 0).sum()) for each in self.numbers) + len(self.coming)

    @property
    def open_fields(self) -> int:
        return self.waves[0].rows * self.waves[0].columns if self.is_open else 0

    def begins_with(self, mask: int) -> Floats:
        """The blows of those who strike back in open fields, by event and loss."""
        wave = self.waves[0]
        everybody = wave.standing(tuple(len(each) for each in wave.places))
        return self.ground.blows(everybody, mask)

    def nobody(self, mask: int) -> Floats:
        return self.ground.blows([], mask)

    def followed(self, ground: ExactGround, rolls: list[list[Roll]]) -> tuple[States, Entries]:
        """The followed fields under these rolls, by wave and level; `ground` says what limits accept."""
        kinds: dict[bytes, int] = {}
        blows: list[Floats] = []

        def kind_of(living: list[int]) -> int:
            blow = accepted_blows(ground, living)
            if blow.tobytes() not in kinds:
                kinds[blow.tobytes()] = len(blows)
                blows.append(blow)
            return kinds[blow.tobytes()]

        size = self.followed_fields
        kind, rest = np.full(size, kind_of([]), np.int64), np.arange(size)
        levels: list[list[Kernel]] = [[] for _ in rolls[0]]
        for number, (wave, numbers) in enumerate(zip(self.waves, self.numbers, strict=True)):
            rows, columns = np.nonzero(numbers >= 0)
            found, which = np.unique(wave.living[rows, columns], axis=0, return_inverse=True)
            standing = [kind_of(wave.standing(tuple(map(int, each)))) for each in found]
            kind[numbers[rows, columns]] = np.array(standing, np.int64)[which.ravel()] if standing else 0
            if self.coming:
                # A wave that is just coming is struck as if it stood there.
                rows, columns = np.append(rows, wave.rows - 1), np.append(columns, wave.columns - 1)
                rest[self.coming[number]] = numbers[-1, -1]
            after = self.coming[number + 1] if number + 1 < len(self.coming) else OVER
            for level, roll in enumerate(rolls[number]):
                levels[level].append(
                    field_kernel(roll, rows, columns, numbers, after) if len(rows) else no_fields()
                )
        every = [each for kernels in levels for each in kernels]
        sizes = [np.concatenate([np.diff(each.starts) for each in kernels]) for kernels in levels]
        happened = np.concatenate([each.happened for each in every])
        # Field 0 is the end.
        codes = (1 + np.concatenate([each.targets for each in every])) * CODE + happened
        states = States(
            rest=np.append(0, 1 + rest),
            living=np.append(0, kind),
            idle=np.zeros(1 + size, bool),
            blows=np.array(blows),
            shifts=np.zeros(0, np.int64),
            places=room_of(int(self.ground.setup["attacker_hp"]) + 1) * np.arange(1 + size),
            wide=np.ones(1 + size, bool),
        )
        return states, Entries(starts_of(sizes), codes, np.concatenate([each.chances for each in every]))


# One an encounter, of some megabytes.
_known = LruCache[tuple[object, ...], Terrain](8)


def wants_few_hp(ground: ExactGround) -> bool:
    """Whether a limit asks for few HP of the attacker: then they are an axis everywhere."""
    return int(ground.setup["hp_at_most"]) < int(ground.setup["attacker_hp"])


def terrain_of(ground: ExactGround) -> Terrain:
    """The fields of an encounter, which are the same for all attacks."""
    read = (ground.foes[name].tobytes() for name in ("max_hp", "strike_class", "wave_end"))
    setup = (int(ground.setup[name]) for name in ("retaliation_cap", "attacker_hp"))
    key = (wants_few_hp(ground), *setup, *read, *(each.tobytes() for each in ground.retaliation))
    return _known.get(key, lambda: _terrain_of(ground))


def _terrain_of(ground: ExactGround) -> Terrain:
    """Followed fields are numbered wave by wave, the coming one behind its wave's."""
    waves = tuple(waves_of(ground))
    if len(waves) == 1 and not wants_few_hp(ground):
        numbers = np.full((waves[0].rows, waves[0].columns), -1)
        closed = ~_open_fields(ground, waves[0])
        closed[0, 0] = False
        numbers[closed] = np.arange(int(closed.sum()))
        return Terrain(ground, waves, (numbers,), ())
    every, coming, first = [], [], 0
    for wave in waves:
        numbers = np.arange(wave.rows * wave.columns).reshape(wave.rows, wave.columns) - 1
        numbers[1:] += first
        numbers[0, 1:] += first
        first += wave.rows * wave.columns - 1
        every.append(numbers)
        coming.append(first)
        first += 1
    return Terrain(ground, waves, tuple(every), tuple(coming))


def _open_fields(ground: ExactGround, wave: Wave) -> NDArray[np.bool_]:
    """Where those who strike back are as at the beginning, and have been so all the time."""
    everybody = tuple(len(places) for places in wave.places)
    sizes = tuple(number + 1 for number in everybody)
    is_same = np.zeros(sizes, bool)
    first = ground.alive_retaliation(wave.standing(everybody))
    for living in np.ndindex(*sizes):
        standing = wave.standing(living)
        strikes = bool(standing) and bool(ground.setup["retaliation_cap"])
        is_same[living] = (
            np.array_equal(ground.alive_retaliation(standing), first)
            if strikes
            else not ground.setup["retaliation_cap"]
        )
    # As long as nobody fewer of any class lived before.
    for axis in range(len(sizes)):
        is_same = np.flip(np.logical_and.accumulate(np.flip(is_same, axis), axis=axis), axis)
    return np.asarray(is_same[tuple(np.moveaxis(wave.living, -1, 0))])


@dataclass(frozen=True, eq=False)
class AreaPlan:
    """Everything that solving reads."""

    ground: ExactGround
    terrain: Terrain
    chain: Chain

    @cached_property
    def swing(self) -> Swing:
        setup = self.ground.setup
        return Swing(int(setup["strikes"]), int(setup["extra_limit"]))

    @cached_property
    def play(self) -> Plan:
        return plan_of(
            self.ground, self.chain, area_turns(self.chain, self.swing), allowed_hp(self.ground.setup)
        )

    @cached_property
    def rolls(self) -> list[list[Roll]]:
        """By wave the basic attack, then the attack by level."""
        ground, told = self.ground, asked_of(self.chain, self.swing)
        classes, kill_at = int(ground.setup["classes"]), kill_at_of(ground)
        by_itself = bool(ground.setup["condition"])
        used = {0} | set(self.play.rolls.tolist())
        found = []
        for wave in self.terrain.waves:
            rolls: list[Roll] = []
            for level in range(1 + levels_of(self.chain)):
                strikes = ground.strikes[level * classes : (level + 1) * classes]
                at = kill_at if level else np.zeros_like(kill_at)
                dice = ground.dice[1 if level else 0]
                if level not in used:
                    rolls.append(rolls[0])  # never made
                    continue
                rolls.append(roll_of(wave, strikes, dice, at, told, by_itself=by_itself))
            found.append(rolls)
        return found


_plans = LruCache[bytes, AreaPlan](8)


def area_plan(ground: ExactGround) -> AreaPlan:
    """The plan of an area attack; who may solve it asks again for it."""
    return _plans.get(ground.digest(), lambda: AreaPlan(ground, terrain_of(ground), limit_chain_of(ground)))
