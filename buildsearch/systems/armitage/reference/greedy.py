"""Greedy play: the card that is worth most for its AP now, at the opponent with the least HP."""

from __future__ import annotations

from buildsearch.systems.armitage.reference.battle import Battle, Body
from buildsearch.systems.armitage.reference.foresight import (
    expected_damage,
    expected_heal,
    resolve_worth,
    status_worth,
)

# Two worths this close are equal: they differ only by rounding, and the first card in the rules is taken.
EQUAL = 1e-9

Choice = tuple[str, Body]


def choose_greedily(battle: Battle, who: Body, ap: int) -> Choice | None:
    """The next card and its target; None to stop, when no card in reach is worth anything."""
    target = min(battle.opponents(who), key=lambda body: body.hp)
    best, best_worth = None, EQUAL
    for name, card in battle.rules.cards.items():
        if name in who.hand and card.ap <= ap:
            worth = card_worth(battle, who, name, target, ap) / card.ap
            if worth > best_worth + EQUAL:
                best, best_worth = name, worth
    return None if best is None else (best, target)


def card_worth(battle: Battle, who: Body, name: str, target: Body, ap: int) -> float:
    """The HP that a card is expected to win, for oneself or from the target."""
    card, rules = battle.card(name), battle.rules
    if card.attack is not None:
        protected = target.hit_counter < battle.stat(target, "tuf")
        res = battle.stat(target, "res") if protected else 0
        return min(expected_damage(rules, card.attack, battle.stat(target, "eva"), res), target.hp)
    if card.heal is not None:
        return expected_heal(rules, card.heal, who.fighter.stats.hth - who.hp)
    if card.resolve is not None:
        return resolve_worth(battle, who, who.hit_counter, card.resolve)
    return status_worth(battle, who, name, target, ap)
