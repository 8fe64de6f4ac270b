"""One build against several enemies: the whole distribution of its fights.

Survival where nothing that is done depends on retaliation: blows of each kind are only counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.attacks import rolls_of
from buildsearch.systems.vitality.exact.nodes.fields import fields_of
from buildsearch.systems.vitality.exact.nodes.forward import Plan, Terrain, room_of, run_forward
from buildsearch.systems.vitality.exact.nodes.maps import map_of
from buildsearch.systems.vitality.exact.nodes.sites import distinct_tables, living_of
from buildsearch.systems.vitality.exact.nodes.support import LimitChain, kinds_of, limit_chain_of
from buildsearch.systems.vitality.exact.nodes.turns import Swing, Turns, turns_of
from buildsearch.systems.vitality.exact.solution import Solution

_KINDS = 2


@dataclass(frozen=True, eq=False)
class CountedSurvival:
    """`shifts`: by living whether its blow is counted. `table[a, b]`: the chance to survive so many.

    Blows follow every turn but the last, so of t turns t - 1 do, and those that are not counted are
    of the second.
    """

    shifts: Ints
    table: Floats

    def of(self, ends: Floats, last: Floats) -> float:
        """The chance to survive, from the chances of fights by turns and blows of the first kind."""
        total = 0.0
        for turn in range(1, len(ends)):
            counts = np.flatnonzero(ends[turn])
            total += float(ends[turn, counts] @ self.table[counts, np.maximum(turn - 1 - counts, 0)])
        counts = np.arange(len(last))
        return total + float(last @ self.table[counts, len(ends) - 1 - counts])


def counted_survival(
    ground: ExactGround, who: list[list[int]], hp: int, max_turns: int
) -> CountedSurvival | None:
    """None where blows are not of one kind and then of another for good: then HP must be followed."""
    if int(ground.setup["waves"]) > 1:
        return None
    kinds: list[Floats] = []
    shifts = np.zeros(len(who), np.int64)
    for i, living in enumerate(who):
        if not living:
            continue  # before the first turn
        blow = ground.losses(living)
        which = next((k for k, known in enumerate(kinds) if np.array_equal(known, blow)), len(kinds))
        if which == len(kinds):
            kinds.append(blow)
        shifts[i] = which
    sizes = np.array([len(living) for living in who])
    some = sizes > 0
    first = shifts == shifts[np.argmax(sizes)]
    # Once fewer live, blows must be of the second kind for good.
    is_mixed = (some & ~first).any() and sizes[some & first].min() <= sizes[some & ~first].max()
    if len(kinds) > _KINDS or is_mixed:
        return None
    return CountedSurvival(shifts, _surviving(tuple(each.tobytes() for each in kinds), hp, max_turns))


@lru_cache(maxsize=64)
def _surviving(given: tuple[bytes, ...], hp: int, max_turns: int) -> Floats:
    """By blows of the second kind counted and the others the chance that fewer than all HP are lost."""
    kinds = [np.frombuffer(each) for each in given]
    second = kinds[1] if len(kinds) == _KINDS else np.eye(1, hp + 1)[0]
    after_second = _sums(second, hp, max_turns)
    after_first = _sums(kinds[0], hp, max_turns) if kinds else _sums(second, hp, max_turns)
    # Fewer than hp in all: of the one at most what the other leaves.
    return np.asarray(after_second @ np.cumsum(after_first, axis=1)[:, ::-1].T)


def _sums(one: Floats, hp: int, most: int) -> Floats:
    """By number of blows the chance that they take so much together, as far as it is less than all HP."""
    found = np.zeros((most + 1, hp))
    found[0, 0] = 1.0
    for number in range(most):
        found[number + 1] = np.convolve(found[number], one[:hp])[:hp]
    return found


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def solve_several(ground: ExactGround) -> Solution:
    """Go forward in time over fields, gates and the attacker's HP."""
    setup, found, kinds = ground.setup, limit_chain_of(ground), kinds_of(ground)
    assert found is not None  # noqa: S101 - the gate looked
    swing = Swing(
        int(setup["strikes"]), int(setup["extra_limit"]), kinds.fallen, bool(setup["triggered_feed"]),
        bool(setup["bleed_ticks"]),
    )  # fmt: skip
    turns = turns_of(found.chain, swing, kinds, late=found.is_late)
    rolls = rolls_of(ground, found.levels)
    tables, which = distinct_tables([roll.tables for roll in rolls])
    fields = fields_of(ground, bleeds=swing.bleeds)
    map_ = map_of(fields, tables, kinds)
    numbers, who = living_of(ground, fields, map_)
    sizes = np.array([[len(one) for one in roll.chances] for roll in rolls], np.int64)
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]]).reshape(sizes.shape).astype(np.int64)
    chances = np.concatenate([one for roll in rolls for one in roll.chances])
    plan = plan_of(ground, found, turns, which, begins, sizes, chances)
    course = Course(map_.front, map_.rest, map_.starts, map_.codes, numbers, who)
    return follow(ground, course, plan, is_counted=not (found.chain.reads_events or found.is_late))


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
    blows = np.array([ground.blows(living, mask) for living in who])
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


def plan_of(
    ground: ExactGround,
    limits: LimitChain,
    turns: Turns,
    tables: Ints,
    begins: Ints,
    sizes: Ints,
    chances: Floats,
) -> Plan:
    """Turns and limits, and by roll and front's class its table and chances."""
    return Plan(
        gates=turns.gates,
        rolls=turns.rolls,
        next_rows=turns.next_rows,
        steps=turns.steps,
        step_chances=turns.chances,
        tables=tables,
        begins=begins,
        sizes=sizes,
        chances=chances,
        limit=limits.limit,
        late=limits.chain.states,
        waits=bool(ground.setup["unmet_waits"]),
        entered=limits.entered,
        first_gate=limits.first_gate,
    )
