"""What everybody decides under greedy play. Spec, Greedy play."""

from __future__ import annotations

from numba import njit

from buildsearch.systems.animon.mechanics.hits import (
    attack_dice,
    attack_net,
    can_poison,
    dodge_net,
    dodger_of,
    effects_of,
    exhausts,
    halves_of,
    is_free,
    score_of,
    targets_of,
    uses_left,
)
from buildsearch.systems.animon.mechanics.layout import (
    A_CHOICES,
    A_EFFECTS,
    A_RANK,
    A_STAGE,
    ADJACENT,
    ATTACKS,
    BLOCK_BREAK,
    BOND_DICE,
    BOOSTED,
    D_ATTACK_LESS,
    D_ATTACK_MORE,
    D_DODGE_LESS,
    D_DODGE_MORE,
    D_HALVED,
    D_PLAIN,
    DEFEND,
    DEVOLVED,
    ENERGY_DRAIN,
    EVOLVED,
    EVOLVING_COST,
    EXPLOSIVE,
    EXTRA_DIE,
    EXTRA_USE,
    F_DODGE,
    F_HP,
    F_POWER,
    HARMLESS,
    KEPT,
    LEVEL,
    MISDIRECT,
    MOST_BOOST,
    MULTI_HIT,
    POISON,
    POISON_MASK,
    POISON_STRIKE,
    POWER_TRANSFER,
    SAP,
    SIDE,
    SPREADING,
    STRIKE,
    STUNNING_STRIKE,
    TOP,
    TOUGH_BREAK,
    TRANSFER,
    TRANSFER_BY_RANK,
    WAS_DISORIENTED,
    WAS_STUNNED,
    WAS_VULNERABLE,
    WAS_WEAKENED,
    WEAKENED,
    Floats,
    Ints,
    Plan,
)
from buildsearch.systems.animon.mechanics.words import bond_of, form_of, get, has, hp_of

# Worths that differ by no more are one worth.
TIE = 1e-9


@njit(nogil=True)
def mean_of(plan: Plan, state: Ints, unit: int, target: int, change: int) -> float:
    """D of the reading."""
    return plan.mean[unit, form_of(state, unit), target, form_of(state, target), change]


@njit(nogil=True)
def _caused(
    plan: Plan, state: Ints, unit: int, effects: int, target: int, threat: float, first: bool
) -> float:
    """What a hit that does not fell newly causes is worth."""
    total = 0.0
    if effects & STUNNING_STRIKE and not has(state, target, WAS_STUNNED):
        total += threat
    if effects & MISDIRECT and not has(state, target, WAS_DISORIENTED):
        total += threat - mean_of(plan, state, target, unit, D_ATTACK_LESS)
    if effects & SAP and not has(state, target, WAS_WEAKENED):
        total += threat - mean_of(plan, state, target, unit, D_HALVED)
    if effects & (BLOCK_BREAK | TOUGH_BREAK) and not has(state, target, WAS_VULNERABLE):
        more = mean_of(plan, state, unit, target, D_DODGE_LESS)
        total += more - mean_of(plan, state, unit, target, D_PLAIN)
    if effects & POISON_STRIKE and first and can_poison(state, unit, target):
        power = plan.form[unit, form_of(state, unit), F_POWER]
        whole = mean_of(plan, state, unit, target, D_PLAIN) + power
        if whole > 0.0:
            total += hp_of(state, target) * power / whole
    return total


