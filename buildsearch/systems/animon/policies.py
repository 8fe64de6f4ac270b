"""How Animon Story is played: greedily by everybody, and all that the build could do. Spec, Greedy play."""

from __future__ import annotations

from typing import Any

from buildsearch.engines.policies import TIE
from buildsearch.engines.statement import rule
from buildsearch.systems.animon.attacks import (
    ATTACK_LESS,
    ATTACK_MORE,
    BLOCK_BREAK,
    BREAKING,
    DEFEND,
    DODGE_LESS,
    DODGE_MORE,
    ENERGY_DRAIN,
    EVOLVE,
    EXPLOSIVE,
    HALVED,
    HARMLESS,
    MISDIRECT,
    MULTI_HIT,
    PASS,
    PLAIN,
    POISON_STRIKE,
    POWER_TRANSFER,
    REST,
    SAP,
    SPREADING,
    STRIKE,
    STUNNING_STRIKE,
    TRANSFER,
    WAIT,
    Fight,
    Ints,
    action,
    are_foes,
    at,
    attack_net,
    attack_of,
    can_poison,
    dodge_net,
    dodger_of,
    exhausts,
    halves_of,
    is_free,
    margin_row,
    score_of,
    targets_of,
    uses_left,
)
from buildsearch.systems.animon.statement import may_evolve


@rule
def damage_of(c: Any, g: Fight, me: int, it: int, change: int) -> float:
    """D: the mean damage of a plain attack by forms alone, with one change."""
    return g.mean[at(c, me), at(c, it), change]


@rule
def caused(c: Any, g: Fight, me: int, effects: int, it: int, threat: float, is_first: bool) -> float:
    """What a hit that does not fell newly causes is worth."""
    new, total = effects & ~c[it].marks, 0.0
    if new & STUNNING_STRIKE:
        total += threat
    if new & MISDIRECT:
        total += threat - damage_of(c, g, it, me, ATTACK_LESS)
    if new & SAP:
        total += threat - damage_of(c, g, it, me, HALVED)
    if effects & BREAKING and c[it].marks & BLOCK_BREAK == 0:
        total += damage_of(c, g, me, it, DODGE_LESS) - damage_of(c, g, me, it, PLAIN)
    if effects & POISON_STRIKE and is_first and can_poison(c, me, it):
        power = g.form[at(c, me)].power
        whole = damage_of(c, g, me, it, PLAIN) + power
        if whole > 0.0:
            total += c[it].hp * power / whole
    return total


@rule
def worth(c: Any, g: Fight, me: int, attack: int, choice: int, it: int, uses: int) -> float:
    """The mean worth of an attack, conditions as they are, without a bond die."""
    a, own = g.attack[attack_of(me, attack)], g.form[at(c, me)]
    effects = a.effects
    targets = targets_of(c, g, me, effects, it, uses)
    dodger = dodger_of(c, g, it, targets)
    number, net = own.attack + a.rank, attack_net(c, g, me, attack, choice, dodger)
    dodge = g.form[at(c, dodger)].dodge
    row = margin_row(g, number, net, dodge, dodge_net(c, g, dodger))
    score, total = score_of(c, g, me, attack, uses), 0.0
    left, splash = g.adjacent if effects & EXPLOSIVE else 0, g.who[me].level >> c[me].weakened
    missing = max(0, own.hp - c[me].hp) if effects & ENERGY_DRAIN else 0
    for i in range(len(c)):
        hp = c[i].hp
        if (targets >> i) & 1:
            threat = damage_of(c, g, i, me, PLAIN)
            then = caused(c, g, me, effects, i, threat, i == it) if effects else 0.0
            halves = halves_of(c, g, me, effects, i)
            for by in range(1, number + 1):
                damage = 0 if effects & HARMLESS else (score + by) >> halves
                total += g.margins[row + by] * (hp + threat if damage >= hp else damage + then)
        elif left > 0 and hp > 0 and are_foes(g, i, me):
            left -= 1
            felled = damage_of(c, g, i, me, PLAIN) if splash >= hp else 0.0
            total += (1.0 - g.margins[row]) * (min(splash, hp) + felled)
    if missing:
        for by in range(1, number + 1):
            drained = 0
            for i in range(len(c)):
                if (targets >> i) & 1 and (score + by) >> halves_of(c, g, me, effects, i) > 0:
                    drained += g.who[i].level
            total += g.margins[row + by] * min(drained, missing)
    return total


