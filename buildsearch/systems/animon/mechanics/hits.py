"""What attacks cost and do, once the margin is known. Spec, Hits, Uses, 0 HP."""

from __future__ import annotations

from buildsearch.engines.jit import kernel_without_refcounts, step_without_refcounts
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.bits import bond_of, form_of, get, has, hp_of, put, turn_on
from buildsearch.systems.animon.mechanics.layout import Floats, Ints, Words
from buildsearch.systems.animon.mechanics.luck import GAUGE, clamp, heart_test
from buildsearch.systems.animon.mechanics.plans import attack_at, edge_at, form_at, unit_at

_BASIC, _FLEDGLING = 1, 0


@step_without_refcounts
def effects_of(plan: Ints, unit: int, attack: int) -> int:
    """The bits of an attack's effects; 0 is the plain one."""
    return attack_at(plan, unit, attack - 1, at.A_EFFECTS) if attack > 0 else 0


@step_without_refcounts
def uses_left(plan: Ints, state: Ints, unit: int) -> int:
    """Uses of the form now, less those spent."""
    return max(
        0, form_at(plan, unit, form_of(state, unit), at.F_USES) - get(state, unit, at.SPENT, at.SPENT_MASK)
    )


@step_without_refcounts
def is_free(plan: Ints, state: Ints, unit: int, attack: int) -> bool:
    """Whether an efficient attack is used for the first time."""
    if effects_of(plan, unit, attack) & at.EFFICIENT == 0:
        return False
    return not has(state, unit, at.USED_EFFICIENT + attack - 1)


@step_without_refcounts
def exhausts(plan: Ints, state: Ints, unit: int, attack: int, uses: int, bought: bool) -> bool:
    """Whether an overcharge empties the uses in a way that incapacitates."""
    if effects_of(plan, unit, attack) & at.OVERCHARGE == 0:
        return False
    least = plan[at.LEAST_EXHAUSTING]
    if bought:
        return least == 1
    cost = uses - (1 if is_free(plan, state, unit, attack) else 0)
    return uses >= least and uses_left(plan, state, unit) - cost <= 0


@kernel_without_refcounts
def pay(plan: Ints, state: Ints, unit: int, attack: int, uses: int, bought: bool, die: bool) -> None:
    """Uses and bond points, and what emptying the uses does."""
    if attack > 0:
        exhausted = exhausts(plan, state, unit, attack, uses, bought)
        if bought:
            put(state, unit, at.BOND, at.BOND_MASK, bond_of(state, unit) - plan[at.EXTRA_USE])
        else:
            cost = uses - (1 if is_free(plan, state, unit, attack) else 0)
            put(state, unit, at.SPENT, at.SPENT_MASK, get(state, unit, at.SPENT, at.SPENT_MASK) + cost)
            if effects_of(plan, unit, attack) & at.EFFICIENT:
                turn_on(state, unit, at.USED_EFFICIENT + attack - 1)
        if exhausted:
            turn_on(state, unit, at.INCAPACITATED)
    if die:
        put(state, unit, at.BOND, at.BOND_MASK, bond_of(state, unit) - plan[at.EXTRA_DIE])


@step_without_refcounts
def fall(state: Ints, unit: int) -> None:
    """Down: only the stage and the bond points stay."""
    state[unit] &= (at.FORM_MASK << at.FORM) | (at.BOND_MASK << at.BOND)


