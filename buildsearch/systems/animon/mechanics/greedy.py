"""What everybody decides under greedy play. Spec, Greedy play."""

from __future__ import annotations

from buildsearch.engines.jit import kernel_without_refcounts, step_without_refcounts
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.bits import bond_of, form_of, get, has, hp_of
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
from buildsearch.systems.animon.mechanics.layout import Floats, Ints
from buildsearch.systems.animon.mechanics.plans import attack_at, form_at, margin_row, mean_at, unit_at

# Worths that differ by no more are one worth.
TIE = 1e-9


@step_without_refcounts
def mean_of(plan: Ints, odds: Floats, state: Ints, unit: int, target: int, change: int) -> float:
    """D of the reading."""
    return mean_at(odds, unit, form_of(state, unit), target, form_of(state, target), change)


@step_without_refcounts
def _caused(
    plan: Ints, odds: Floats, state: Ints, unit: int, effects: int, target: int, threat: float, first: bool
) -> float:
    """What a hit that does not fell newly causes is worth."""
    total = 0.0
    if effects & at.STUNNING_STRIKE and not has(state, target, at.WAS_STUNNED):
        total += threat
    if effects & at.MISDIRECT and not has(state, target, at.WAS_DISORIENTED):
        total += threat - mean_of(plan, odds, state, target, unit, at.D_ATTACK_LESS)
    if effects & at.SAP and not has(state, target, at.WAS_WEAKENED):
        total += threat - mean_of(plan, odds, state, target, unit, at.D_HALVED)
    if effects & (at.BLOCK_BREAK | at.TOUGH_BREAK) and not has(state, target, at.WAS_VULNERABLE):
        more = mean_of(plan, odds, state, unit, target, at.D_DODGE_LESS)
        total += more - mean_of(plan, odds, state, unit, target, at.D_PLAIN)
    if effects & at.POISON_STRIKE and first and can_poison(state, unit, target):
        power = form_at(plan, unit, form_of(state, unit), at.F_POWER)
        whole = mean_of(plan, odds, state, unit, target, at.D_PLAIN) + power
        if whole > 0.0:
            total += hp_of(state, target) * power / whole
    return total


@kernel_without_refcounts
def worth(
    plan: Ints, odds: Floats, state: Ints, unit: int, attack: int, choice: int, target: int, uses: int
) -> float:
    """The mean worth of an attack, conditions as they are, without a bond die."""
    effects = effects_of(plan, unit, attack)
    targets = targets_of(plan, state, unit, effects, target, uses)
    dodger = dodger_of(plan, state, target, targets)
    dice = attack_dice(plan, state, unit, attack)
    row = margin_row(
        dice,
        attack_net(plan, state, unit, attack, choice, dodger),
        form_at(plan, dodger, form_of(state, dodger), at.F_DODGE),
        dodge_net(plan, state, dodger),
    )
    score = score_of(plan, state, unit, attack, uses)
    missing = 0
    if effects & at.ENERGY_DRAIN:
        missing = max(0, form_at(plan, unit, form_of(state, unit), at.F_HP) - hp_of(state, unit))
    total = 0.0
    for other in range(plan[at.UNITS]):
        if (targets >> other) & 1 == 0:
            continue
        hp = hp_of(state, other)
        threat = mean_of(plan, odds, state, other, unit, at.D_PLAIN)
        caused = 0.0
        if effects:
            caused = _caused(plan, odds, state, unit, effects, other, threat, other == target)
        halves = halves_of(plan, state, unit, effects, other)
        for margin in range(1, dice + 1):
            damage = 0 if effects & at.HARMLESS else (score + margin) >> halves
            total += odds[row + margin] * (hp + threat if damage >= hp else damage + caused)
    if missing:
        for margin in range(1, dice + 1):
            drained = 0
            for other in range(plan[at.UNITS]):
                hurts = (score + margin) >> halves_of(plan, state, unit, effects, other) > 0
                if (targets >> other) & 1 and hurts:
                    drained += unit_at(plan, other, at.LEVEL)
            total += odds[row + margin] * min(drained, missing)
    if effects & at.EXPLOSIVE:
        total += (1.0 - odds[row]) * _splash_worth(plan, odds, state, unit, targets)
    return total