@rule
def transfer_worth(c: Any, g: Fight, me: int, attack: int, foe: int) -> float:
    """What boosted allies would do more; below 0 where there is none."""
    left = g.attack[attack_of(me, attack)].rank if g.transfer_by_rank else len(c)
    total, is_alone = 0.0, True
    for i in range(len(c)):
        if i != me and c[i].hp > 0 and not are_foes(g, i, me):
            is_alone = False
            if left > 0 and not c[i].boosted:
                total += damage_of(c, g, i, foe, ATTACK_MORE) - damage_of(c, g, i, foe, PLAIN)
            left -= 1
    return -1.0 if is_alone else total


@rule
def most_uses(c: Any, g: Fight, me: int, attack: int, enemies: int) -> int:
    """How many uses an attack can spend; 0: it can only be bought, -1: not of this form."""
    a = g.attack[attack_of(me, attack)]
    if a.stage > c[me].form:
        return -1
    if attack == 0:
        return 1
    available = uses_left(c, g, me) + is_free(c, g, me, attack)
    if a.effects & SPREADING == 0:
        return min(1, available)
    return min(available, enemies) if a.effects & MULTI_HIT else available


@rule
def twin_of(c: Any, g: Fight, it: int) -> int:
    """An earlier one that attacks at one target do not tell apart: it is preferred. -1: there is none."""
    for i in range(it):
        if (
            g.who[i].kind == g.who[it].kind
            and c[i].hp == c[it].hp
            and c[i].marks == c[it].marks
            and c[i].defending == c[it].defending
            and c[i].boosted == c[it].boosted
            and c[i].acted == c[it].acted
            and (c[i].vulnerable > 0) == (c[it].vulnerable > 0)
            and (c[i].poison > 0) == (c[it].poison > 0)
        ):
            return i
    return -1


@rule
def may_buy(c: Any, g: Fight, me: int) -> bool:
    """Ours: enough points are left for Fight On."""
    return c[me].bond >= g.kept + g.extra_use


@rule
def buys_die(c: Any, g: Fight, me: int, bought: int) -> int:
    """The same of a die for an attack. A ruling says whether there are any."""
    left = c[me].bond - g.extra_use * bought
    return 1 if g.bond_dice and left >= g.kept + g.extra_die else 0


