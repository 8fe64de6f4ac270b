"""A slot from its begin to its end, and what lies between two waves. Spec, A fight, Waves."""

from __future__ import annotations

from buildsearch.engines.uncounted import uncounted, uncounted_kept
from buildsearch.systems.animon.mechanics.hits import fall, hurt
from buildsearch.systems.animon.mechanics.layout import (
    ACTED,
    BOND,
    BOND_AT_FIRST,
    BOND_MASK,
    BOOSTED,
    BREATH,
    BREATH_HP,
    BY_MASK,
    COMES_IN,
    DEFENDING,
    DEVOLVED,
    DEVOLVING,
    DEVOLVING_FROM,
    DISORIENTED,
    DISORIENTED_BY,
    EVOLVED,
    EVOLVING_COST,
    F_HEART,
    F_HP,
    FIRST_EVOLUTION,
    FORM,
    FORM_MASK,
    HP,
    HP_MASK,
    INCAPACITATED,
    IS_PC,
    POISON,
    POISON_MASK,
    SIDE,
    START,
    STAYING_BASIC,
    STUNNED,
    TOP,
    UNITS,
    UNTIL_CAUSER,
    UNTIL_TARGET,
    VULNERABLE,
    VULNERABLE_BY,
    VULNERABLE_LASTS,
    VULNERABLE_MASK,
    WATCHES_ACTED,
    WEAKENED,
    Floats,
    Ints,
    Words,
)
from buildsearch.systems.animon.mechanics.luck import heart_test
from buildsearch.systems.animon.mechanics.plans import form_at, unit_at
from buildsearch.systems.animon.mechanics.words import (
    bond_of,
    form_of,
    get,
    has,
    hp_of,
    put,
    turn_off,
    turn_on,
)

_BASIC, _FLEDGLING = 1, 0
ACTS, MISSES, EVOLVES_ONLY = range(3)


@uncounted_kept
def enter(plan: Ints, state: Ints, wave: int) -> None:
    """Our side before the first wave, and the foes of a wave."""
    for unit in range(plan[UNITS]):
        side = unit_at(plan, unit, SIDE)
        if (side == 0 and wave == 0) or (side == 1 and unit_at(plan, unit, COMES_IN) == wave):
            form = unit_at(plan, unit, START)
            state[unit] = (
                (form_at(plan, unit, form, F_HP) << HP)
                | (form << FORM)
                | (unit_at(plan, unit, BOND_AT_FIRST) << BOND)
            )


@uncounted
def is_beaten(plan: Ints, state: Ints, side: int) -> bool:
    """Whether nobody of a side stands."""
    stand = 0
    for unit in range(plan[UNITS]):
        if unit_at(plan, unit, SIDE) == side and hp_of(state, unit):
            stand += 1
    return stand == 0


@uncounted_kept
def begin(plan: Ints, state: Ints, unit: int) -> int:
    """Steps 1 and 2: what ends, and whether the unit does anything."""
    turn_off(state, unit, DEFENDING)
    for other in range(plan[UNITS]):
        if has(state, other, DISORIENTED) and get(state, other, DISORIENTED_BY, BY_MASK) == unit:
            turn_off(state, other, DISORIENTED)
            put(state, other, DISORIENTED_BY, BY_MASK, 0)
    if hp_of(state, unit) == 0:
        return MISSES
    if has(state, unit, STUNNED):
        turn_off(state, unit, STUNNED)
        turn_off(state, unit, INCAPACITATED)
        return MISSES
    return EVOLVES_ONLY if has(state, unit, INCAPACITATED) else ACTS


@uncounted
def evolve(plan: Ints, state: Ints, unit: int, stage: int) -> None:
    """Text, Evolution in Combat."""
    if stage == unit_at(plan, unit, TOP):
        put(state, unit, BOND, BOND_MASK, bond_of(state, unit) - plan[EVOLVING_COST])
    put(state, unit, FORM, FORM_MASK, stage)
    turn_on(state, unit, EVOLVED)
    if plan[FIRST_EVOLUTION]:
        put(state, unit, HP, HP_MASK, form_at(plan, unit, stage, F_HP))


