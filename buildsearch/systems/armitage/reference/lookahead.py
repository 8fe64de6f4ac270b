"""Look-ahead play: every order of the cards in reach, each against expected outcomes.

A plan goes at one opponent. In it the world moves by means: the target's HP fall by the mean damage, its hit
counter rises by the chance of a hit, one's own missing HP fall by the mean heal. The first card of the best
plan is played; then everything is weighed anew, with what really happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from buildsearch.systems.armitage.reference.battle import Battle, Body
from buildsearch.systems.armitage.reference.foresight import (
    expected_damage,
    expected_heal,
    expected_hit,
    resolve_worth,
    status_worth,
)
from buildsearch.systems.armitage.reference.greedy import EQUAL, Choice


@dataclass(frozen=True, slots=True)
class _Expected:
    """The world as a plan expects it after some of its cards."""

    ap: int
    worth: float
    target_hp: float
    target_hits: float
    eva: int
    res: int
    tuf: int
    missing: float
    own_hits: int
    placed: frozenset[str] = frozenset()


def choose_ahead(battle: Battle, who: Body, ap: int) -> Choice | None:
    """The first card of the best plan and its target; None to stop, when no plan is worth anything."""
    best: Choice | None = None
    best_worth = EQUAL
    for target in battle.opponents(who):
        start = _Expected(
            ap=ap,
            worth=0.0,
            target_hp=target.hp,
            target_hits=target.hit_counter,
            eva=battle.stat(target, "eva"),
            res=battle.stat(target, "res"),
            tuf=battle.stat(target, "tuf"),
            missing=who.fighter.stats.hth - who.hp,
            own_hits=who.hit_counter,
        )
        for first, worth in _plans(battle, who, target, start, Counter(who.hand), None):
            if worth > best_worth + EQUAL:
                best, best_worth = (first, target), worth
    return best


def _plans(
    battle: Battle, who: Body, target: Body, state: _Expected, hand: Counter[str], first: str | None
) -> Iterator[tuple[str, float]]:
    """Every order of cards that the AP allow: its first card and what it is worth."""
    for name, card in battle.rules.cards.items():
        if hand[name] and card.ap <= state.ap:
            after = _after(battle, who, name, target, state)
            yield first or name, after.worth
            yield from _plans(battle, who, target, after, hand - Counter([name]), first or name)


def _after(battle: Battle, who: Body, name: str, target: Body, state: _Expected) -> _Expected:
    card, rules = battle.card(name), battle.rules
    after = replace(state, ap=state.ap - card.ap)
    if card.attack is not None:
        # The counter may stand between two numbers; so much of the next hit meets RES.
        share = min(1.0, max(0.0, state.tuf - state.target_hits))
        full = expected_damage(rules, card.attack, state.eva, 0)
        reduced = expected_damage(rules, card.attack, state.eva, state.res)
        gain = min(share * reduced + (1 - share) * full, state.target_hp)
        hits = state.target_hits + share * expected_hit(rules, card.attack, state.eva)
        return replace(after, worth=state.worth + gain, target_hp=state.target_hp - gain, target_hits=hits)
    if card.heal is not None:
        gain = expected_heal(rules, card.heal, state.missing)
        return replace(after, worth=state.worth + gain, missing=state.missing - gain)
    if card.resolve is not None:
        gain = resolve_worth(battle, who, state.own_hits, card.resolve)
        return replace(after, worth=state.worth + gain, own_hits=max(0, state.own_hits - card.resolve))
    return _after_status(battle, who, name, target, state, after)


def _after_status(
    battle: Battle, who: Body, name: str, target: Body, state: _Expected, after: _Expected
) -> _Expected:
    status = battle.card(name).status
    assert status is not None  # noqa: S101 - asked by the caller
    bearer = who if status.bearer == "self" else target
    if name in bearer.statuses or name in state.placed:
        return after
    after = replace(after, placed=state.placed | {name})
    if status.bearer == "self" or status.stat == "ap":
        return replace(after, worth=state.worth + status_worth(battle, who, name, target, state.ap))
    # An opponent's weakness is worth what the rest of the plan makes of it.
    return replace(
        after,
        eva=max(0, state.eva + status.amount) if status.stat == "eva" else state.eva,
        res=max(0, state.res + status.amount) if status.stat == "res" else state.res,
        tuf=max(0, state.tuf + status.amount) if status.stat == "tuf" else state.tuf,
    )
