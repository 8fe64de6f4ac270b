"""What attacks cost and do, once the margin is known. Spec, Hits, Uses, 0 HP."""

from __future__ import annotations

from buildsearch.engines.uncounted import uncounted, uncounted_kept
from buildsearch.systems.animon.mechanics.layout import (
    A_EFFECTS,
    A_RANK,
    ACTED,
    ADJACENT,
    BLOCK_BREAK,
    BOND,
    BOND_MASK,
    BOOSTED,
    BY_MASK,
    DEFENDING,
    DEVOLVED,
    DEVOLVES,
    DEVOLVING,
    DEVOLVING_FROM,
    DISORIENTED,
    DISORIENTED_BY,
    EFFICIENT,
    ENERGY_DRAIN,
    EXPLOSIVE,
    EXTRA_DIE,
    EXTRA_USE,
    F_ATTACK,
    F_DAMAGE,
    F_DODGE,
    F_HP,
    F_POWER,
    F_USES,
    FIGHT_ON,
    FORM,
    FORM_MASK,
    HALVING,
    HARMLESS,
    HAS_POISONED,
    HEAVY_EXTRA,
    HEAVY_STRIKE,
    HP,
    HP_MASK,
    INCAPACITATED,
    IS_PC,
    LEAST_EXHAUSTING,
    LEVEL,
    MISDIRECT,
    MOST_BOOST,
    MULTI_HIT,
    OVERCHARGE,
    POISON,
    POISON_MASK,
    POISON_STRIKE,
    QUICK_STRIKE,
    SAP,
    SIDE,
    SPENT,
    SPENT_MASK,
    STUNNED,
    STUNNING_STRIKE,
    TOUGH_BREAK,
    TOUGH_HALVES,
    TRANSFER_BY_RANK,
    UNITS,
    USED_EFFICIENT,
    VULNERABLE,
    VULNERABLE_BY,
    VULNERABLE_MASK,
    WAS_DISORIENTED,
    WAS_STUNNED,
    WAS_VULNERABLE,
    WAS_WEAKENED,
    WEAKENED,
    Floats,
    Ints,
    Words,
)
from buildsearch.systems.animon.mechanics.luck import GAUGE, clamp, heart_test
from buildsearch.systems.animon.mechanics.plans import attack_at, edge_at, form_at, unit_at
from buildsearch.systems.animon.mechanics.words import bond_of, form_of, get, has, hp_of, put, turn_on

_BASIC, _FLEDGLING = 1, 0


@uncounted
def effects_of(plan: Ints, unit: int, attack: int) -> int:
    """The bits of an attack's effects; 0 is the plain one."""
    return attack_at(plan, unit, attack - 1, A_EFFECTS) if attack > 0 else 0


@uncounted
def uses_left(plan: Ints, state: Ints, unit: int) -> int:
    """Uses of the form now, less those spent."""
    return max(0, form_at(plan, unit, form_of(state, unit), F_USES) - get(state, unit, SPENT, SPENT_MASK))


@uncounted
def is_free(plan: Ints, state: Ints, unit: int, attack: int) -> bool:
    """Whether an efficient attack is used for the first time."""
    if effects_of(plan, unit, attack) & EFFICIENT == 0:
        return False
    return not has(state, unit, USED_EFFICIENT + attack - 1)


@uncounted
def exhausts(plan: Ints, state: Ints, unit: int, attack: int, uses: int, bought: bool) -> bool:
    """Whether an overcharge empties the uses in a way that incapacitates."""
    if effects_of(plan, unit, attack) & OVERCHARGE == 0:
        return False
    least = plan[LEAST_EXHAUSTING]
    if bought:
        return least == 1
    cost = uses - (1 if is_free(plan, state, unit, attack) else 0)
    return uses >= least and uses_left(plan, state, unit) - cost <= 0


@uncounted_kept
def pay(plan: Ints, state: Ints, unit: int, attack: int, uses: int, bought: bool, die: bool) -> None:
    """Uses and bond points, and what emptying the uses does."""
    if attack > 0:
        exhausted = exhausts(plan, state, unit, attack, uses, bought)
        if bought:
            put(state, unit, BOND, BOND_MASK, bond_of(state, unit) - plan[EXTRA_USE])
        else:
            cost = uses - (1 if is_free(plan, state, unit, attack) else 0)
            put(state, unit, SPENT, SPENT_MASK, get(state, unit, SPENT, SPENT_MASK) + cost)
            if effects_of(plan, unit, attack) & EFFICIENT:
                turn_on(state, unit, USED_EFFICIENT + attack - 1)
        if exhausted:
            turn_on(state, unit, INCAPACITATED)
    if die:
        put(state, unit, BOND, BOND_MASK, bond_of(state, unit) - plan[EXTRA_DIE])