@njit(cache=True, nogil=True)
def worth(plan: Plan, state: Ints, unit: int, attack: int, choice: int, target: int, uses: int) -> float:
    """The mean worth of an attack, conditions as they are, without a bond die."""
    effects = effects_of(plan, unit, attack)
    targets = targets_of(plan, state, unit, effects, target, uses)
    dodger = dodger_of(plan, state, target, targets)
    most = plan.law[MOST_BOOST]
    dice = attack_dice(plan, state, unit, attack)
    chances = plan.margins[
        dice,
        attack_net(plan, state, unit, attack, choice, dodger) + most,
        plan.form[dodger, form_of(state, dodger), F_DODGE],
        dodge_net(plan, state, dodger) + most,
    ]
    score = score_of(plan, state, unit, attack, uses)
    missing = 0
    if effects & ENERGY_DRAIN:
        missing = max(0, plan.form[unit, form_of(state, unit), F_HP] - hp_of(state, unit))
    total = 0.0
    for other in range(len(plan.unit)):
        if (targets >> other) & 1 == 0:
            continue
        hp = hp_of(state, other)
        threat = mean_of(plan, state, other, unit, D_PLAIN)
        caused = 0.0
        if effects:
            caused = _caused(plan, state, unit, effects, other, threat, other == target)
        halves = halves_of(plan, state, unit, effects, other)
        for margin in range(1, dice + 1):
            damage = 0 if effects & HARMLESS else (score + margin) >> halves
            total += chances[margin] * (hp + threat if damage >= hp else damage + caused)
    if missing:
        for margin in range(1, dice + 1):
            drained = 0
            for other in range(len(plan.unit)):
                hurts = (score + margin) >> halves_of(plan, state, unit, effects, other) > 0
                if (targets >> other) & 1 and hurts:
                    drained += plan.unit[other, LEVEL]
            total += chances[margin] * min(drained, missing)
    if effects & EXPLOSIVE:
        total += (1.0 - chances[0]) * _splash_worth(plan, state, unit, targets)
    return total


@njit(nogil=True)
def _splash_worth(plan: Plan, state: Ints, unit: int, targets: int) -> float:
    splash = plan.unit[unit, LEVEL] >> (1 if has(state, unit, WEAKENED) else 0)
    left = plan.law[ADJACENT]
    total = 0.0
    for other in range(len(plan.unit)):
        if plan.unit[other, SIDE] == plan.unit[unit, SIDE] or (targets >> other) & 1:
            continue
        hp = hp_of(state, other)
        if left and hp:
            left -= 1
            total += min(splash, hp)
            if splash >= hp:
                total += mean_of(plan, state, other, unit, D_PLAIN)
    return total


@njit(nogil=True)
def _transfer_worth(plan: Plan, state: Ints, unit: int, attack: int, first_enemy: int) -> float:
    """What boosted allies would do more; below 0 where there is none."""
    left = plan.attack[unit, attack - 1, A_RANK] if plan.law[TRANSFER_BY_RANK] else len(plan.unit)
    total, allies = 0.0, 0
    for other in range(len(plan.unit)):
        if other == unit or plan.unit[other, SIDE] != plan.unit[unit, SIDE] or hp_of(state, other) == 0:
            continue
        allies += 1
        if left:
            left -= 1
            if not has(state, other, BOOSTED):
                total += mean_of(plan, state, other, first_enemy, D_ATTACK_MORE)
                total -= mean_of(plan, state, other, first_enemy, D_PLAIN)
    return total if allies else -1.0


@njit(nogil=True)
def most_uses(plan: Plan, state: Ints, unit: int, attack: int, enemies: int) -> int:
    """How many uses an attack can spend; 0: it can only be bought, -1: not of this form."""
    if plan.attack[unit, attack - 1, A_STAGE] > form_of(state, unit):
        return -1
    available = uses_left(plan, state, unit) + (1 if is_free(plan, state, unit, attack) else 0)
    effects = plan.attack[unit, attack - 1, A_EFFECTS]
    if effects & SPREADING == 0:
        return min(1, available)
    return min(available, enemies) if effects & MULTI_HIT else available


