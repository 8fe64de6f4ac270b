"""Two games that nobody plays, small enough to go through every roll of them by hand.

`PIT`: two fighters, a coin for who begins, blows by a table, a choice to guard. `DECK`: cards drawn without
replacement, a clock that ticks more often than rounds begin, a chance of its own, a field without effect.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from buildsearch.engines.dice import (
    Tree,
    below,
    branch,
    chance,
    chances_of,
    draw,
    gain,
    pick,
    primitive,
    roll,
    seen,
    tell,
    trigger,
)
from buildsearch.engines.graphs import END, NEXT, ROUND, TICK
from buildsearch.engines.statement import ANY, Statement, Terms, records, rule

STRIKE, GUARD, RAGE = range(3)


class Pit(NamedTuple):
    who: Any  # hp, blow: the row of the table, rage
    blows: Any
    guarded: float


@rule
def pit_begin(t, c, g, dice):
    for i in range(2):
        c[i].hp = g.who[i].hp
        c[i].rage = g.who[i].rage
    t.side = 0 if chance(dice, 0.5) else 1


@rule
def pit_decide(t, c, g):
    if c[t.side].rage and c[t.side].hp == 1:
        return RAGE
    return STRIKE


@rule
def pit_options(t, c, g, out):
    if t.side == 1:
        return 0
    out[0] = STRIKE
    out[1] = GUARD
    out[2] = RAGE
    return 3 if c[0].rage else 2


@rule
def strike(c, g, me, it, dice):
    if not c[it].guard or chance(dice, g.guarded):
        c[it].hp = max(0, c[it].hp - roll(dice, g.blows, g.who[me].blow))


@rule
def pit_act(t, c, g, action, dice):
    me, it = t.side, 1 - t.side
    c[me].guard = 0
    if action == GUARD:
        c[me].guard = 1
    else:
        strike(c, g, me, it, dice)
        if action == RAGE and c[it].hp > 0:
            c[me].rage -= 1
            trigger(dice, 0)
            strike(c, g, me, it, dice)
    tell(dice, action, me, c[me].hp, c[it].hp)
    if c[it].hp == 0:
        return END
    t.side = it
    return ROUND if t.side == 0 else NEXT


@rule
def pit_measure(t, c, g, out):
    out[0] = 1 if c[1].hp == 0 else 0
    out[1] = 1 if c[0].hp > 0 and c[1].hp > 0 else 0
    out[2] = 1 if c[0].hp == 0 else 0
    out[3] = c[0].hp


@rule
def pit_ranges(t, c, g):
    t.side = 1
    for i in range(2):
        c[i].hp = g.who[i].hp
        c[i].rage = g.who[i].rage
        c[i].guard = 1


@rule
def pit_prepare(g, source, sheet):
    g.who[0].hp = sheet.hp
    g.who[0].rage = sheet.rage
    # Blows 2 and 3 are the same row of the table: nobody can tell such builds apart.
    g.who[0].blow = min(sheet.blow, 2)


PIT = Statement(
    name="pit",
    table=("side",),
    actor=("hp", "rage", "guard"),
    metrics=("win", "draw", "loss", "hp"),
    begin=pit_begin,
    decide=pit_decide,
    act=pit_act,
    measure=pit_measure,
    ranges=pit_ranges,
    options=pit_options,
    prepare=pit_prepare,
    sheet=("hp", "rage", "blow"),
    own=("who",),
)
BLOWS = [[0.5, 0.5, 0.0], [0.25, 0.5, 0.25], [0.125, 0.125, 0.75]]


def pit(limit=3, enemy=(2, 0, 1), statement=PIT):
    who = records([(0, 0, 0), enemy], ("hp", "rage", "blow"))
    return Terms(statement, Pit(who, chances_of(BLOWS), 0.375), 2, limit, (1, 1, 1, 9), triggers=1)


# ---- cards

BLANK, POINT, DOUBLE = range(3)


class Deck(NamedTuple):
    size: Any  # how many of each kind the deck has
    hand: Any
    pile: Any
    luck: Any  # chances of 0, 1, 2 extra points, flat, after one that is not for them
    seen: Any  # scratch
    goal: int


@primitive
def coins(dice, number):
    """How many of two coins show heads, plus `number`."""


@coins.by(tuple)
def _(dice, number):
    return number + (1 if chance(dice, 0.5) else 0) + (1 if chance(dice, 0.5) else 0)


@coins.by(Tree)
def _(dice, number):
    heads = branch(dice, 3)
    dice.p[0] *= 0.5 if heads == 1 else 0.25
    return number + heads


@rule
def fill(c, g, dice):
    left = 0
    for k in range(g.pile.shape[1]):
        left += g.pile[0, k]
    draw(dice, g.pile, g.hand, 0, left, min(left, 2))


@rule
def deck_begin(t, c, g, dice):
    for k in range(len(g.size)):
        g.pile[0, k] = g.size[k]
    t.steps = below(dice, 2)
    gain(dice, 0.25)
    fill(c, g, dice)


@rule
def best_in_hand(g):
    """The dearest card of the hand, by way of the scratch."""
    for k in range(len(g.size)):
        g.seen[k] = g.hand[0, k]
    for k in range(len(g.size) - 1, -1, -1):
        if g.seen[k]:
            return k
    return -1


@rule
def deck_decide(t, c, g):
    return best_in_hand(g)


@rule
def deck_options(t, c, g, out):
    number = 0
    for k in range(len(g.size)):
        if g.hand[0, k]:
            out[number] = k
            number += 1
    return number


@rule
def deck_act(t, c, g, action, dice):
    t.idle = (t.idle * 3 + 1) % 7  # nobody looks at it
    if action < 0:
        t.steps = 0
        fill(c, g, dice)
        return ROUND
    g.hand[0, action] -= 1
    c[0].played += 1
    seen(dice, len(g.size))
    points = 0
    if action == POINT:
        points = 1 + pick(dice, g.luck, 1, 3)
    elif action == DOUBLE:
        points = coins(dice, 1)
        gain(dice, 0.5)
    c[0].points = min(g.goal, c[0].points + points)
    if c[0].points == g.goal:
        trigger(dice, action)
        return END
    t.steps += 1
    return TICK if t.steps % 2 else NEXT


@rule
def deck_measure(t, c, g, out):
    out[0] = 1 if c[0].points == g.goal else 0
    out[1] = 1 - out[0]
    out[2] = 0
    out[3] = c[0].points


@rule
def deck_ranges(t, c, g):
    t.steps = 20
    t.idle = ANY
    c[0].points = g.goal
    c[0].played = 20
    for k in range(len(g.size)):
        g.hand[0, k] = 2
        g.pile[0, k] = g.size[k]


@rule
def deck_same(t, c, g, code):
    """Only whether the steps are odd is ever asked, and nobody counts the cards."""
    t.steps %= 2
    c[0].played = 0
    return code


DECK = Statement(
    name="deck",
    table=("steps", "idle"),
    actor=("points", "played"),
    metrics=("win", "draw", "loss", "points"),
    begin=deck_begin,
    decide=deck_decide,
    act=deck_act,
    measure=deck_measure,
    ranges=deck_ranges,
    options=deck_options,
    same=deck_same,
    counts=("hand", "pile"),
    scratch=("seen",),
)


def deck(limit=4, size=(2, 2, 1), goal=4, statement=DECK):
    kinds = len(size)
    nothing = np.zeros((1, kinds), np.int64)
    tables = Deck(
        np.array(size),
        nothing,
        nothing,
        np.array([9.0, 0.5, 0.25, 0.25, 0.0]),
        np.zeros(kinds, np.int64),
        goal,
    )
    return Terms(
        statement, tables, 1, limit, (1, 1, 1, 9), kinds={"hand": kinds, "pile": kinds}, triggers=kinds + 1
    )
