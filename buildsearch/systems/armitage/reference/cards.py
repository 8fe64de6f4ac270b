"""What playing a card does. Text, Attack Resolution and Utility Resolution."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from buildsearch.systems.armitage.reference.battle import Battle, Body
from buildsearch.systems.armitage.reference.events import Attacked, Healed, Resolved, StatusPlaced


def resolve_card(battle: Battle, who: Body, name: str, target: Body) -> None:
    """Play a card. `target` is whom an attack or a status on the opponent goes at."""
    card = battle.card(name)
    if card.attack is not None:
        _attack(battle, who, name, target)
    elif card.heal is not None:
        _heal(battle, who, name, card.heal)
    elif card.resolve is not None:
        _resolve(battle, who, name, card.resolve)
    else:
        _place_status(battle, who, name, target)


def _attack(battle: Battle, who: Body, name: str, target: Body) -> None:
    rules, strike = battle.rules, battle.card(name).attack
    assert strike is not None  # noqa: S101 - asked by the caller
    dice = _rolled(battle, rules.dice.attack)
    eva = battle.stat(target, "eva")
    # Spec: a hit is 3d6 + modifier >= EVA.
    hit = sum(dice) + strike.to_hit >= eva
    critical, bonus = _critical(battle, dice)
    damage_dice: tuple[int, ...] = ()
    damage = res = 0
    if hit:
        damage_dice = _rolled(battle, rules.dice.damage)
        # Spec: RES applies while hitCounter < TUF, asked at each hit; the counter rises only then.
        if target.hit_counter < battle.stat(target, "tuf"):
            res = battle.stat(target, "res")
            target.hit_counter += 1
        damage = max(0, sum(damage_dice) + strike.damage - res) + bonus
        target.hp -= damage
    if battle.emit is not None:
        battle.emit(
            Attacked(
                who=who.index,
                who_name=who.fighter.name,
                card=name,
                target=target.index,
                target_name=target.fighter.name,
                target_max_hp=target.fighter.stats.hth,
                dice=dice,
                to_hit=strike.to_hit,
                eva=eva,
                hit=hit,
                critical=critical if hit else "",
                damage_dice=damage_dice,
                damage_bonus=strike.damage,
                res=res,
                critical_bonus=bonus if hit else 0,
                damage=damage,
                hit_counter=target.hit_counter,
                hp_after=max(0, target.hp),
                defeated=not target.alive,
            )
        )


def _critical(battle: Battle, dice: tuple[int, ...]) -> tuple[Literal["", "critical", "critical-lite"], int]:
    """Text, Critical Rolls: all three alike, or exactly two."""
    match max(Counter(dice).values()):
        case 1:
            return "", 0
        case 2:
            return "critical-lite", battle.rules.criticals.two_alike
        case _:
            return "critical", battle.rules.criticals.three_alike


def _heal(battle: Battle, who: Body, name: str, number: int) -> None:
    """Text, Basic Heal: capped at the maximum."""
    dice = _rolled(battle, number)
    before = who.hp
    who.hp = min(who.fighter.stats.hth, who.hp + sum(dice))
    if battle.emit is not None:
        battle.emit(Healed(who.index, who.fighter.name, name, dice, who.hp - before, who.hp))


def _resolve(battle: Battle, who: Body, name: str, amount: int) -> None:
    """Text, Basic Resolve; spec: not below 0."""
    lowered = min(amount, who.hit_counter)
    who.hit_counter -= lowered
    if battle.emit is not None:
        battle.emit(Resolved(who.index, who.fighter.name, name, lowered, who.hit_counter))


def _place_status(battle: Battle, who: Body, name: str, target: Body) -> None:
    """Ours: a status lasts to the end of its bearer's next turn; twice the same does not add up."""
    status = battle.card(name).status
    assert status is not None  # noqa: S101 - asked by the caller
    bearer = who if status.bearer == "self" else target
    new = name not in bearer.statuses
    # On one's own turn, the end of this turn comes before that of the next one.
    bearer.statuses[name] = 2 if bearer is who else 1
    if battle.emit is not None:
        battle.emit(
            StatusPlaced(
                who=who.index,
                who_name=who.fighter.name,
                card=name,
                bearer=bearer.index,
                bearer_name=bearer.fighter.name,
                stat=status.stat,
                amount=status.amount,
                new=new,
            )
        )


def _rolled(battle: Battle, number: int) -> tuple[int, ...]:
    return tuple(battle.dice.roll(battle.rules.dice.sides) for _ in range(number))