@njit(cache=True, nogil=True)
def choose(plan: Plan, state: Ints, unit: int, plain: Floats) -> tuple[int, int, int, int, int, bool]:
    """(kind, attack, choice, target, uses, bought). `plain` is room for a number by unit."""
    side = plan.unit[unit, SIDE]
    first, enemies, poisoned = -1, 0, False
    for other in range(len(plan.unit)):
        if plan.unit[other, SIDE] != side and hp_of(state, other):
            first = other if first < 0 else first
            enemies += 1
            poisoned = poisoned or get(state, other, POISON, POISON_MASK) > 0
    may_buy = bond_of(state, unit) >= plan.law[KEPT] + plan.law[EXTRA_USE]
    attacks = plan.unit[unit, ATTACKS]
    if enemies == 1 and not poisoned:
        usable = False
        for attack in range(1, attacks + 1):
            most = most_uses(plan, state, unit, attack, enemies)
            usable = usable or most > 0 or (most == 0 and may_buy)
        if not usable:
            return STRIKE, 0, 0, first, 1, False  # nothing to weigh
    kind, chosen, element, victim, spent, buys = STRIKE, 0, 0, first, 1, False
    best = -1.0
    for target in range(len(plan.unit)):
        if plan.unit[target, SIDE] != side and hp_of(state, target):
            plain[target] = worth(plan, state, unit, 0, 0, target, 1)
            if plain[target] > best + TIE:
                best, victim = plain[target], target
    for attack in range(1, attacks + 1):
        most = most_uses(plan, state, unit, attack, enemies)
        if most < 0 or (most == 0 and not may_buy):
            continue
        bought = most == 0
        if plan.attack[unit, attack - 1, A_EFFECTS] & POWER_TRANSFER:
            value = _transfer_worth(plan, state, unit, attack, first)
            if value > best + TIE and value >= 0.0:
                best = value
                kind, chosen, element, victim, spent, buys = TRANSFER, attack, 0, first, 1, bought
            continue
        for choice in range(plan.attack[unit, attack - 1, A_CHOICES]):
            for target in range(len(plan.unit)):
                if plan.unit[target, SIDE] == side or hp_of(state, target) == 0:
                    continue
                single = 0.0
                for uses in range(1, max(1, most) + 1):
                    value = worth(plan, state, unit, attack, choice, target, uses)
                    if uses == 1:
                        single = value
                    value -= (uses - 1) * max(0.0, single - plain[target])
                    if exhausts(plan, state, unit, attack, uses, bought):
                        value -= plain[target]
                    if value > best + TIE:
                        best = value
                        kind, chosen, element, victim, spent, buys = (
                            STRIKE,
                            attack,
                            choice,
                            target,
                            uses,
                            bought,
                        )
    if poisoned:
        value = 0.0
        for other in range(len(plan.unit)):
            if plan.unit[other, SIDE] != side and hp_of(state, other):
                value += mean_of(plan, state, other, unit, D_PLAIN)
                value -= mean_of(plan, state, other, unit, D_DODGE_MORE)
        if value > best + TIE:
            kind, chosen, element, victim, spent, buys = DEFEND, 0, 0, first, 1, False
    return kind, chosen, element, victim, spent, buys


@njit(nogil=True)
def buys_die(plan: Plan, state: Ints, unit: int, bought: bool) -> bool:
    """Whether greedy play buys a die for an attack: enough points are left for Fight On besides."""
    law = plan.law
    left = bond_of(state, unit) - (law[EXTRA_USE] if bought else 0)
    return law[BOND_DICE] == 1 and left >= law[KEPT] + law[EXTRA_DIE]


@njit(nogil=True)
def may_evolve(plan: Plan, state: Ints, unit: int) -> bool:
    """Once per encounter, and not after devolving."""
    if form_of(state, unit) >= plan.unit[unit, TOP]:
        return False
    return not has(state, unit, EVOLVED) and not has(state, unit, DEVOLVED)


@njit(nogil=True)
def evolves_to(plan: Plan, state: Ints, unit: int) -> int:
    """The highest stage that can be paid for; -1: none."""
    if not may_evolve(plan, state, unit):
        return -1
    top = plan.unit[unit, TOP]
    if bond_of(state, unit) >= plan.law[EVOLVING_COST]:
        return top
    return top - 1 if form_of(state, unit) < top - 1 else -1