@uncounted
def fall(state: Ints, unit: int) -> None:
    """Down: only the stage and the bond points stay."""
    state[unit] &= (FORM_MASK << FORM) | (BOND_MASK << BOND)


@uncounted_kept
def hurt(
    plan: Ints, odds: Floats, state: Ints, unit: int, damage: int, luck: Words, tally: Floats, sampled: bool
) -> None:
    """HP lost; at 0 fight on, devolve, or down."""
    hp = hp_of(state, unit) - damage
    if hp > 0:
        put(state, unit, HP, HP_MASK, hp)
        return
    if not unit_at(plan, unit, IS_PC):
        state[unit] = 0 if unit_at(plan, unit, SIDE) else state[unit] & (FORM_MASK << FORM)
        return
    bond = bond_of(state, unit)
    if bond >= plan[FIGHT_ON]:
        put(state, unit, BOND, BOND_MASK, bond - plan[FIGHT_ON])
        put(state, unit, HP, HP_MASK, 1)
        return
    tally[GAUGE] += 1.0
    form = form_of(state, unit)
    if plan[DEVOLVES] and form >= plan[DEVOLVING_FROM]:
        passed = heart_test(plan, odds, unit, form, plan[DEVOLVING], luck, tally, sampled)
        form = _BASIC if passed else _FLEDGLING
        put(state, unit, FORM, FORM_MASK, form)
        put(state, unit, HP, HP_MASK, form_at(plan, unit, form, F_HP))
        turn_on(state, unit, DEVOLVED)
    else:
        fall(state, unit)


@uncounted
def score_of(plan: Ints, state: Ints, unit: int, attack: int, uses: int) -> int:
    """The damage of a hit before the margin and halves."""
    effects = effects_of(plan, unit, attack)
    score = form_at(plan, unit, form_of(state, unit), F_DAMAGE)
    if effects & OVERCHARGE:
        score *= uses
    if effects & HEAVY_STRIKE:
        score += plan[HEAVY_EXTRA] + attack_at(plan, unit, attack - 1, A_RANK)
    return score


@uncounted
def halves_of(plan: Ints, state: Ints, unit: int, effects: int, target: int) -> int:
    """How often damage is halved: once by effects, again by weakness."""
    halves = 1 if effects & HALVING else 0
    if effects & TOUGH_BREAK and (plan[TOUGH_HALVES] or not has(state, target, WAS_VULNERABLE)):
        halves = 1
    return halves + (1 if has(state, unit, WEAKENED) else 0)


@uncounted
def targets_of(plan: Ints, state: Ints, unit: int, effects: int, target: int, uses: int) -> int:
    """Bits of the targets: the chosen one, and with multi_hit the first others who stand."""
    found = 1 << target
    if effects & MULTI_HIT:
        left = uses - 1
        for other in range(plan[UNITS]):
            if left == 0:
                break
            if (
                other != target
                and unit_at(plan, other, SIDE) != unit_at(plan, unit, SIDE)
                and hp_of(state, other)
            ):
                found |= 1 << other
                left -= 1
    return found


@uncounted
def dodger_of(plan: Ints, state: Ints, target: int, targets: int) -> int:
    """Who dodges for all: most dodge dice, of equals the first."""
    if targets == 1 << target:
        return target
    best, most = target, -1
    for other in range(plan[UNITS]):
        if (targets >> other) & 1:
            dodge = form_at(plan, other, form_of(state, other), F_DODGE)
            if dodge > most:
                best, most = other, dodge
    return best


@uncounted
def attack_dice(plan: Ints, state: Ints, unit: int, attack: int) -> int:
    """Power, quality and rank."""
    dice = form_at(plan, unit, form_of(state, unit), F_ATTACK)
    return dice + attack_at(plan, unit, attack - 1, A_RANK) if attack > 0 else dice


@uncounted
def attack_net(plan: Ints, state: Ints, unit: int, attack: int, choice: int, target: int) -> int:
    """The net boost of an attack roll, limited."""
    most = plan[MOST_BOOST]
    net = edge_at(plan, unit, attack, choice, target)
    net += clamp(form_of(state, unit) - form_of(state, target), most)
    net += (state[unit] >> BOOSTED) & 1
    net -= (state[unit] >> DISORIENTED) & 1
    if effects_of(plan, unit, attack) & QUICK_STRIKE and not has(state, target, ACTED):
        net += 1
    return clamp(net, most)


