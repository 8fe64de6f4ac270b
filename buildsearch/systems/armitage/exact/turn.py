"""What a turn can bring: the distribution of states after some cards. Fractions: nothing is rounded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from buildsearch.systems.armitage.rules.chances import damage_chances, sum_chances
from buildsearch.systems.armitage.rules.model import ArmitageRules, Card, Stats


class Duelists(NamedTuple):
    """Who plays and who is played at. HP stop at 0."""

    own_hp: int
    own_hits: int
    target_hp: int
    target_hits: int


Distribution = dict[Duelists, Fraction]


def turn_outcomes(
    rules: ArmitageRules, cards: Sequence[str], own: Stats, target: Stats, start: Duelists
) -> Distribution:
    """The chance of each state after these cards in this order; cards after a defeat are not played."""
    states: Distribution = {start: Fraction(1)}
    for name in cards:
        after: Distribution = {}
        for state, chance in states.items():
            for outcome, share in card_outcomes(rules, rules.cards[name], own, target, state).items():
                after[outcome] = after.get(outcome, Fraction(0)) + chance * share
        states = after
    return states


def card_outcomes(
    rules: ArmitageRules, card: Card, own: Stats, target: Stats, state: Duelists
) -> Distribution:
    """The chance of each state after one card; statuses are not among the cards that it knows."""
    if state.target_hp == 0:
        return {state: Fraction(1)}
    found: Distribution = {}
    if card.attack is not None:
        # Spec: RES applies while hitCounter < TUF, asked at each hit; the counter rises only then.
        protected = state.target_hits < target.tuf
        for damage, chance in damage_chances(
            rules, card.attack, target.eva, target.res if protected else 0
        ).items():
            after = state
            if damage is not None:
                hits = state.target_hits + int(protected)
                after = state._replace(target_hp=max(0, state.target_hp - damage), target_hits=hits)
            if chance:
                found[after] = found.get(after, Fraction(0)) + chance
    elif card.heal is not None:
        for roll, chance in sum_chances(card.heal, rules.dice.sides).items():
            after = state._replace(own_hp=min(own.hth, state.own_hp + roll))
            found[after] = found.get(after, Fraction(0)) + chance
    elif card.resolve is not None:
        found[state._replace(own_hits=max(0, state.own_hits - card.resolve))] = Fraction(1)
    else:
        raise ValueError("a status card changes more than a turn's state holds")
    return found
