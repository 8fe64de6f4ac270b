"""One build against several enemies: the whole distribution of its fights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.processes import is_late
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.attacks import Roll, rolls_of
from buildsearch.systems.vitality.exact.nodes.counted_blows import counted_survival
from buildsearch.systems.vitality.exact.nodes.fields import fields_of
from buildsearch.systems.vitality.exact.nodes.forward import Plan, Terrain, room_of, run_forward
from buildsearch.systems.vitality.exact.nodes.maps import map_of
from buildsearch.systems.vitality.exact.nodes.programs import blows_of, living_of
from buildsearch.systems.vitality.exact.nodes.sites import distinct_tables
from buildsearch.systems.vitality.exact.nodes.support import entered_chain_of, gating_of, kinds_of
from buildsearch.systems.vitality.exact.nodes.turns import Swing, Turns, turns_of
from buildsearch.systems.vitality.exact.solution import Solution

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def solve_several(ground: ExactGround) -> Solution:
    """Go forward in time over fields, gates and the attacker's HP."""
    setup, gating = ground.setup, gating_of(ground)
    levels = gating.levels(int(setup["levels"]))
    found = entered_chain_of(ground)
    assert found is not None  # noqa: S101 - the gate looked
    chain, entered = found
    kinds = kinds_of(ground)
    late = is_late(gating)
    swing = Swing(
        int(setup["strikes"]), int(setup["extra_limit"]), kinds.fallen, bool(setup["triggered_feed"]),
        bool(setup["bleed_ticks"]),
    )  # fmt: skip
    turns = turns_of(chain, swing, kinds, late=late)
    rolls = rolls_of(ground, levels)
    tables, which = distinct_tables([roll.tables for roll in rolls])
    fields = fields_of(ground, bleeds=swing.bleeds)
    map_ = map_of(fields, tables, kinds)
    numbers, who = living_of(ground, fields, map_)
    limit = -1
    if late and not setup["hp_full"]:
        limit = int(gating.setup["hp_at_most"])
    plan = _plan(
        turns, rolls, which, entered, limit, chain.states, waits=bool(setup["unmet_waits"]), late=late
    )
    course = Course(map_.front, map_.rest, map_.starts, map_.codes, numbers, who)
    return follow(ground, course, plan, is_counted=not (chain.reads_events or late))


@dataclass(frozen=True, eq=False)
class Course:
    """Fields and where rolls lead, as in `Map`; by field the number of its living, and who they are.

    The last field is the beginning, the one before it the same when enemies have come.
    """

    front: Ints
    rest: Ints
    starts: Ints
    codes: Ints
    living: Ints
    who: list[list[int]]


def follow(ground: ExactGround, course: Course, plan: Plan, *, is_counted: bool) -> Solution:
    """Go forward in time. `is_counted`: nothing depends on retaliation, so blows may be counted."""
    setup, numbers, who = ground.setup, course.living, course.who
    hp, mask, max_turns = (int(setup[name]) for name in ("attacker_hp", "since_mask", "max_turns"))
    blows = np.array([blows_of(ground, living, mask, hp) for living in who])
    survival = counted_survival(ground, who, hp, max_turns) if is_counted else None
    shifts = np.zeros(0, np.int64) if survival is None else survival.shifts
    size, start = (hp + 1, hp) if survival is None else (max_turns + 1, 0)
    # As long as blows are of one kind their number is known; the axis is for those behind who met another.
    wide = np.ones(len(numbers), bool) if survival is None else (shifts != shifts[numbers[-2]])[numbers]
    places = np.concatenate([[0], np.cumsum(np.where(wide, room_of(size), 1))[:-1]]).astype(np.int64)
    terrain = Terrain(
        course.front, course.rest, numbers, course.starts, course.codes, blows, shifts, places, wide
    )
    ends, last = np.zeros((max_turns + 1, size)), np.zeros(size)
    cut = run_forward(terrain, plan, size, start, max_turns, ends, last)
    survived = float(ends[:, 1:].sum() + last[1:].sum()) if survival is None else survival.of(ends, last)
    lengths = ends.sum(axis=1)
    lengths[-1] += last.sum()
    return Solution(ends=lengths, timeouts=float(last.sum()), lost=0.0, cut=cut, survival=survived)


def _plan(
    turns: Turns,
    rolls: list[Roll],
    which: NDArray[np.int64],
    entered: NDArray[np.int64],
    limit: int,
    states: int,
    *,
    waits: bool,
    late: bool,
) -> Plan:
    sizes = np.array([[len(one) for one in roll.chances] for roll in rolls], np.int64)
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]]).reshape(sizes.shape)
    return Plan(
        gates=turns.gates,
        rolls=turns.rolls,
        next_rows=turns.next_rows,
        steps=turns.steps,
        step_chances=turns.chances,
        tables=which,
        begins=begins.astype(np.int64),
        sizes=sizes,
        chances=np.concatenate([one for roll in rolls for one in roll.chances]),
        limit=limit,
        late=states,
        waits=waits,
        entered=entered,
        first_gate=states if late else int(entered[0, 0]),
    )
