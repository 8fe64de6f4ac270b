"""A fight, turn by turn. Text, Combat Loop; spec, A fight."""

from __future__ import annotations

from collections.abc import Sequence

from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.armitage.bouts import OURS, Fighter
from buildsearch.systems.armitage.reference.battle import Battle, Body, Emit
from buildsearch.systems.armitage.reference.cards import resolve_card
from buildsearch.systems.armitage.reference.events import FightEnded, FightResult, OrderSet, TurnStarted
from buildsearch.systems.armitage.reference.greedy import choose_greedily
from buildsearch.systems.armitage.reference.lookahead import choose_ahead
from buildsearch.systems.armitage.reference.piles import fill_hand, shuffle
from buildsearch.systems.armitage.rules.model import ArmitageRules

__all__ = ["FightResult", "fight"]

_CHOOSERS = {"greedy": choose_greedily, "lookahead": choose_ahead}


def fight(
    rules: ArmitageRules,
    fighters: Sequence[Fighter],
    max_turns: int,
    dice: Dice,
    emit: Emit | None = None,
) -> FightResult:
    """One fight. With `emit`, everything that happens is told."""
    bodies = [
        Body(i, fighter, fighter.stats.hth, [card for card, number in fighter.deck for _ in range(number)])
        for i, fighter in enumerate(fighters)
    ]
    battle = Battle(rules, bodies, dice, emit)
    for body in bodies:
        shuffle(body.draw_pile, dice)
    order = _order(battle)
    _fight_out(battle, order, max_turns)
    result = _result(battle)
    if emit is not None:
        emit(FightEnded(result))
    return result


def _order(battle: Battle) -> list[Body]:
    """Spec: by initiative, a coin for ties; one order for all."""
    lots = list(battle.bodies)
    for last in range(len(lots) - 1, 0, -1):
        other = battle.dice.roll(last + 1) - 1
        lots[last], lots[other] = lots[other], lots[last]
    # Sorting keeps equals in the order of their lots.
    order = sorted(lots, key=lambda body: -body.fighter.stats.initiative)
    if battle.emit is not None:
        battle.emit(
            OrderSet(tuple((body.index, body.fighter.name, body.fighter.stats.initiative) for body in order))
        )
    return order


def _fight_out(battle: Battle, order: list[Body], max_turns: int) -> None:
    while True:
        battle.round += 1
        for body in order:
            if body.alive:
                battle.turn += 1
                take_turn(battle, body)
                if battle.over() or battle.turn == max_turns:
                    return


def take_turn(battle: Battle, body: Body) -> None:
    """Text, Turn Economy: AP anew, draw, play cards, discard what was played."""
    ap = battle.stat(body, "ap")
    reshuffled = fill_hand(body, battle.rules.hand, battle.dice)
    if battle.emit is not None:
        battle.emit(
            TurnStarted(
                turn=battle.turn,
                round=battle.round,
                who=body.index,
                who_name=body.fighter.name,
                ap=ap,
                hand=tuple(sorted(body.hand, key=list(battle.rules.cards).index)),
                reshuffled=reshuffled,
                standing=tuple(each.standing for each in battle.bodies if each.alive),
            )
        )
    choose = _CHOOSERS[body.fighter.play]
    while ap > 0 and (choice := choose(battle, body, ap)) is not None:
        name, target = choice
        ap -= battle.card(name).ap
        body.hand.remove(name)
        body.discard.append(name)
        resolve_card(battle, body, name, target)
        if battle.over():
            return
    body.statuses = {name: ends - 1 for name, ends in body.statuses.items() if ends > 1}


def _result(battle: Battle) -> FightResult:
    sides = {body.side for body in battle.bodies if body.alive}
    value = 0.5 if len(sides) > 1 else 1.0 if OURS in sides else 0.0
    hp_left = sum(max(0, body.hp) for body in battle.bodies if body.side == OURS)
    return FightResult(value, battle.round, battle.turn, hp_left)
