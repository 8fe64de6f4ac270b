"""Who acts in which order: rolled, or how likely each order is. Text, Initiative."""

from __future__ import annotations

from typing import Any

from buildsearch.engines.dice import Tree, branch, gain, primitive
from buildsearch.engines.statement import rule
from buildsearch.systems.animon.attacks import Fight, at, throw


@rule
def line_up(c: Any) -> int:
    """Who stands, the first first; gives how many."""
    number = 0
    for i in range(len(c)):
        c[i].acts = 0
        if c[i].hp > 0:
            c[number].acts = i
            number += 1
    return number


@rule
def dice_of(c: Any, g: Fight, i: int) -> int:
    return g.form[at(c, i)].initiative


@rule
def net_of(g: Fight, i: int, wave: int) -> int:
    """Text, Surprise: a setback in the first wave."""
    return -1 if wave == 0 and g.surprised == g.who[i].side else 0


@primitive
def initiative(dice: Any, c: Any, g: Fight, wave: int) -> Any:
    """Who acts in which slot; gives how many slots there are."""


@initiative.by(tuple)
def _(dice: Any, c: Any, g: Fight, wave: int) -> int:
    """Text: ties are rolled again among the tied. Spec: without any dice the first goes first."""
    number = line_up(c)
    ends, hits = g.tied[0], g.tied[1]
    ends[0] = number
    first = 0
    while first < number:
        end, total = ends[first], 0
        for place in range(first, end):
            total += dice_of(c, g, c[place].acts)
        if end - first < 2 or total == 0:
            first = end
            continue
        for place in range(first, end):
            i = c[place].acts
            hits[i], highest = throw(dice, dice_of(c, g, i), g.sides, g.success - net_of(g, i, wave))
            gain(dice, float(g.who[i].is_pc * highest))
        for place in range(first + 1, end):  # by insertion: equals stay in order
            i, to = c[place].acts, place
            while to > first and hits[c[to - 1].acts] < hits[i]:
                c[to].acts = c[to - 1].acts
                to -= 1
            c[to].acts = i
        if g.ties_again:
            begin = first
            for place in range(first + 1, end + 1):
                if place == end or hits[c[place].acts] != hits[c[begin].acts]:
                    ends[begin] = place
                    begin = place
        else:
            first = end
    return number


@initiative.by(Tree)
def _(dice: Tree, c: Any, g: Fight, wave: int) -> int:
    """Every order with its chance, and the mean of the gauge."""
    number = line_up(c)
    gain(dice, mean_gauge(c, g, wave, number))
    orders = 1
    for i in range(2, number + 1):
        orders *= i
    rest = branch(dice, orders)
    for place in range(number):  # the order of that number
        orders //= number - place
        at_place = place + rest // orders
        rest %= orders
        i = c[at_place].acts
        while at_place > place:
            c[at_place].acts = c[at_place - 1].acts
            at_place -= 1
        c[place].acts = i
    dice.p[0] *= order_chance(c, g, wave, number)
    return number


@rule
def order_chance(c: Any, g: Fight, wave: int, number: int) -> float:
    """How likely an order is.

    By intervals of the order: `among[i, j]` is the chance that those from i to j come in this order when they
    roll against one another, which they do if they were tied. All may tie again: that only takes longer.
    """
    for i in range(number + 1):
        for j in range(number + 1):
            g.among[i, j] = 1.0
    for size in range(2, number + 1):
        for first in range(number - size + 1):
            g.among[first, first + size] = _come_so(c, g, wave, first, first + size, number)
    return g.among[0, number]


@rule
def _come_so(c: Any, g: Fight, wave: int, first: int, end: int, number: int) -> float:
    total, most, is_sorted = 0, 0, True
    for place in range(first, end):
        mine = dice_of(c, g, c[place].acts)
        total += mine
        most = max(most, mine)
        is_sorted = is_sorted and (place == first or c[place - 1].acts < c[place].acts)
    if total == 0:
        return 1.0 if is_sorted else 0.0
    # reached[p]: those up to p have more successes than the numbers still to come.
    reached = g.among[number + 1]
    for place in range(first, end + 1):
        reached[place] = 0.0
    reached[first] = 1.0
    all_tied = 0.0
    for hits in range(most, -1, -1):
        for p in range(end - 1, first - 1, -1):  # from behind: what is added counts for fewer hits
            likely, in_order = reached[p], True
            if likely > 0.0:
                for q in range(p + 1, end + 1):
                    i = c[q - 1].acts
                    likely *= g.successes[dice_of(c, g, i), net_of(g, i, wave) + g.nets // 2, hits]
                    in_order = in_order and (q == p + 1 or c[q - 2].acts < i)
                    if p == first and q == end and g.ties_again:
                        all_tied += likely
                    elif g.ties_again:
                        reached[q] += likely * g.among[p, q]
                    elif in_order:
                        reached[q] += likely
    return reached[end] / (1.0 - all_tied)


@rule
def mean_gauge(c: Any, g: Fight, wave: int, number: int) -> float:
    """The mean number of highest faces that players' animon roll for initiative, rerolls included."""
    # By sets of those who roll against one another, the small ones first.
    for group in range(1, 1 << number):
        g.sixes[group] = _gauge_of(c, g, wave, number, group)
    return g.sixes[(1 << number) - 1]


@rule
def _gauge_of(c: Any, g: Fight, wave: int, number: int, group: int) -> float:
    size, dice, most, highest = 0, 0, 0, 0.0
    for place in range(number):
        if (group >> place) & 1:
            i = c[place].acts
            mine = dice_of(c, g, i)
            size += 1
            dice += mine
            most = max(most, mine)
            highest += g.who[i].is_pc * mine / g.sides
    if size < 2 or dice == 0:
        return 0.0
    if not g.ties_again:
        return highest
    all_tied, part = 0.0, group
    while part:  # every part of the group that may tie at some number of successes
        tied = 0.0
        for hits in range(most + 1):
            likely = 1.0
            for place in range(number):
                if (group >> place) & 1:
                    i = c[place].acts
                    p = g.successes[dice_of(c, g, i), net_of(g, i, wave) + g.nets // 2, hits]
                    likely *= p if (part >> place) & 1 else 1.0 - p
            tied += likely
        if part == group:
            all_tied = tied
        else:
            highest += tied * g.sixes[part]
        part = (part - 1) & group
    return highest / (1.0 - all_tied)