@uncounted
def dodge_net(plan: Ints, state: Ints, target: int) -> int:
    """The net boost of a dodge roll, limited."""
    net = ((state[target] >> DEFENDING) & 1) + ((state[target] >> BOOSTED) & 1)
    if get(state, target, VULNERABLE, VULNERABLE_MASK):
        net -= 1
    return clamp(net, plan[MOST_BOOST])


@uncounted
def can_poison(state: Ints, unit: int, target: int) -> bool:
    """Each attacker poisons once, and nobody is poisoned twice."""
    return not has(state, unit, HAS_POISONED) and get(state, target, POISON, POISON_MASK) == 0


@uncounted
def _afflict(plan: Ints, state: Ints, unit: int, effects: int, target: int, is_first: bool) -> None:
    if effects & STUNNING_STRIKE and not has(state, target, WAS_STUNNED):
        turn_on(state, target, WAS_STUNNED)
        turn_on(state, target, STUNNED)
    if effects & MISDIRECT and not has(state, target, WAS_DISORIENTED):
        turn_on(state, target, WAS_DISORIENTED)
        turn_on(state, target, DISORIENTED)
        put(state, target, DISORIENTED_BY, BY_MASK, unit)
    if effects & SAP and not has(state, target, WAS_WEAKENED):
        turn_on(state, target, WAS_WEAKENED)
        turn_on(state, target, WEAKENED)
    if effects & (BLOCK_BREAK | TOUGH_BREAK) and not has(state, target, WAS_VULNERABLE):
        turn_on(state, target, WAS_VULNERABLE)
        put(state, target, VULNERABLE, VULNERABLE_MASK, 1)
        put(state, target, VULNERABLE_BY, BY_MASK, unit)
    if effects & POISON_STRIKE and is_first and can_poison(state, unit, target):
        power = form_at(plan, unit, form_of(state, unit), F_POWER)
        put(state, target, POISON, POISON_MASK, power + 1)
        turn_on(state, unit, HAS_POISONED)


@uncounted_kept
def strike(
    plan: Ints,
    odds: Floats,
    state: Ints,
    unit: int,
    attack: int,
    target: int,
    uses: int,
    margin: int,
    luck: Words,
    tally: Floats,
    sampled: bool,
) -> None:
    """A hit by a margin: for each target damage, drain, 0 HP, conditions; then the splash."""
    effects = effects_of(plan, unit, attack)
    targets = targets_of(plan, state, unit, effects, target, uses)
    score = score_of(plan, state, unit, attack, uses)
    enemies = 0
    for other in range(plan[UNITS]):
        if unit_at(plan, other, SIDE) != unit_at(plan, unit, SIDE) and hp_of(state, other):
            enemies |= 1 << other
    # The chosen one first, then the others in order.
    for turn in range(-1, plan[UNITS]):
        other = target if turn < 0 else turn
        if (targets >> other) & 1 == 0 or turn == target:
            continue
        damage = 0
        if effects & HARMLESS == 0:
            damage = (score + margin) >> halves_of(plan, state, unit, effects, other)
        if damage > 0:
            if effects & ENERGY_DRAIN:
                mine = hp_of(state, unit)
                most = form_at(plan, unit, form_of(state, unit), F_HP)
                if mine < most:
                    put(state, unit, HP, HP_MASK, min(most, mine + unit_at(plan, other, LEVEL)))
            hurt(plan, odds, state, other, damage, luck, tally, sampled)
        if hp_of(state, other):
            _afflict(plan, state, unit, effects, other, turn < 0)
    if effects & EXPLOSIVE:
        splash = unit_at(plan, unit, LEVEL) >> (1 if has(state, unit, WEAKENED) else 0)
        left = plan[ADJACENT]
        for other in range(plan[UNITS]):
            if left and (enemies >> other) & 1 and (targets >> other) & 1 == 0:
                left -= 1
                if splash > 0:
                    hurt(plan, odds, state, other, splash, luck, tally, sampled)


@uncounted
def transfer(plan: Ints, state: Ints, unit: int, attack: int) -> None:
    """Other allies who stand are boosted."""
    left = attack_at(plan, unit, attack - 1, A_RANK) if plan[TRANSFER_BY_RANK] else plan[UNITS]
    for other in range(plan[UNITS]):
        if (
            left
            and other != unit
            and unit_at(plan, other, SIDE) == unit_at(plan, unit, SIDE)
            and hp_of(state, other)
        ):
            turn_on(state, other, BOOSTED)
            left -= 1