@step_without_refcounts
def _splash_worth(plan: Ints, odds: Floats, state: Ints, unit: int, targets: int) -> float:
    splash = unit_at(plan, unit, at.LEVEL) >> (1 if has(state, unit, at.WEAKENED) else 0)
    left = plan[at.ADJACENT]
    total = 0.0
    for other in range(plan[at.UNITS]):
        if unit_at(plan, other, at.SIDE) == unit_at(plan, unit, at.SIDE) or (targets >> other) & 1:
            continue
        hp = hp_of(state, other)
        if left and hp:
            left -= 1
            total += min(splash, hp)
            if splash >= hp:
                total += mean_of(plan, odds, state, other, unit, at.D_PLAIN)
    return total


@step_without_refcounts
def _transfer_worth(plan: Ints, odds: Floats, state: Ints, unit: int, attack: int, first_enemy: int) -> float:
    """What boosted allies would do more; below 0 where there is none."""
    left = attack_at(plan, unit, attack - 1, at.A_RANK) if plan[at.TRANSFER_BY_RANK] else plan[at.UNITS]
    total, allies = 0.0, 0
    for other in range(plan[at.UNITS]):
        if (
            other == unit
            or unit_at(plan, other, at.SIDE) != unit_at(plan, unit, at.SIDE)
            or hp_of(state, other) == 0
        ):
            continue
        allies += 1
        if left:
            left -= 1
            if not has(state, other, at.BOOSTED):
                total += mean_of(plan, odds, state, other, first_enemy, at.D_ATTACK_MORE)
                total -= mean_of(plan, odds, state, other, first_enemy, at.D_PLAIN)
    return total if allies else -1.0


@step_without_refcounts
def most_uses(plan: Ints, state: Ints, unit: int, attack: int, enemies: int) -> int:
    """How many uses an attack can spend; 0: it can only be bought, -1: not of this form."""
    if attack_at(plan, unit, attack - 1, at.A_STAGE) > form_of(state, unit):
        return -1
    available = uses_left(plan, state, unit) + (1 if is_free(plan, state, unit, attack) else 0)
    effects = attack_at(plan, unit, attack - 1, at.A_EFFECTS)
    if effects & at.SPREADING == 0:
        return min(1, available)
    return min(available, enemies) if effects & at.MULTI_HIT else available


@step_without_refcounts
def _twin_of(plan: Ints, state: Ints, target: int) -> int:
    """An earlier one of the same kind in the same state, which no later one is preferred to; -1: none."""
    for other in range(target):
        if state[other] == state[target] and unit_at(plan, other, at.KIND) == unit_at(plan, target, at.KIND):
            return other
    return -1


