"""How Armitage is played, by us and by them: greedily or looking ahead. Ours, but for what is marked Spec.

Cards are weighed by expected HP, with stats as they stand, statuses included; what is worth no more than TIE
is not played. docs/armitage.md says the same
in words.
"""

from __future__ import annotations

from typing import Any

from buildsearch.engines.policies import TIE, best_order
from buildsearch.engines.statement import rule
from buildsearch.systems.armitage.statement import (
    AP,
    ATTACK,
    EVA,
    HEAL,
    RES,
    RESOLVE,
    STOP,
    TUF,
    Fight,
    stat,
)

# A row of a plan: the world as it is expected after some of its cards.
WORTH, HP, HITS, MISSING, EVA_NOW, RES_NOW, TUF_NOW, OWN_HITS, PLACED = range(9)
COLUMNS = 9


@rule
def mean_damage(c: Any, g: Fight, row: int, i: int, s: int, amount: int) -> float:
    """Of an attack on somebody as they stand, with one stat changed (AP changes nothing)."""
    eva, res, tuf = stat(c, g, i, EVA), stat(c, g, i, RES), stat(c, g, i, TUF)
    if s == EVA:
        eva = max(0, eva + amount)
    elif s == RES:
        res = max(0, res + amount)
    elif s == TUF:
        tuf = max(0, tuf + amount)
    return g.mean[row, min(eva, g.highest), min(res, g.most) if c[i].hits < tuf else 0]


@rule
def resolve_worth(c: Any, g: Fight, me: int, hits: int, amount: int) -> float:
    """Spec: what RES as it stands takes off a plain hit that happens, where it would take nothing else."""
    tuf = stat(c, g, me, TUF)
    if hits < tuf or max(0, hits - amount) >= tuf:
        return 0.0
    return g.prevented[min(stat(c, g, me, RES), g.most)]


@rule
def status_worth(c: Any, g: Fight, me: int, it: int, k: int, ap: int) -> float:
    """Spec: protection is weighed against the attacks that are foreseen, a weakness also by the AP left.

    An action point is one plain attack more or less. Nothing for what its bearer has already.
    """
    card = g.cards[k]
    bearer = me if card.on_self else it
    if c[bearer].active & card.bit:
        return 0.0
    if card.stat == AP:
        amount = card.amount if card.on_self else -card.amount
        return amount * mean_damage(c, g, 0, it if card.on_self else me, AP, 0)
    change = mean_damage(c, g, 0, bearer, card.stat, card.amount) - mean_damage(c, g, 0, bearer, AP, 0)
    return -g.foreseen * change if card.on_self else min(g.foreseen, ap - card.ap) * change


@rule
def worth(c: Any, g: Fight, me: int, it: int, k: int, ap: int) -> float:
    """The HP that a card is expected to win, for oneself or from the target. Spec: no more than it has."""
    deed, row = g.cards[k].deed, g.cards[k].row
    if deed == ATTACK:
        return min(mean_damage(c, g, row, it, AP, 0), float(c[it].hp))
    if deed == HEAL:
        return g.mended[row, min(g.who[me].hp - c[me].hp, g.mended.shape[1] - 1)]
    if deed == RESOLVE:
        return resolve_worth(c, g, me, c[me].hits, g.cards[k].amount)
    return status_worth(c, g, me, it, k, ap)


@rule
def greedy(t: Any, c: Any, g: Fight) -> int:
    """The card that is worth most for its AP at the opponent with the least HP; ties go to the first."""
    me, it, least = t.me, 0, 1 << 30
    for i in range(len(c)):
        if g.who[i].side != g.who[me].side and 0 < c[i].hp < least:
            it, least = i, c[i].hp
    best, most = STOP, TIE
    for k in range(len(g.cards)):
        if g.hand[me, k] and g.cost[k] <= t.ap:
            each = worth(c, g, me, it, k, t.ap) * g.rate[k]
            if each > most + TIE:
                best, most = k << 5 | it, each
    return best


@rule
def expect(c: Any, g: Fight, me: int, it: int, k: int, depth: int, ap: int) -> float:
    """What the world becomes by a card, by means; gives what the plan is worth then."""
    p, card, to = g.plan, g.cards[k], depth + 1
    for column in range(COLUMNS):
        p[to, column] = p[depth, column]
    gain = 0.0
    if card.deed == ATTACK:
        eva, res = min(int(p[depth, EVA_NOW]), g.highest), min(int(p[depth, RES_NOW]), g.most)
        share = min(1.0, max(0.0, p[depth, TUF_NOW] - p[depth, HITS]))  # so much of the next hit meets RES
        gain = share * g.mean[card.row, eva, res] + (1.0 - share) * g.mean[card.row, eva, 0]
        gain = min(gain, p[depth, HP])
        p[to, HP] -= gain
        p[to, HITS] += share * g.hit[card.row, eva]
    elif card.deed == HEAL:
        # The mean is linear between whole numbers, as rolls are whole.
        most = g.mended.shape[1] - 1
        missing = min(p[depth, MISSING], float(most))
        whole = int(missing)
        part = missing - whole
        gain = g.mended[card.row, whole] * (1.0 - part) + g.mended[card.row, min(whole + 1, most)] * part
        p[to, MISSING] -= gain
    elif card.deed == RESOLVE:
        gain = resolve_worth(c, g, me, int(p[depth, OWN_HITS]), card.amount)
        p[to, OWN_HITS] = max(0.0, p[depth, OWN_HITS] - card.amount)
    elif not (c[me if card.on_self else it].active | int(p[depth, PLACED])) & card.bit:
        p[to, PLACED] += card.bit
        if card.on_self or card.stat == AP:
            gain = status_worth(c, g, me, it, k, ap)
        else:  # an opponent's weakness is worth what the rest of the plan makes of it
            p[to, EVA_NOW + card.stat] = max(0.0, p[depth, EVA_NOW + card.stat] + card.amount)
    p[to, WORTH] = p[depth, WORTH] + gain
    return p[to, WORTH]


@rule
def look_ahead(t: Any, c: Any, g: Fight) -> int:
    """The first card of the best order of cards at the best opponent; then everything is weighed anew."""
    me, p = t.me, g.plan
    best, most = STOP, TIE
    for it in range(len(c)):
        if g.who[it].side == g.who[me].side or c[it].hp == 0:
            continue
        p[0, WORTH] = 0.0
        p[0, HP] = c[it].hp
        p[0, HITS] = c[it].hits
        p[0, MISSING] = g.who[me].hp - c[me].hp
        p[0, EVA_NOW] = stat(c, g, it, EVA)
        p[0, RES_NOW] = stat(c, g, it, RES)
        p[0, TUF_NOW] = stat(c, g, it, TUF)
        p[0, OWN_HITS] = c[me].hits
        p[0, PLACED] = 0.0
        for k in range(len(g.cards)):
            g.left[k] = g.hand[me, k]
        k, worth_of_it = best_order(expect, c, g, me, it, g.cost, g.left, t.ap, g.walk, most)
        if k >= 0:
            best, most = k << 5 | it, worth_of_it
    return best


@rule
def decide(t: Any, c: Any, g: Fight) -> int:
    """As the actor plays."""
    if t.ap == 0:
        return STOP
    return look_ahead(t, c, g) if g.who[t.me].ahead else greedy(t, c, g)
