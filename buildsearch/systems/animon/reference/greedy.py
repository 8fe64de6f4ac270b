"""What everybody decides under greedy play. Spec, Greedy play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from buildsearch.systems.animon.reference.attacks import (
    BREAKING,
    Strike,
    Transfer,
    attack_dice,
    attack_net,
    damage_of,
    dodge_net,
    dodger_of,
    effects_of,
    elements_of,
    is_free,
    matchup,
    splash_of,
    splashed,
    stage_difference,
    targets_of,
)
from buildsearch.systems.animon.reference.chances import chance_of, margins
from buildsearch.systems.animon.reference.unit import Unit
from buildsearch.systems.animon.rules.model import AnimonRules

TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Defend:
    """A boost on dodge rolls until the own next slot."""


Decision = Strike | Transfer | Defend


def mean_damage(
    rules: AnimonRules,
    me: Unit,
    target: Unit,
    *,
    attack: int = 0,
    dodge: int = 0,
    halved: bool = False,
) -> float:
    """D: the mean damage of a plain attack by forms alone, with one change."""
    net = matchup(rules, me.who.element, target.who.element) + stage_difference(rules, me, target) + attack
    chances = margins(
        me.form.attack, chance_of(rules.dice, net), target.form.dodge, chance_of(rules.dice, dodge)
    )
    total = 0.0
    for margin in range(1, len(chances)):
        damage = me.form.damage + margin
        total += chances[margin] * (damage // 2 if halved else damage)
    return total


def decide(rules: AnimonRules, me: Unit, friends: Sequence[Unit], enemies: Sequence[Unit]) -> Decision:
    """The best option; a later one only if it is worth more. Friends and enemies are those who stand."""
    best: Decision = Strike(enemies[0])
    best_worth = -1.0
    for option, value in _options(rules, me, friends, enemies):
        if value > best_worth + TIE:
            best, best_worth = option, value
    return best


def _options(
    rules: AnimonRules, me: Unit, friends: Sequence[Unit], enemies: Sequence[Unit]
) -> Iterator[tuple[Decision, float]]:
    plain: dict[Unit, float] = {}
    for target in enemies:
        plain[target] = worth(rules, me, Strike(target), enemies)
        yield Strike(target), plain[target]
    for place, attack in enumerate(me.who.attacks):
        if attack.stage > me.stage:
            continue
        effects = attack.signature.effects
        free = int(is_free(me, place))
        available = me.uses_left + free
        is_bought = available == 0
        if is_bought and me.bond < rules.bond.kept + rules.bond.extra_use:
            continue
        if "power_transfer" in effects:
            others = _reached(rules, attack.rank, me, friends)
            if any(each is not me for each in friends):
                gain = sum(
                    mean_damage(rules, each, enemies[0], attack=1) - mean_damage(rules, each, enemies[0])
                    for each in others
                    if not each.is_boosted
                )
                yield Transfer(place, is_bought), gain
            continue
        most = 1
        if not is_bought and ("overcharge" in effects or "multi_hit" in effects):
            most = min(available, len(enemies)) if "multi_hit" in effects else available
        for element in elements_of(rules, me, place):
            for target in enemies:
                first = 0.0
                for uses in range(1, most + 1):
                    strike = Strike(target, place, element, uses, is_bought)
                    value = worth(rules, me, strike, enemies)
                    if uses == 1:
                        first = value
                    value -= (uses - 1) * max(0.0, first - plain[target])
                    if exhausts(rules, me, strike):
                        value -= plain[target]
                    yield strike, value
    if any(each.poison is not None for each in enemies):
        kept = sum(mean_damage(rules, each, me) - mean_damage(rules, each, me, dodge=1) for each in enemies)
        yield Defend(), kept


def with_bond_die(rules: AnimonRules, me: Unit, strike: Strike) -> Strike:
    """A die is bought if enough points are left for Fight On besides."""
    left = me.bond - (rules.bond.extra_use if strike.is_bought else 0)
    buys = rules.rulings.bond_dice == "attack" and left >= rules.bond.kept + rules.bond.extra_die
    return replace(strike, has_bond_die=buys)


def exhausts(rules: AnimonRules, me: Unit, strike: Strike) -> bool:
    """Whether an overcharge empties the uses in a way that incapacitates."""
    if strike.place is None or "overcharge" not in effects_of(me, strike.place):
        return False
    least = 2 if rules.rulings.overcharge == "two" else 1
    if strike.is_bought:
        return least == 1
    left = me.uses_left - (strike.uses - int(is_free(me, strike.place)))
    return strike.uses >= least and left <= 0


def worth(rules: AnimonRules, me: Unit, strike: Strike, enemies: Sequence[Unit]) -> float:
    """The mean worth of an attack, conditions as they are, without a bond die."""
    targets = targets_of(me, strike, enemies)
    dodger = dodger_of(targets)
    chances = margins(
        attack_dice(me, strike),
        chance_of(rules.dice, attack_net(rules, me, strike, dodger)),
        dodger.form.dodge,
        chance_of(rules.dice, dodge_net(dodger)),
    )
    return sum(
        chances[margin] * _hit_worth(rules, me, strike, targets, enemies, margin)
        for margin in range(1, len(chances))
    )


def _hit_worth(
    rules: AnimonRules,
    me: Unit,
    strike: Strike,
    targets: Sequence[Unit],
    enemies: Sequence[Unit],
    margin: int,
) -> float:
    effects = effects_of(me, strike.place)
    total, drained = 0.0, 0
    for target in targets:
        damage = damage_of(rules, me, strike, target, margin)
        threat = mean_damage(rules, target, me)
        total += min(damage, target.hp)
        if damage >= target.hp:
            total += threat
        else:
            total += _caused(rules, me, strike, target, threat, is_first=target is targets[0])
        if damage > 0:
            drained += target.who.level
    if "energy_drain" in effects:
        total += min(drained, me.missing)
    if "explosive" in effects:
        splash = splash_of(me)
        for other in splashed(rules, targets, enemies):
            total += min(splash, other.hp)
            if splash >= other.hp:
                total += mean_damage(rules, other, me)
    return total


def _caused(
    rules: AnimonRules, me: Unit, strike: Strike, target: Unit, threat: float, *, is_first: bool
) -> float:
    """What a hit newly causes is worth."""
    effects = effects_of(me, strike.place)
    total = 0.0
    if "stunning_strike" in effects and "stunning_strike" not in target.marks:
        total += threat
    if "misdirect" in effects and "misdirect" not in target.marks:
        total += threat - mean_damage(rules, target, me, attack=-1)
    if "sap" in effects and "sap" not in target.marks:
        total += threat - mean_damage(rules, target, me, halved=True)
    if any(each in effects for each in BREAKING) and "block_break" not in target.marks:
        total += mean_damage(rules, me, target, dodge=-1) - mean_damage(rules, me, target)
    if "poison_strike" in effects and can_poison(me, target) and is_first:
        power = me.form.power
        whole = mean_damage(rules, me, target) + power
        total += target.hp * power / whole if whole else 0.0
    return total


def can_poison(me: Unit, target: Unit) -> bool:
    """Each attacker poisons once, and nobody is poisoned twice."""
    return not me.has_poisoned and target.poison is None


def _reached(rules: AnimonRules, rank: int, me: Unit, friends: Sequence[Unit]) -> list[Unit]:
    """Who a power transfer reaches."""
    others = [each for each in friends if each is not me]
    return others if rules.rulings.power_transfer == "all" else others[:rank]


def reached(rules: AnimonRules, me: Unit, place: int, friends: Sequence[Unit]) -> list[Unit]:
    """Who a power transfer of one's own reaches."""
    return _reached(rules, me.who.attacks[place].rank, me, friends)


def stage_to_evolve_to(rules: AnimonRules, me: Unit) -> int | None:
    """The highest stage that can be paid for; None: there is none, or it has been done."""
    if me.has_evolved or me.has_devolved or me.stage >= me.who.top:
        return None
    if me.bond >= rules.bond.evolving:
        return me.who.top
    return me.who.top - 1 if me.stage < me.who.top - 1 else None