@kernel_without_refcounts
def hurt(
    plan: Ints, odds: Floats, state: Ints, unit: int, damage: int, luck: Words, tally: Floats, sampled: bool
) -> None:
    """HP lost; at 0 fight on, devolve, or down."""
    hp = hp_of(state, unit) - damage
    if hp > 0:
        put(state, unit, at.HP, at.HP_MASK, hp)
        return
    if not unit_at(plan, unit, at.IS_PC):
        state[unit] = 0 if unit_at(plan, unit, at.SIDE) else state[unit] & (at.FORM_MASK << at.FORM)
        return
    bond = bond_of(state, unit)
    if bond >= plan[at.FIGHT_ON]:
        put(state, unit, at.BOND, at.BOND_MASK, bond - plan[at.FIGHT_ON])
        put(state, unit, at.HP, at.HP_MASK, 1)
        return
    tally[GAUGE] += 1.0
    form = form_of(state, unit)
    if plan[at.DEVOLVES] and form >= plan[at.DEVOLVING_FROM]:
        passed = heart_test(plan, odds, unit, form, plan[at.DEVOLVING], luck, tally, sampled)
        form = _BASIC if passed else _FLEDGLING
        put(state, unit, at.FORM, at.FORM_MASK, form)
        put(state, unit, at.HP, at.HP_MASK, form_at(plan, unit, form, at.F_HP))
        turn_on(state, unit, at.DEVOLVED)
    else:
        fall(state, unit)


@step_without_refcounts
def score_of(plan: Ints, state: Ints, unit: int, attack: int, uses: int) -> int:
    """The damage of a hit before the margin and halves."""
    effects = effects_of(plan, unit, attack)
    score = form_at(plan, unit, form_of(state, unit), at.F_DAMAGE)
    if effects & at.OVERCHARGE:
        score *= uses
    if effects & at.HEAVY_STRIKE:
        score += plan[at.HEAVY_EXTRA] + attack_at(plan, unit, attack - 1, at.A_RANK)
    return score


@step_without_refcounts
def halves_of(plan: Ints, state: Ints, unit: int, effects: int, target: int) -> int:
    """How often damage is halved: once by effects, again by weakness."""
    halves = 1 if effects & at.HALVING else 0
    if effects & at.TOUGH_BREAK and (plan[at.TOUGH_HALVES] or not has(state, target, at.WAS_VULNERABLE)):
        halves = 1
    return halves + (1 if has(state, unit, at.WEAKENED) else 0)


@step_without_refcounts
def targets_of(plan: Ints, state: Ints, unit: int, effects: int, target: int, uses: int) -> int:
    """Bits of the targets: the chosen one, and with multi_hit the first others who stand."""
    found = 1 << target
    if effects & at.MULTI_HIT:
        left = uses - 1
        for other in range(plan[at.UNITS]):
            if left == 0:
                break
            if (
                other != target
                and unit_at(plan, other, at.SIDE) != unit_at(plan, unit, at.SIDE)
                and hp_of(state, other)
            ):
                found |= 1 << other
                left -= 1
    return found


@step_without_refcounts
def dodger_of(plan: Ints, state: Ints, target: int, targets: int) -> int:
    """Who dodges for all: most dodge dice, of equals the first."""
    if targets == 1 << target:
        return target
    best, most = target, -1
    for other in range(plan[at.UNITS]):
        if (targets >> other) & 1:
            dodge = form_at(plan, other, form_of(state, other), at.F_DODGE)
            if dodge > most:
                best, most = other, dodge
    return best


@step_without_refcounts
def attack_dice(plan: Ints, state: Ints, unit: int, attack: int) -> int:
    """Power, quality and rank."""
    dice = form_at(plan, unit, form_of(state, unit), at.F_ATTACK)
    return dice + attack_at(plan, unit, attack - 1, at.A_RANK) if attack > 0 else dice


@step_without_refcounts
def attack_net(plan: Ints, state: Ints, unit: int, attack: int, choice: int, target: int) -> int:
    """The net boost of an attack roll, limited."""
    most = plan[at.MOST_BOOST]
    net = edge_at(plan, unit, attack, choice, target)
    net += clamp(form_of(state, unit) - form_of(state, target), most)
    net += (state[unit] >> at.BOOSTED) & 1
    net -= (state[unit] >> at.DISORIENTED) & 1
    if effects_of(plan, unit, attack) & at.QUICK_STRIKE and not has(state, target, at.ACTED):
        net += 1
    return clamp(net, most)


@step_without_refcounts
def dodge_net(plan: Ints, state: Ints, target: int) -> int:
    """The net boost of a dodge roll, limited."""
    net = ((state[target] >> at.DEFENDING) & 1) + ((state[target] >> at.BOOSTED) & 1)
    if get(state, target, at.VULNERABLE, at.VULNERABLE_MASK):
        net -= 1
    return clamp(net, plan[at.MOST_BOOST])


