"""Armitage's fight: the place where its rules are written down. `engines/statement.py` says in which form.

Our side comes first, the build the first of it. "Text" is the rule text, "Spec" our reading of it, "Ours" a
reading beyond that. Cards are counted by kind, in the order of the rules file: what is neither in the hand
nor in the draw pile lies in the discard. An action is STOP or a kind and a target in one number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.dice import below, draw, primitive, roll, seen, tell, trigger
from buildsearch.engines.graphs import END, NEXT, ROUND, TICK
from buildsearch.engines.statement import ANY, rule

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STOP = -1
# What a card does, and which stat a status changes.
ATTACK, HEAL, RESOLVE, STATUS = range(4)
EVA, RES, TUF, AP = range(4)
# What is told.
ORDER, TURN, STRUCK, HEALED, RESOLVED, PLACED = range(6)

# Records. `acts` and `tie_end` belong to a place of the order: who acts there, where equal initiative ends.
WHO = ("side", "hp", "ahead", "acts", "tie_end")
CARD = ("ap", "deed", "row", "amount", "stat", "on_self", "bit")


class Fight(NamedTuple):
    """The tables; those down to `deck` are written for each build (`sheet.py`)."""

    who: Any  # WHO
    score: Ints  # score[actor, set of statuses, stat]
    deck: Ints  # deck[actor, kind]
    hand: Ints  # the state's
    pile: Ints
    cards: Any  # CARD
    cost: Ints  # AP by kind, and 1 / AP
    rate: Floats
    strike: Floats  # of (attack, eva, res): a miss, then damage 0, 1, ..
    healing: Floats  # of a heal: HTH recovered
    hit: Floats  # hit[attack, eva]
    mean: Floats  # mean[attack, eva, res]; attack 0 is the plain one
    mended: Floats  # mended[heal, missing]
    prevented: Floats  # prevented[res]: what RES takes off a plain hit
    plan: Floats  # scratch of look-ahead
    walk: Ints
    left: Ints
    hand_size: int
    foreseen: int
    highest: int  # EVA that nothing reaches
    most: int  # RES that takes off everything


# Single rules -------------------------------------------------------------------------------------


@rule
def stat(c: Any, g: Fight, i: int, s: int) -> int:
    """With the statuses that change it. Ours: none falls below 0."""
    return g.score[i, c[i].active, s]


@rule
def applies(c: Any, g: Fight, i: int) -> bool:
    """Spec: RES applies while hitCounter < TUF, asked at each hit."""
    return c[i].hits < stat(c, g, i, TUF)


@rule
def standing(c: Any, g: Fight, side: int) -> int:
    """The HP of a party. Text, Failure & Victory Conditions: defeated when HTH <= 0."""
    total = 0
    for i in range(len(c)):
        if g.who[i].side == side:
            total += c[i].hp
    return total


# Cards --------------------------------------------------------------------------------------------


@primitive
def rolled(dice: Any, table: Floats, row: int, it: int, k: int) -> Any:
    """The outcome of a card. `telling.py` shows the dice of it."""


@rolled.by(tuple)
def _(dice: Any, table: Floats, row: int, it: int, k: int) -> int:
    return roll(dice, table, row)


@rule
def attack(c: Any, g: Fight, me: int, it: int, k: int, dice: Any) -> bool:
    """Text, Attack Resolution: a hit is 3d6 + modifier >= EVA. Spec: only hits raise the counter."""
    protected = applies(c, g, it)
    res = min(stat(c, g, it, RES), g.most) if protected else 0
    eva = min(stat(c, g, it, EVA), g.highest)
    outcome = rolled(dice, g.strike, (g.cards[k].row * (g.highest + 1) + eva) * (g.most + 1) + res, it, k)
    if outcome > 0:
        if protected:
            c[it].hits += 1
        c[it].hp = max(0, c[it].hp - (outcome - 1))
    tell(dice, STRUCK, me, it, k)
    if c[it].hp == 0:  # nothing of the fallen is another state
        c[it].hits = 0
        c[it].active = 0
        c[it].fresh = 0
        for j in range(len(g.cards)):
            g.hand[it, j] = 0
            g.pile[it, j] = 0
    return outcome > 1


@rule
def heal(c: Any, g: Fight, me: int, k: int, dice: Any) -> bool:
    """Text, Basic Heal: capped at the maximum."""
    before = c[me].hp
    c[me].hp = min(g.who[me].hp, before + rolled(dice, g.healing, g.cards[k].row, me, k))
    tell(dice, HEALED, me, k, c[me].hp - before)
    return c[me].hp > before


@rule
def resolve(c: Any, g: Fight, me: int, k: int, dice: Any) -> bool:
    """Text, Basic Resolve. Spec: not below 0."""
    lowered = min(c[me].hits, g.cards[k].amount)
    c[me].hits -= lowered
    tell(dice, RESOLVED, me, k, lowered)
    return lowered > 0


@rule
def place_status(c: Any, g: Fight, me: int, it: int, k: int, dice: Any) -> bool:
    """Ours: a status lasts to the end of its bearer's next turn; twice the same does not add up.

    On one's own turn, the end of this turn comes before that of the next one: there it is fresh.
    """
    bit = g.cards[k].bit
    bearer = me if g.cards[k].on_self else it
    new = 0 if c[bearer].active & bit else 1
    c[bearer].active |= bit
    if bearer == me:
        c[me].fresh |= bit
    tell(dice, PLACED, me, k, 2 * bearer + new)
    return new == 1


@rule
def play(c: Any, g: Fight, me: int, it: int, k: int, dice: Any) -> None:
    """A card does one thing."""
    deed = g.cards[k].deed
    if deed == ATTACK:
        did = attack(c, g, me, it, k, dice)
    elif deed == HEAL:
        did = heal(c, g, me, k, dice)
    elif deed == RESOLVE:
        did = resolve(c, g, me, k, dice)
    else:
        did = place_status(c, g, me, it, k, dice)
    if me == 0 and did:
        trigger(dice, k)


# A fight ------------------------------------------------------------------------------------------


@rule
def begin(t: Any, c: Any, g: Fight, dice: Any) -> None:
    """Spec, A fight: one order for all, by initiative, a coin for ties; it is drawn once."""
    for i in range(len(c)):
        c[i].hp = g.who[i].hp
        c[i].acts = g.who[i].acts
        for k in range(len(g.cards)):
            g.pile[i, k] = g.deck[i, k]
    for place in range(len(c)):
        other = place + below(dice, g.who[place].tie_end - place)
        first = c[other].acts
        c[other].acts = c[place].acts
        c[place].acts = first
    tell(dice, ORDER, 0, 0, 0)
    start_turn(t, c, g, dice)


@rule
def start_turn(t: Any, c: Any, g: Fight, dice: Any) -> None:
    """Text, Turn Economy: AP anew, draw. Drawing now is drawing as the last turn ended: nobody sees it."""
    t.me = c[t.place].acts
    me = t.me
    t.ap = stat(c, g, me, AP)
    tell(dice, TURN, me, fill_hand(g, me, dice), 0)
    if me == 0:
        kinds = len(g.cards)
        seen(dice, 2 * kinds)
        for k in range(kinds):
            if g.hand[0, k]:
                seen(dice, kinds + k)


@rule
def fill_hand(g: Fight, me: int, dice: Any) -> int:
    """Spec: what is left of the pile first, then the discard reshuffled; gives whether it was."""
    held, left = 0, 0
    for k in range(len(g.cards)):
        held += g.hand[me, k]
        left += g.pile[me, k]
    missing = g.hand_size - held
    first = min(left, missing)
    draw(dice, g.pile, g.hand, me, left, first)
    if first == missing:
        return 0
    left = 0
    for k in range(len(g.cards)):
        g.pile[me, k] = g.deck[me, k] - g.hand[me, k]
        left += g.pile[me, k]
    draw(dice, g.pile, g.hand, me, left, min(left, missing - first))
    return 1 if left > 0 else 0


@rule
def end_turn(t: Any, c: Any, g: Fight, dice: Any) -> int:
    """On to the next who stands. Spec: the clock counts turns, and the fallen take none."""
    me = t.me
    c[me].active = c[me].fresh
    c[me].fresh = 0
    code = TICK
    t.place += 1
    while t.place == len(c) or c[c[t.place].acts].hp == 0:
        if t.place == len(c):
            t.place = -1
            code = ROUND
        t.place += 1
    start_turn(t, c, g, dice)
    return code


@rule
def act(t: Any, c: Any, g: Fight, chosen: int, dice: Any) -> int:
    """A card, or the end of a turn. Text: a fight ends when only one side is left."""
    if chosen == STOP:
        return end_turn(t, c, g, dice)
    k, it = chosen >> 5, chosen & 31
    t.ap -= g.cost[k]
    g.hand[t.me, k] -= 1
    play(c, g, t.me, it, k, dice)
    return END if c[it].hp == 0 and standing(c, g, g.who[it].side) == 0 else NEXT


@rule
def measure(t: Any, c: Any, g: Fight, out: Ints) -> None:
    """win_rate, draws, (losses), hp_left: the HP of our side."""
    us, them = standing(c, g, 0), standing(c, g, 1)
    out[0] = 1 if them == 0 else 0
    out[1] = 1 if us > 0 and them > 0 else 0
    out[2] = 1 if us == 0 else 0
    out[3] = us


@rule
def ranges(t: Any, c: Any, g: Fight) -> None:
    """The most of each field.

    Where a deck has one kind, the hand tells everything; where somebody's RES is never more than 0,
    hits do not matter.
    """
    t.place = len(c) - 1
    t.me = len(c) - 1
    for i in range(len(c)):
        c[i].hp = g.who[i].hp
        c[i].acts = len(c) - 1
        sets, has_res = g.score.shape[1], 0
        c[i].active = sets - 1
        c[i].fresh = sets - 1
        for j in range(sets):
            t.ap = max(t.ap, g.score[i, j, AP])
            c[i].hits = max(c[i].hits, g.score[i, j, TUF])
            has_res = max(has_res, g.score[i, j, RES])
        if has_res == 0:
            c[i].hits = ANY
        kinds = 0
        for k in range(len(g.cards)):
            g.hand[i, k] = min(g.hand_size, g.deck[i, k])
            g.pile[i, k] = g.deck[i, k]
            kinds += 1 if g.deck[i, k] else 0
        if kinds == 1:
            for k in range(len(g.cards)):
                g.pile[i, k] = ANY