@rule
def choose(c: Any, g: Fight, me: int) -> int:
    """The action that is worth most; a later one only if it is worth more."""
    first, enemies, poisoned, usable = -1, 0, False, False
    for i in range(len(c)):
        if c[i].hp > 0 and are_foes(g, i, me):
            first = i if first < 0 else first
            enemies += 1
            poisoned = poisoned or c[i].poison > 0
    if enemies == 0:  # where rules give somebody no HP at all
        return action(PASS, 0, 0, 0, 0, 0, 0)
    attacks = g.who[me].attacks
    for attack in range(1, attacks + 1):
        most = most_uses(c, g, me, attack, enemies)
        usable = usable or most > 0 or (most == 0 and may_buy(c, g, me))
    chosen = action(STRIKE, 0, 0, first, 1, 0, buys_die(c, g, me, 0))
    if enemies == 1 and not poisoned and not usable:
        return chosen  # nothing to weigh
    best = -1.0
    for attack in range(attacks + 1):
        most, a = most_uses(c, g, me, attack, enemies), g.attack[attack_of(me, attack)]
        if most < 0 or (most == 0 and not may_buy(c, g, me)):
            continue
        bought = 1 if most == 0 else 0
        if a.effects & POWER_TRANSFER:
            value = transfer_worth(c, g, me, attack, first)
            if value > best + TIE and value >= 0.0:
                best, chosen = value, action(TRANSFER, attack, 0, 0, 1, bought, 0)
            continue
        # Attacks that reach others too differ by who those are.
        singles = enemies > 1 and a.effects & (MULTI_HIT | EXPLOSIVE) == 0
        for choice in range(a.choices):
            for it in range(len(c)):
                if c[it].hp == 0 or not are_foes(g, it, me):
                    continue
                twin, single = twin_of(c, g, it) if singles else -1, 0.0
                if twin >= 0:
                    if attack == 0:
                        g.plain[it] = g.plain[twin]
                    continue
                for uses in range(1, max(1, most) + 1):
                    value = worth(c, g, me, attack, choice, it, uses)
                    if uses == 1:
                        single = value
                    if attack == 0:
                        g.plain[it] = value
                    value -= (uses - 1) * max(0.0, single - g.plain[it])
                    if exhausts(c, g, me, attack, uses, bought):
                        value -= g.plain[it]
                    if value > best + TIE:
                        die = buys_die(c, g, me, bought)
                        best, chosen = value, action(STRIKE, attack, choice, it, uses, bought, die)
    if poisoned:
        value = 0.0
        for i in range(len(c)):
            if c[i].hp > 0 and are_foes(g, i, me):
                value += damage_of(c, g, i, me, PLAIN) - damage_of(c, g, i, me, DODGE_MORE)
        if value > best + TIE:
            chosen = action(DEFEND, 0, 0, 0, 1, 0, 0)
    return chosen


@rule
def greedy(t: Any, c: Any, g: Fight) -> int:
    """Spec, Greedy play: evolve at once to the highest stage that can be paid for."""
    me = c[t.place].acts
    if t.slots == 0:
        return action(REST, 0, 0, 0, 0, 0, 0)
    if c[me].stunned:
        return action(WAIT, 0, 0, 0, 0, 0, 0)
    if may_evolve(c, g, me):
        stage = g.who[me].top - (0 if c[me].bond >= g.evolving else 1)
        if stage > c[me].form:
            return action(EVOLVE, 0, 0, 0, stage, 0, 0)
    return action(WAIT, 0, 0, 0, 0, 0, 0) if c[me].incapacitated else choose(c, g, me)


@rule
def options(t: Any, c: Any, g: Fight, out: Ints) -> int:
    """Spec, Best play: attacks in greedy's order, defend, attacks with a die bought, pass, evolve."""
    me, number, enemies = c[t.place].acts, 0, 0
    if t.slots == 0 or me != 0 or c[me].stunned:
        return 0
    for i in range(len(c)):
        enemies += 1 if c[i].hp > 0 and are_foes(g, i, me) else 0
    if c[me].incapacitated:
        out[number] = action(WAIT, 0, 0, 0, 0, 0, 0)
        number += 1
    else:
        for die in range(2 if g.bond_dice and c[me].bond >= g.extra_die else 1):
            for attack in range(g.who[me].attacks + 1):
                most, a = most_uses(c, g, me, attack, enemies), g.attack[attack_of(me, attack)]
                bought = 1 if most == 0 else 0
                if most < 0 or bought * (g.extra_use + die * g.extra_die) > c[me].bond:
                    continue
                if a.effects & POWER_TRANSFER:
                    continue  # nobody to boost: no better than passing
                for choice in range(a.choices):
                    for it in range(len(c)):
                        if c[it].hp > 0 and are_foes(g, it, me):
                            for uses in range(1, max(1, most) + 1):
                                out[number] = action(STRIKE, attack, choice, it, uses, bought, die)
                                number += 1
            if die == 0:
                out[number] = action(DEFEND, 0, 0, 0, 0, 0, 0)
                number += 1
        out[number] = action(PASS, 0, 0, 0, 0, 0, 0)
        number += 1
    if may_evolve(c, g, me):
        for stage in range(c[me].form + 1, g.who[me].top + 1):
            if stage < g.who[me].top or c[me].bond >= g.evolving:
                out[number] = action(EVOLVE, 0, 0, 0, stage, 0, 0)
                number += 1
    return number