@uncounted
def mark_acted(plan: Ints, state: Ints, unit: int) -> None:
    """Only where somebody strikes quickly does it matter."""
    if plan[WATCHES_ACTED]:
        turn_on(state, unit, ACTED)


@uncounted_kept
def finish(
    plan: Ints, odds: Floats, state: Ints, unit: int, luck: Words, tally: Floats, sampled: bool
) -> None:
    """Step 6: conditions that end, and poison."""
    lasts = plan[VULNERABLE_LASTS]
    if lasts == UNTIL_CAUSER:
        for other in range(plan[UNITS]):
            since = get(state, other, VULNERABLE, VULNERABLE_MASK)
            if since and get(state, other, VULNERABLE_BY, BY_MASK) == unit:
                if since == 1:
                    put(state, other, VULNERABLE, VULNERABLE_MASK, 2)
                else:
                    _heal(state, other)
    elif lasts == UNTIL_TARGET:
        _heal(state, unit)
    turn_off(state, unit, WEAKENED)
    turn_off(state, unit, BOOSTED)
    poison = get(state, unit, POISON, POISON_MASK)
    if poison > 1 and hp_of(state, unit):
        hurt(plan, odds, state, unit, poison - 1, luck, tally, sampled)


@uncounted
def _heal(state: Ints, unit: int) -> None:
    put(state, unit, VULNERABLE, VULNERABLE_MASK, 0)
    put(state, unit, VULNERABLE_BY, BY_MASK, 0)


@uncounted
def end_conditions(plan: Ints, state: Ints) -> None:
    """After a wave: all but poison, which lasts as long as the encounter does."""
    for unit in range(plan[UNITS]):
        if unit_at(plan, unit, SIDE) == 0 and hp_of(state, unit):
            _heal(state, unit)
            turn_off(state, unit, DISORIENTED)
            put(state, unit, DISORIENTED_BY, BY_MASK, 0)
            for at in (DEFENDING, WEAKENED, STUNNED, INCAPACITATED, BOOSTED):
                turn_off(state, unit, at)


@uncounted_kept
def between(plan: Ints, odds: Floats, state: Ints, luck: Words, tally: Floats, sampled: bool) -> None:
    """Before the next wave: conditions end, and those who may catch their breath."""
    end_conditions(plan, state)
    for unit in range(plan[UNITS]):
        if unit_at(plan, unit, SIDE) == 0 and plan[BREATH]:
            _breathe(plan, odds, state, unit, luck, tally, sampled)


@uncounted
def _breathe(
    plan: Ints, odds: Floats, state: Ints, unit: int, luck: Words, tally: Floats, sampled: bool
) -> None:
    """Text, Catching Your Breath: heart tests of the fallen, back to the first stage, HP, and a new start."""
    form, hp = form_of(state, unit), hp_of(state, unit)
    if hp == 0 and unit_at(plan, unit, IS_PC):
        if form >= plan[DEVOLVING_FROM]:
            passed = heart_test(plan, odds, unit, form, plan[DEVOLVING], luck, tally, sampled)
            form = _BASIC if passed else _FLEDGLING
        elif form == _BASIC:
            passed = heart_test(plan, odds, unit, form, plan[STAYING_BASIC], luck, tally, sampled)
            form = _BASIC if passed else _FLEDGLING
    elif has(state, unit, EVOLVED) and not has(state, unit, DEVOLVED):
        form = unit_at(plan, unit, START)
        hp = min(hp, form_at(plan, unit, form, F_HP))
    most = form_at(plan, unit, form, F_HP)
    hp += min(plan[BREATH_HP] + form_at(plan, unit, form, F_HEART), max(0, most - hp))
    bond = bond_of(state, unit)
    fall(state, unit)  # all marks are gone
    put(state, unit, BOND, BOND_MASK, bond)
    put(state, unit, FORM, FORM_MASK, form)
    put(state, unit, HP, HP_MASK, hp)
