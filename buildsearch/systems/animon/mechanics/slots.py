"""A slot from its begin to its end, and what lies between two waves. Spec, A fight, Waves."""

from __future__ import annotations

from buildsearch.engines.jit import kernel_without_refcounts, step_without_refcounts
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.bits import (
    bond_of,
    form_of,
    get,
    has,
    hp_of,
    put,
    turn_off,
    turn_on,
)
from buildsearch.systems.animon.mechanics.hits import fall, hurt
from buildsearch.systems.animon.mechanics.layout import Floats, Ints, Words
from buildsearch.systems.animon.mechanics.luck import heart_test
from buildsearch.systems.animon.mechanics.plans import form_at, unit_at

_BASIC, _FLEDGLING = 1, 0
ACTS, MISSES, EVOLVES_ONLY = range(3)


@kernel_without_refcounts
def enter(plan: Ints, state: Ints, wave: int) -> None:
    """Our side before the first wave, and the foes of a wave."""
    for unit in range(plan[at.UNITS]):
        side = unit_at(plan, unit, at.SIDE)
        if (side == 0 and wave == 0) or (side == 1 and unit_at(plan, unit, at.COMES_IN) == wave):
            form = unit_at(plan, unit, at.START)
            state[unit] = (
                (form_at(plan, unit, form, at.F_HP) << at.HP)
                | (form << at.FORM)
                | (unit_at(plan, unit, at.BOND_AT_FIRST) << at.BOND)
            )


@step_without_refcounts
def is_beaten(plan: Ints, state: Ints, side: int) -> bool:
    """Whether nobody of a side stands."""
    stand = 0
    for unit in range(plan[at.UNITS]):
        if unit_at(plan, unit, at.SIDE) == side and hp_of(state, unit):
            stand += 1
    return stand == 0


@kernel_without_refcounts
def begin(plan: Ints, state: Ints, unit: int) -> int:
    """Steps 1 and 2: what ends, and whether the unit does anything."""
    turn_off(state, unit, at.DEFENDING)
    for other in range(plan[at.UNITS]):
        if has(state, other, at.DISORIENTED) and get(state, other, at.DISORIENTED_BY, at.BY_MASK) == unit:
            turn_off(state, other, at.DISORIENTED)
            put(state, other, at.DISORIENTED_BY, at.BY_MASK, 0)
    if hp_of(state, unit) == 0:
        return MISSES
    if has(state, unit, at.STUNNED):
        turn_off(state, unit, at.STUNNED)
        turn_off(state, unit, at.INCAPACITATED)
        return MISSES
    return EVOLVES_ONLY if has(state, unit, at.INCAPACITATED) else ACTS


@step_without_refcounts
def evolve(plan: Ints, state: Ints, unit: int, stage: int) -> None:
    """Text, Evolution in Combat."""
    if stage == unit_at(plan, unit, at.TOP):
        put(state, unit, at.BOND, at.BOND_MASK, bond_of(state, unit) - plan[at.EVOLVING_COST])
    put(state, unit, at.FORM, at.FORM_MASK, stage)
    turn_on(state, unit, at.EVOLVED)
    if plan[at.FIRST_EVOLUTION]:
        put(state, unit, at.HP, at.HP_MASK, form_at(plan, unit, stage, at.F_HP))


@step_without_refcounts
def mark_acted(plan: Ints, state: Ints, unit: int) -> None:
    """Only where somebody strikes quickly does it matter."""
    if plan[at.WATCHES_ACTED]:
        turn_on(state, unit, at.ACTED)


@kernel_without_refcounts
def finish(
    plan: Ints, odds: Floats, state: Ints, unit: int, luck: Words, tally: Floats, sampled: bool
) -> None:
    """Step 6: conditions that end, and poison."""
    lasts = plan[at.VULNERABLE_LASTS]
    if lasts == at.UNTIL_CAUSER:
        for other in range(plan[at.UNITS]):
            since = get(state, other, at.VULNERABLE, at.VULNERABLE_MASK)
            if since and get(state, other, at.VULNERABLE_BY, at.BY_MASK) == unit:
                if since == 1:
                    put(state, other, at.VULNERABLE, at.VULNERABLE_MASK, 2)
                else:
                    _heal(state, other)
    elif lasts == at.UNTIL_TARGET:
        _heal(state, unit)
    turn_off(state, unit, at.WEAKENED)
    turn_off(state, unit, at.BOOSTED)
    poison = get(state, unit, at.POISON, at.POISON_MASK)
    if poison > 1 and hp_of(state, unit):
        hurt(plan, odds, state, unit, poison - 1, luck, tally, sampled)


@step_without_refcounts
def _heal(state: Ints, unit: int) -> None:
    put(state, unit, at.VULNERABLE, at.VULNERABLE_MASK, 0)
    put(state, unit, at.VULNERABLE_BY, at.BY_MASK, 0)


@step_without_refcounts
def end_conditions(plan: Ints, state: Ints) -> None:
    """After a wave: all but poison, which lasts as long as the encounter does."""
    for unit in range(plan[at.UNITS]):
        if unit_at(plan, unit, at.SIDE) == 0 and hp_of(state, unit):
            _heal(state, unit)
            turn_off(state, unit, at.DISORIENTED)
            put(state, unit, at.DISORIENTED_BY, at.BY_MASK, 0)
            for bit in (at.DEFENDING, at.WEAKENED, at.STUNNED, at.INCAPACITATED, at.BOOSTED):
                turn_off(state, unit, bit)


@kernel_without_refcounts
def between(plan: Ints, odds: Floats, state: Ints, luck: Words, tally: Floats, sampled: bool) -> None:
    """Before the next wave: conditions end, and those who may catch their breath."""
    end_conditions(plan, state)
    for unit in range(plan[at.UNITS]):
        if unit_at(plan, unit, at.SIDE) == 0 and plan[at.BREATH]:
            _breathe(plan, odds, state, unit, luck, tally, sampled)


@step_without_refcounts
def _breathe(
    plan: Ints, odds: Floats, state: Ints, unit: int, luck: Words, tally: Floats, sampled: bool
) -> None:
    """Text, Catching Your Breath: heart tests of the fallen, back to the first stage, HP, and a new start."""
    form, hp = form_of(state, unit), hp_of(state, unit)
    if hp == 0 and unit_at(plan, unit, at.IS_PC):
        if form >= plan[at.DEVOLVING_FROM]:
            passed = heart_test(plan, odds, unit, form, plan[at.DEVOLVING], luck, tally, sampled)
            form = _BASIC if passed else _FLEDGLING
        elif form == _BASIC:
            passed = heart_test(plan, odds, unit, form, plan[at.STAYING_BASIC], luck, tally, sampled)
            form = _BASIC if passed else _FLEDGLING
    elif has(state, unit, at.EVOLVED) and not has(state, unit, at.DEVOLVED):
        form = unit_at(plan, unit, at.START)
        hp = min(hp, form_at(plan, unit, form, at.F_HP))
    most = form_at(plan, unit, form, at.F_HP)
    hp += min(plan[at.BREATH_HP] + form_at(plan, unit, form, at.F_HEART), max(0, most - hp))
    bond = bond_of(state, unit)
    fall(state, unit)  # all marks are gone
    put(state, unit, at.BOND, at.BOND_MASK, bond)
    put(state, unit, at.FORM, at.FORM_MASK, form)
    put(state, unit, at.HP, at.HP_MASK, hp)
