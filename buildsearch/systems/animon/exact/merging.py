"""States that go on alike are one: slots of the fallen are dropped, and equal foes close ranks.

Rules only ever ask which of two comes first. So foes that are the same may be renumbered as long as those who
stand keep their order among themselves: what is left of a pack is a multiset with an order.
"""

from __future__ import annotations

from buildsearch.engines.uncounted import uncounted, uncounted_kept
from buildsearch.systems.animon.mechanics.layout import (
    BY_MASK,
    DISORIENTED,
    DISORIENTED_BY,
    KIND,
    NIBBLE,
    PLACE,
    SIDE,
    SLOTS,
    UNITS,
    VULNERABLE,
    VULNERABLE_BY,
    VULNERABLE_MASK,
    Ints,
)
from buildsearch.systems.animon.mechanics.plans import unit_at
from buildsearch.systems.animon.mechanics.words import get, has, hp_of, put


@uncounted
def _is_remembered(plan: Ints, state: Ints, unit: int) -> bool:
    """Whether somebody has a condition that ends with a slot of this one."""
    for other in range(plan[UNITS]):
        if has(state, other, DISORIENTED) and get(state, other, DISORIENTED_BY, BY_MASK) == unit:
            return True
        is_vulnerable = get(state, other, VULNERABLE, VULNERABLE_MASK) > 0
        if is_vulnerable and get(state, other, VULNERABLE_BY, BY_MASK) == unit:
            return True
    return False


@uncounted
def _drop_slots(plan: Ints, state: Ints) -> int:
    units = plan[UNITS]
    order, places = state[units], state[units + 1]
    place, slots = (places >> PLACE) & NIBBLE, (places >> SLOTS) & NIBBLE
    kept, number, now = 0, 0, place
    for i in range(slots):
        unit = (order >> (4 * i)) & NIBBLE
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
        (places & ~((NIBBLE << SLOTS) | (NIBBLE << PLACE))) | (number << SLOTS) | (now << PLACE)
    )
    return crosses


@uncounted
def _swap(plan: Ints, state: Ints, one: int, other: int) -> None:
    """Two foes change numbers."""
    units = plan[UNITS]
    state[one], state[other] = state[other], state[one]
    for unit in range(units):
        if has(state, unit, DISORIENTED):
            by = get(state, unit, DISORIENTED_BY, BY_MASK)
            if by in (one, other):
                put(state, unit, DISORIENTED_BY, BY_MASK, one + other - by)
        if get(state, unit, VULNERABLE, VULNERABLE_MASK):
            by = get(state, unit, VULNERABLE_BY, BY_MASK)
            if by in (one, other):
                put(state, unit, VULNERABLE_BY, BY_MASK, one + other - by)
    slots = (state[units + 1] >> SLOTS) & NIBBLE
    order, found = state[units], 0
    for i in range(slots):
        unit = (order >> (4 * i)) & NIBBLE
        if unit in (one, other):
            unit = one + other - unit
        found |= unit << (4 * i)
    state[units] = found


@uncounted_kept
def merge(plan: Ints, state: Ints) -> int:
    """Make a state the one that stands for all like it; 1 if no slot is left in the round."""
    crosses = _drop_slots(plan, state)
    units = plan[UNITS]
    for foe in range(units):
        if unit_at(plan, foe, SIDE) == 0 or hp_of(state, foe):
            continue
        # The next one who stands takes the place of who is down, if of that kind: nobody passes others.
        for other in range(foe + 1, units):
            if hp_of(state, other):
                if unit_at(plan, other, KIND) == unit_at(plan, foe, KIND):
                    _swap(plan, state, foe, other)
                break
    return crosses
