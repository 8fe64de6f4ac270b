"""One build against several enemies: the whole distribution of its fights."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts
from buildsearch.systems.vitality.exact.course import Course, follow, levels_of, limit_chain_of
from buildsearch.systems.vitality.exact.forward import Entries
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.attacks import rolls_of
from buildsearch.systems.vitality.exact.nodes.fields import fields_of
from buildsearch.systems.vitality.exact.nodes.maps import map_of
from buildsearch.systems.vitality.exact.nodes.sites import distinct_tables, living_of
from buildsearch.systems.vitality.exact.nodes.support import kinds_of
from buildsearch.systems.vitality.exact.nodes.turns import Swing, turns_of
from buildsearch.systems.vitality.exact.solution import Solution

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def solve_several(ground: ExactGround) -> Solution:
    """Go forward in time over fields, gates and the attacker's HP."""
    setup, chain, kinds = ground.setup, limit_chain_of(ground), kinds_of(ground)
    swing = Swing(
        int(setup["strikes"]), int(setup["extra_limit"]), kinds.fallen, bool(setup["triggered_feed"]),
        bool(setup["bleed_ticks"]),
    )  # fmt: skip
    turns = turns_of(chain, swing, kinds)
    rolls = rolls_of(ground, levels_of(chain))
    tables, which = distinct_tables([roll.tables for roll in rolls])
    fields = fields_of(ground, bleeds=swing.bleeds)
    map_ = map_of(fields, tables, kinds)
    numbers, who = living_of(ground, fields, map_)
    sizes = np.array([[len(one) for one in roll.chances] for roll in rolls], np.int64)
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]]).reshape(sizes.shape).astype(np.int64)
    chances = np.concatenate([one for roll in rolls for one in roll.chances])
    used = np.unique(turns.rolls)
    entries = entries_of(map_.front, map_.starts, map_.codes, used, which, begins, sizes, chances)
    return follow(ground, Course(chain, turns, map_.rest, numbers, who, np.zeros(len(map_), bool), entries))


def entries_of(
    front: Ints,
    starts: Ints,
    codes: Ints,
    rolls: Ints,
    tables: Ints,
    begins: Ints,
    sizes: Ints,
    chances: Floats,
) -> Entries:
    """The entries of these rolls: counted, then filled in.

    `starts[table, field]`: where a table's codes begin. By roll and front its table, where its chances begin
    and how many they are.
    """
    used = np.zeros(len(tables), bool)
    used[rolls] = True
    entries = Entries(np.zeros((len(tables), len(front) + 1), np.int64), np.zeros(0, np.int64), np.zeros(0))
    count = _fill_entries(front, starts, codes, used, tables, begins, sizes, chances, entries)
    entries = Entries(entries.starts, np.zeros(count, np.int64), np.zeros(count))
    _fill_entries(front, starts, codes, used, tables, begins, sizes, chances, entries)
    return entries


@kernel_without_refcounts
def _fill_entries(
    fronts: Ints, map_starts: Ints, codes: Ints, used: NDArray[np.bool_], tables: Ints, begins: Ints, sizes:
    Ints, chances: Floats, entries: Entries,
) -> int:  # fmt: skip
    """How many they are; filled in where there is room for them.

    Outcomes without a chance are left out, and those beside one another that lead to the same are one.
    """
    fields = len(fronts)
    starts = entries.starts
    room = len(entries.codes)
    count = 0
    for roll in range(len(tables)):
        for field in range(fields):
            starts[roll, field] = count
            front = fronts[field]
            first = map_starts[tables[roll, front], field]
            size = sizes[roll, front] if used[roll] and field > 0 and first >= 0 else 0
            k = 0
            while k < size:
                code = codes[first + k]
                chance = 0.0
                while k < size and codes[first + k] == code:
                    chance += chances[begins[roll, front] + k]
                    k += 1
                if chance > 0.0:
                    if count < room:
                        entries.codes[count] = code
                        entries.chances[count] = chance
                    count += 1
        starts[roll, fields] = count
    return count
