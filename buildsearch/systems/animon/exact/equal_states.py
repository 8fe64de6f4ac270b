"""States that go on alike are one: slots of the fallen are dropped, and equal foes close ranks.

Rules only ever ask which of two comes first. So foes that are the same may be renumbered as long as those who
stand keep their order among themselves: what is left of a pack is a multiset with an order.
"""

from __future__ import annotations

from buildsearch.engines.jit import kernel_without_refcounts, step_without_refcounts
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.bits import get, has, hp_of, put
from buildsearch.systems.animon.mechanics.layout import Ints
from buildsearch.systems.animon.mechanics.plans import unit_at


@step_without_refcounts
def _is_remembered(plan: Ints, state: Ints, unit: int) -> bool:
    """Whether somebody has a condition that ends with a slot of this one."""
    for other in range(plan[at.UNITS]):
        if has(state, other, at.DISORIENTED) and get(state, other, at.DISORIENTED_BY, at.BY_MASK) == unit:
            return True
        is_vulnerable = get(state, other, at.VULNERABLE, at.VULNERABLE_MASK) > 0
        if is_vulnerable and get(state, other, at.VULNERABLE_BY, at.BY_MASK) == unit:
            return True
    return False


@step_without_refcounts
def _drop_slots(plan: Ints, state: Ints) -> int:
    units = plan[at.UNITS]
    order, places = state[units], state[units + 1]
    place, slots = (places >> at.PLACE) & at.NIBBLE, (places >> at.SLOTS) & at.NIBBLE
    kept, number, now = 0, 0, place
    for i in range(slots):
        unit = (order >> (4 * i)) & at.NIBBLE
        if hp_of(state, unit) == 0 and not _is_remembered(plan, state, unit):
            if i < place:
                now -= 1
            continue
        kept |= unit << (4 * number)
        number += 1
    crosses = 0
    if now >= number:
        now, crosses = 0, 1
    state[units] = kept
    state[units + 1] = (
        (places & ~((at.NIBBLE << at.SLOTS) | (at.NIBBLE << at.PLACE)))
        | (number << at.SLOTS)
        | (now << at.PLACE)
    )
    return crosses


@step_without_refcounts
def _swap(plan: Ints, state: Ints, one: int, other: int) -> None:
    """Two foes change numbers."""
    units = plan[at.UNITS]
    state[one], state[other] = state[other], state[one]
    for unit in range(units):
        if has(state, unit, at.DISORIENTED):
            by = get(state, unit, at.DISORIENTED_BY, at.BY_MASK)
            if by in (one, other):
                put(state, unit, at.DISORIENTED_BY, at.BY_MASK, one + other - by)
        if get(state, unit, at.VULNERABLE, at.VULNERABLE_MASK):
            by = get(state, unit, at.VULNERABLE_BY, at.BY_MASK)
            if by in (one, other):
                put(state, unit, at.VULNERABLE_BY, at.BY_MASK, one + other - by)
    slots = (state[units + 1] >> at.SLOTS) & at.NIBBLE
    order, found = state[units], 0
    for i in range(slots):
        unit = (order >> (4 * i)) & at.NIBBLE
        if unit in (one, other):
            unit = one + other - unit
        found |= unit << (4 * i)
    state[units] = found


@kernel_without_refcounts
def merge(plan: Ints, state: Ints) -> int:
    """Make a state the one that stands for all like it; 1 if no slot is left in the round."""
    crosses = _drop_slots(plan, state)
    units = plan[at.UNITS]
    for foe in range(units):
        if unit_at(plan, foe, at.SIDE) == 0 or hp_of(state, foe):
            continue
        # The next one who stands takes the place of who is down, if of that kind: nobody passes others.
        for other in range(foe + 1, units):
            if hp_of(state, other):
                if unit_at(plan, other, at.KIND) == unit_at(plan, foe, at.KIND):
                    _swap(plan, state, foe, other)
                break
    return crosses
