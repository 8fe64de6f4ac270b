"""Index tables: where each outcome of a roll leads from each field, and what kind of step that is.

They belong to the encounter and to what defeats at which HP, not to a build's chances. Only fields that can
be reached are kept, and numbered anew in the same order.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.exact.nodes.fields import (
    HARMED,
    HARMED_FELL,
    MISSED,
    OTHERS,
    OTHERS_FELL,
    TICKED,
    TOUCHED,
    Fields,
    Kinds,
)
from buildsearch.systems.vitality.exact.nodes.outcomes import Outcomes
from buildsearch.systems.vitality.mechanics.strikes import begins, strike, tick

Ints = NDArray[np.int64]

# A code is a field times this, and a kind.
CODE = 1 << 8


@dataclass(frozen=True, eq=False)
class Table:
    """One roll at fronts of one class: its outcomes, and by class the HP that it defeats at."""

    front: int
    outcomes: Outcomes
    kill_at: Ints
    bleeds: bool = False

    @cached_property
    def key(self) -> bytes:
        """What tells tables apart."""
        parts = (b"%d%d" % (self.front, self.bleeds), self.kill_at.tobytes(), self.outcomes.key)
        return blake2b(b"|".join(parts), digest_size=16).digest()

    @cached_property
    def breaks(self) -> tuple[int, ...]:
        """Where parts begin: strikes at the front, then criticals at everybody if these stand together."""
        outcomes = self.outcomes
        several, size = np.flatnonzero(outcomes.others_hit), len(outcomes.hit)
        ordered = len(several) > 0 and several[-1] - several[0] + 1 == len(several) > size // 4
        return 0, int(several[0]) if ordered else size, size


@dataclass(frozen=True, eq=False)
class Map:
    """The fields that can be reached. `old`: their numbers among all fields; `new` the other way, -1: never.

    The codes of table t from field f are `codes` from `starts[t, f]` on, -1 where its class is not in front.
    Those of its part p are all the same from `tails[t, f, p]` on: whoever is down is down, however much more
    damage it was. `living` is the same where the same enemies live,
    and something is pending or nothing is.
    """

    old: Ints
    new: Ints
    rest: Ints
    front: Ints
    living: Ints
    starts: Ints
    codes: Ints
    tails: Ints

    def __len__(self) -> int:
        return len(self.old)


def map_of(fields: Fields, tables: list[Table], kinds: Kinds) -> Map:
    sizes = np.array([len(table.outcomes.front) for table in tables], np.int64)
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    reached, starts, codes = _fill(
        fields.place, fields.hp, fields.others, fields.rest, fields.class_of, fields.wave_end, fields.wave,
        fields.base, fields.hp_step, fields.other_step, fields.coming,
        np.array([table.front for table in tables], np.int64),
        first,
        np.concatenate([table.outcomes.front for table in tables]),
        np.concatenate([table.outcomes.others for table in tables]),
        np.concatenate([table.outcomes.hit for table in tables]),
        np.concatenate([table.outcomes.others_hit for table in tables]),
        np.array([table.kill_at for table in tables], np.int64),
        np.array([table.bleeds for table in tables]), fields.bleeds,
        kinds.classes, kinds.patterns, kinds.down, kinds.fronts, kinds.cleared,
        kinds.block, kinds.fallen, kinds.counted,
    )  # fmt: skip
    return reached_map(fields, reached, starts, codes, np.array([table.breaks for table in tables]))


def reached_map(fields: Fields, reached: NDArray[np.bool_], starts: Ints, codes: Ints, breaks: Ints) -> Map:
    """The map of fields that are reached, from codes by old numbers; `breaks`: by table where parts begin."""
    old = np.flatnonzero(reached)
    new = np.full(len(fields), -1, np.int64)
    new[old] = np.arange(len(old))
    codes = new[codes // CODE] * CODE + codes % CODE
    bits = (fields.others[old] > 0) @ (1 << np.arange(fields.others.shape[1]))
    coming = fields.rest[old] != old
    # Where a bleed is pending no turn leaves everything as it is.
    pending = (fields.hp[old] % 2 == 1) | (fields.others[old] % 2 == 1).any(axis=1)
    living = (fields.place[old] << 16) + (bits << 2) + 2 * (pending & fields.bleeds) + coming
    living[0] = -1  # nobody
    starts = np.ascontiguousarray(starts[:, old])
    tails = np.zeros((len(starts), len(old), breaks.shape[1] - 1), np.int64)
    _fill_tails(starts, codes, breaks.astype(np.int64), tails)
    return Map(
        old=old,
        new=new,
        rest=new[fields.rest[old]],
        front=fields.class_of[fields.place[old]],
        living=living,
        starts=starts,
        codes=codes,
        tails=tails,
    )


@njit(cache=True, nogil=True)
def _fill_tails(starts: Ints, codes: Ints, breaks: Ints, tails: Ints) -> None:
    """From which outcome on all of a part lead to the same."""
    for table in range(starts.shape[0]):
        for field in range(starts.shape[1]):
            start = starts[table, field]
            if start < 0:
                continue
            for part in range(tails.shape[2]):
                k = breaks[table, part + 1] - 1
                while k > breaks[table, part] and codes[start + k - 1] == codes[start + k]:
                    k -= 1
                tails[table, field, part] = k


@step
def _hurt(value: int, damage: int, kill_at: int, can_bleed: bool, bleeds: bool) -> int:
    """The value of somebody after so much damage, and the tick that ends the turn; 0: down.

    `can_bleed`: values are those of enemies who may bleed, not HP.
    """
    if not can_bleed:
        return strike(kill_at, value, damage)[0]
    # What is pending is off the HP already, and over after this turn; else a bleed may begin.
    left = tick(value // 2, damage)
    if left > 0 and begins(1 if bleeds else 0, damage, value % 2, 0):
        return 1 + 2 * tick(left, damage)
    return 2 * left


@njit(cache=True, nogil=True)
def _fill(  # noqa: PLR0912, PLR0915, PLR0917 - one table, filled in the order of the numbering
    place: Ints, hp: Ints, others: Ints, rest: Ints, class_of: Ints, wave_end: Ints, wave: Ints, base: Ints,
    hp_step: Ints, other_step: Ints, coming: Ints, front_of: Ints, first: Ints, damage: Ints, other_damage:
    Ints, hit: Ints, others_hit: Ints, kill_at: Ints, bleeds:
    NDArray[np.bool_], can_bleed: bool, told_apart: int, patterns: int, down: int, fronts: int,
    cleared: int, block: int, most_fallen: int, counted: bool,
) -> tuple[NDArray[np.bool_], Ints, Ints]:  # fmt: skip
    """From the beginning down: which fields are reached, and the codes of their tables by old number."""
    fields = len(place)
    classes = others.shape[1]
    reached = np.zeros(fields, np.bool_)
    reached[0] = True
    reached[coming[0]] = True
    starts = np.full((len(front_of), fields), -1, np.int64)
    codes = np.zeros(1 << 12, np.int64)
    count = 0
    left = np.zeros(classes, np.int64)
    for field in range(fields - 1, 0, -1):
        if not reached[field]:
            continue
        reached[rest[field]] = True
        here = place[field]
        for table in range(len(front_of)):
            if front_of[table] != class_of[here]:
                continue
            size = first[table + 1] - first[table]
            while count + size > len(codes):
                codes = np.concatenate((codes, np.zeros(len(codes), np.int64)))
            starts[table, field] = count
            for k in range(first[table], first[table + 1]):
                harmed = damage[k] > 0 or (can_bleed and hp[field] % 2 == 1)
                remaining = hp[field]
                if harmed:
                    remaining = _hurt(
                        hp[field], damage[k], kill_at[table, class_of[here]], can_bleed, bleeds[table]
                    )
                fell = False
                hurt = False
                fallen = 1 if remaining <= 0 else 0
                for one in range(classes):
                    left[one] = others[field, one]
                    amount = other_damage[k, one]
                    if left[one] > 0 and (amount > 0 or (can_bleed and left[one] % 2 == 1)):
                        hurt = True
                        left[one] = _hurt(left[one], amount, kill_at[table, one], can_bleed, bleeds[table])
                        if left[one] == 0:
                            fell = True
                            if most_fallen > 0 and counted:
                                for behind in range(here + 1, wave_end[here]):
                                    fallen += 1 if class_of[behind] == one else 0
                pattern = 0
                if told_apart > 0:
                    for one in range(classes):
                        if others[field, one] > 0 and (others_hit[k] >> one) & 1 != 0:
                            pattern |= 1 << one
                there = 0
                if remaining > 0:
                    there = base[here] + (remaining - 1) * hp_step[here]
                    for one in range(classes):
                        there += left[one] * other_step[here, one]
                    kind = MISSED
                    if harmed:
                        kind = HARMED if hit[k] != 0 else TICKED
                        if fell:
                            kind = HARMED_FELL
                    elif hurt:
                        kind = OTHERS_FELL if fell else OTHERS
                    elif hit[k] != 0:
                        kind = TOUCHED
                    kind = kind * patterns + pattern
                else:
                    front = here + 1
                    while front < wave_end[here] and left[class_of[front]] == 0:
                        front += 1
                    if front < wave_end[here]:
                        there = base[front] + (left[class_of[front]] - 1) * hp_step[front]
                        for one in range(classes):
                            there += left[one] * other_step[front, one]
                        kind = down
                        if told_apart > 0:
                            kind += fronts * class_of[front]
                            kind += pattern if most_fallen > 0 else (pattern >> class_of[front]) & 1
                    else:
                        kind = cleared
                        if wave[here] + 1 < len(coming):
                            there = coming[wave[here] + 1]
                reached[there] = True
                codes[count] = there * CODE + kind + block * min(fallen, most_fallen)
                count += 1
    return reached, starts, codes[:count]
