"""One build with Ricochet: the whole distribution of its fights, forward in time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.attacks import kill_at_of, strike_chances, without_criticals
from buildsearch.systems.vitality.exact.nodes.forward import Plan
from buildsearch.systems.vitality.exact.nodes.ricochet.fields import FIRST, Fields
from buildsearch.systems.vitality.exact.nodes.ricochet.maps import Map, map_of
from buildsearch.systems.vitality.exact.nodes.ricochet.planning import ricochet_plan
from buildsearch.systems.vitality.exact.nodes.ricochet.turns import ROLLS_A_LEVEL
from buildsearch.systems.vitality.exact.nodes.solving import Course, follow
from buildsearch.systems.vitality.exact.solution import Solution

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def solve_ricochet(ground: ExactGround) -> Solution:
    """Go forward in time over fields, gates and the attacker's HP."""
    found = ricochet_plan(ground)
    assert found is not None  # noqa: S101 - the gate looked
    fields, turns, states, kill_at = found.fields, found.turns, found.chain.states, kill_at_of(ground)
    map_ = map_of(fields, kill_at)
    # A basic attack defeats at 0 HP, whatever the attack does.
    basic = map_of(fields, np.zeros_like(kill_at)) if kill_at.any() else map_
    tables, begins, sizes, chances = _rolls(ground, found.levels, map_)
    plan = Plan(
        gates=turns.gates,
        rolls=turns.rolls,
        next_rows=turns.next_rows,
        steps=turns.steps,
        step_chances=turns.chances,
        tables=tables,
        begins=begins,
        sizes=sizes,
        chances=chances,
        limit=found.limit,
        late=states,
        waits=bool(ground.setup["unmet_waits"]),
        entered=found.entered,
        first_gate=states if found.is_late else int(found.entered[0, 0]),
    )
    starts = np.concatenate([map_.starts, basic.starts[:1] + len(map_.codes)])
    codes = np.concatenate([map_.codes, basic.codes[: int(basic.starts[1, 1])]])
    numbers, who = _living(fields, map_)
    course = Course(map_.front, map_.rest, starts, codes, numbers, who)
    return follow(ground, course, plan, is_counted=found.is_counted)


def _rolls(ground: ExactGround, levels: int, map_: Map) -> tuple[Ints, Ints, Ints, Floats]:
    """By roll and classes of the first three: its table, where its chances start and how many they are."""
    classes = int(ground.setup["classes"])
    shape = (ROLLS_A_LEVEL * (1 + levels), len(map_.fronts))
    tables, begins, sizes = (np.zeros(shape, np.int64) for _ in range(3))
    chances: list[Floats] = [np.ones(1)]
    ends, places = 1, {}
    for roll in range(shape[0]):
        level, stage = divmod(roll, ROLLS_A_LEVEL)
        # Tables 0 to 2: plain at a position; 3: a base strike at the first; 4: a basic attack.
        position = max(stage - 1, 0)
        table = FIRST + 1 if level == 0 else FIRST if stage == 0 else position
        for front, first in enumerate(map_.fronts):
            tables[roll, front], sizes[roll, front] = table, 1
            if position >= len(first):
                continue
            row, key = level * classes + first[position], (level, first[position], stage == 0 and level > 0)
            if key not in places:
                cap = int(ground.strikes[row]["max_hp"])
                found = strike_chances(ground.strikes[row], ground.dice[1 if level else 0], cap)
                found = found if key[2] else without_criticals(found)
                places[key] = (ends, len(found))
                chances.append(found)
                ends += len(found)
            begins[roll, front], sizes[roll, front] = places[key]
    return tables, begins, sizes, np.concatenate(chances)


def _living(fields: Fields, map_: Map) -> tuple[Ints, list[list[int]]]:
    """By field the number of its living, and who they are (one of the same class each)."""
    of_class = {one: fields.class_of.tolist().index(one) for one in fields.class_of.tolist()}
    who = [[of_class[one] for one in block.classes] + list(block.rest) for block in fields.blocks]
    numbers = np.where(map_.living >= 0, map_.living, len(who))
    return numbers.astype(np.int64), [*who, []]