@step_without_refcounts
def can_poison(state: Ints, unit: int, target: int) -> bool:
    """Each attacker poisons once, and nobody is poisoned twice."""
    return not has(state, unit, at.HAS_POISONED) and get(state, target, at.POISON, at.POISON_MASK) == 0


@step_without_refcounts
def _afflict(plan: Ints, state: Ints, unit: int, effects: int, target: int, is_first: bool) -> None:
    if effects & at.STUNNING_STRIKE and not has(state, target, at.WAS_STUNNED):
        turn_on(state, target, at.WAS_STUNNED)
        turn_on(state, target, at.STUNNED)
    if effects & at.MISDIRECT and not has(state, target, at.WAS_DISORIENTED):
        turn_on(state, target, at.WAS_DISORIENTED)
        turn_on(state, target, at.DISORIENTED)
        put(state, target, at.DISORIENTED_BY, at.BY_MASK, unit)
    if effects & at.SAP and not has(state, target, at.WAS_WEAKENED):
        turn_on(state, target, at.WAS_WEAKENED)
        turn_on(state, target, at.WEAKENED)
    if effects & (at.BLOCK_BREAK | at.TOUGH_BREAK) and not has(state, target, at.WAS_VULNERABLE):
        turn_on(state, target, at.WAS_VULNERABLE)
        put(state, target, at.VULNERABLE, at.VULNERABLE_MASK, 1)
        put(state, target, at.VULNERABLE_BY, at.BY_MASK, unit)
    if effects & at.POISON_STRIKE and is_first and can_poison(state, unit, target):
        power = form_at(plan, unit, form_of(state, unit), at.F_POWER)
        put(state, target, at.POISON, at.POISON_MASK, power + 1)
        turn_on(state, unit, at.HAS_POISONED)


@kernel_without_refcounts
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
    for other in range(plan[at.UNITS]):
        if unit_at(plan, other, at.SIDE) != unit_at(plan, unit, at.SIDE) and hp_of(state, other):
            enemies |= 1 << other
    # The chosen one first, then the others in order.
    for turn in range(-1, plan[at.UNITS]):
        other = target if turn < 0 else turn
        if (targets >> other) & 1 == 0 or turn == target:
            continue
        damage = 0
        if effects & at.HARMLESS == 0:
            damage = (score + margin) >> halves_of(plan, state, unit, effects, other)
        if damage > 0:
            if effects & at.ENERGY_DRAIN:
                mine = hp_of(state, unit)
                most = form_at(plan, unit, form_of(state, unit), at.F_HP)
                if mine < most:
                    put(state, unit, at.HP, at.HP_MASK, min(most, mine + unit_at(plan, other, at.LEVEL)))
            hurt(plan, odds, state, other, damage, luck, tally, sampled)
        if hp_of(state, other):
            _afflict(plan, state, unit, effects, other, turn < 0)
    if effects & at.EXPLOSIVE:
        splash = unit_at(plan, unit, at.LEVEL) >> (1 if has(state, unit, at.WEAKENED) else 0)
        left = plan[at.ADJACENT]
        for other in range(plan[at.UNITS]):
            if left and (enemies >> other) & 1 and (targets >> other) & 1 == 0:
                left -= 1
                if splash > 0:
                    hurt(plan, odds, state, other, splash, luck, tally, sampled)


@step_without_refcounts
def transfer(plan: Ints, state: Ints, unit: int, attack: int) -> None:
    """Other allies who stand are boosted."""
    left = attack_at(plan, unit, attack - 1, at.A_RANK) if plan[at.TRANSFER_BY_RANK] else plan[at.UNITS]
    for other in range(plan[at.UNITS]):
        if (
            left
            and other != unit
            and unit_at(plan, other, at.SIDE) == unit_at(plan, unit, at.SIDE)
            and hp_of(state, other)
        ):
            turn_on(state, other, at.BOOSTED)
            left -= 1
