"""Maps of attacks at one enemy at a time: a roll is all that one action does to the front."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.nodes.fields import Fields
from buildsearch.systems.vitality.exact.nodes.kinds import HARMED, MISSED, TICKED, TOUCHED, Kinds
from buildsearch.systems.vitality.exact.nodes.maps import CODE, Map, reached_map

Ints = NDArray[np.int64]

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
    """The map of actions with these tables."""
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