@kernel_without_refcounts
def choose(
    plan: Ints, odds: Floats, state: Ints, unit: int, plain: Floats
) -> tuple[int, int, int, int, int, bool]:
    """(kind, attack, choice, target, uses, bought). `plain` is room for a number by unit."""
    side = unit_at(plan, unit, at.SIDE)
    first, enemies, poisoned = -1, 0, False
    for other in range(plan[at.UNITS]):
        if unit_at(plan, other, at.SIDE) != side and hp_of(state, other):
            first = other if first < 0 else first
            enemies += 1
            poisoned = poisoned or get(state, other, at.POISON, at.POISON_MASK) > 0
    may_buy = bond_of(state, unit) >= plan[at.KEPT] + plan[at.EXTRA_USE]
    attacks = unit_at(plan, unit, at.ATTACKS)
    if enemies == 1 and not poisoned:
        usable = False
        for attack in range(1, attacks + 1):
            most = most_uses(plan, state, unit, attack, enemies)
            usable = usable or most > 0 or (most == 0 and may_buy)
        if not usable:
            return at.STRIKE, 0, 0, first, 1, False  # nothing to weigh
    kind, chosen, element, victim, spent, buys = at.STRIKE, 0, 0, first, 1, False
    best = -1.0
    for target in range(plan[at.UNITS]):
        if unit_at(plan, target, at.SIDE) != side and hp_of(state, target):
            twin = _twin_of(plan, state, target) if enemies > 1 else -1
            if twin >= 0:
                plain[target] = plain[twin]
                continue
            plain[target] = worth(plan, odds, state, unit, 0, 0, target, 1)
            if plain[target] > best + TIE:
                best, victim = plain[target], target
    for attack in range(1, attacks + 1):
        most = most_uses(plan, state, unit, attack, enemies)
        if most < 0 or (most == 0 and not may_buy):
            continue
        bought = most == 0
        # Attacks that reach others too differ by who those are.
        singles = (
            enemies > 1
            and attack_at(plan, unit, attack - 1, at.A_EFFECTS) & (at.MULTI_HIT | at.EXPLOSIVE) == 0
        )
        if attack_at(plan, unit, attack - 1, at.A_EFFECTS) & at.POWER_TRANSFER:
            value = _transfer_worth(plan, odds, state, unit, attack, first)
            if value > best + TIE and value >= 0.0:
                best = value
                kind, chosen, element, victim, spent, buys = at.TRANSFER, attack, 0, first, 1, bought
            continue
        for choice in range(attack_at(plan, unit, attack - 1, at.A_CHOICES)):
            for target in range(plan[at.UNITS]):
                if unit_at(plan, target, at.SIDE) == side or hp_of(state, target) == 0:
                    continue
                if singles and _twin_of(plan, state, target) >= 0:
                    continue
                single = 0.0
                for uses in range(1, max(1, most) + 1):
                    value = worth(plan, odds, state, unit, attack, choice, target, uses)
                    if uses == 1:
                        single = value
                    value -= (uses - 1) * max(0.0, single - plain[target])
                    if exhausts(plan, state, unit, attack, uses, bought):
                        value -= plain[target]
                    if value > best + TIE:
                        best = value
                        kind, chosen, element, victim, spent, buys = (
                            at.STRIKE,
                            attack,
                            choice,
                            target,
                            uses,
                            bought,
                        )
    if poisoned:
        value = 0.0
        for other in range(plan[at.UNITS]):
            if unit_at(plan, other, at.SIDE) != side and hp_of(state, other):
                value += mean_of(plan, odds, state, other, unit, at.D_PLAIN)
                value -= mean_of(plan, odds, state, other, unit, at.D_DODGE_MORE)
        if value > best + TIE:
            kind, chosen, element, victim, spent, buys = at.DEFEND, 0, 0, first, 1, False
    return kind, chosen, element, victim, spent, buys


@step_without_refcounts
def buys_die(plan: Ints, state: Ints, unit: int, bought: bool) -> bool:
    """Whether greedy play buys a die for an attack: enough points are left for Fight On besides."""
    left = bond_of(state, unit) - (plan[at.EXTRA_USE] if bought else 0)
    return plan[at.BOND_DICE] == 1 and left >= plan[at.KEPT] + plan[at.EXTRA_DIE]


@step_without_refcounts
def may_evolve(plan: Ints, state: Ints, unit: int) -> bool:
    """Once per encounter, and not after devolving."""
    if form_of(state, unit) >= unit_at(plan, unit, at.TOP):
        return False
    return not has(state, unit, at.EVOLVED) and not has(state, unit, at.DEVOLVED)


@step_without_refcounts
def evolves_to(plan: Ints, state: Ints, unit: int) -> int:
    """The highest stage that can be paid for; -1: none."""
    if not may_evolve(plan, state, unit):
        return -1
    top = unit_at(plan, unit, at.TOP)
    if bond_of(state, unit) >= plan[at.EVOLVING_COST]:
        return top
    return top - 1 if form_of(state, unit) < top - 1 else -1
