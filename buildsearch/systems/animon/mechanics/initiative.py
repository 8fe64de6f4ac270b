"""Who acts in which order: rolled, or how likely each order is. Text, Initiative."""

from __future__ import annotations

import numpy as np

from buildsearch.engines.jit import kernel_with_refcounts, step_with_refcounts, step_without_refcounts
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.bits import form_of, hp_of
from buildsearch.systems.animon.mechanics.layout import Floats, Ints, Words
from buildsearch.systems.animon.mechanics.luck import GAUGE, roll
from buildsearch.systems.animon.mechanics.plans import form_at, success_at, unit_at

_ROOM = 16


@step_without_refcounts
def standing(plan: Ints, state: Ints, order: Ints) -> int:
    """Fill in who stands, the first first; gives how many."""
    number = 0
    for unit in range(plan[at.UNITS]):
        if hp_of(state, unit):
            order[number] = unit
            number += 1
    return number


@step_without_refcounts
def net_of(plan: Ints, unit: int, wave: int) -> int:
    """The surprised have a setback in the first wave."""
    return -1 if wave == 0 and plan[at.SURPRISED] == unit_at(plan, unit, at.SIDE) else 0


@step_without_refcounts
def _dice(plan: Ints, state: Ints, unit: int) -> int:
    return form_at(plan, unit, form_of(state, unit), at.F_INITIATIVE)


@kernel_with_refcounts
def roll_order(plan: Ints, state: Ints, wave: int, order: Ints, luck: Words, tally: Floats) -> int:
    """Fill in an order; ties are rolled again among the tied. Gives how many stand."""
    number = standing(plan, state, order)
    rolled = np.zeros(_ROOM, np.int64)
    # Groups that are still tied, as (first, end).
    groups = np.zeros((_ROOM, 2), np.int64)
    groups[0, 1] = number
    waiting = 1
    while waiting:
        waiting -= 1
        first, end = groups[waiting, 0], groups[waiting, 1]
        dice = 0
        for i in range(first, end):
            dice += _dice(plan, state, order[i])
        if end - first < 2 or dice == 0:
            continue
        for i in range(first, end):
            unit = order[i]
            needed = plan[at.SUCCESS] - net_of(plan, unit, wave)
            hits, highest = roll(luck, _dice(plan, state, unit), plan[at.SIDES], needed)
            if unit_at(plan, unit, at.IS_PC):
                tally[GAUGE] += highest
            rolled[unit] = hits
        for i in range(first + 1, end):  # by insertion: equals stay in order
            unit = order[i]
            j = i
            while j > first and rolled[order[j - 1]] < rolled[unit]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = unit
        if not plan[at.TIES_AGAIN]:
            continue
        i = first
        while i < end:
            j = i + 1
            while j < end and rolled[order[j]] == rolled[order[i]]:
                j += 1
            if j - i > 1:
                groups[waiting, 0], groups[waiting, 1] = i, j
                waiting += 1
            i = j
    return number


@kernel_with_refcounts
def order_chance(plan: Ints, odds: Floats, state: Ints, wave: int, order: Ints, number: int) -> float:
    """How likely an order of those who stand is.

    By intervals of the order: `among[i, j]` is the chance that those from i to j come in this order when they
    roll against one another, which they do if they were tied. All may tie again: that only takes longer.
    """
    most = 0
    for i in range(number):
        most = max(most, _dice(plan, state, order[i]))
    among = np.ones((number + 1, number + 1))
    for size in range(2, number + 1):
        for i in range(number - size + 1):
            among[i, i + size] = _come_so(
                plan, odds, state, wave, order, i, i + size, most, among, plan[at.TIES_AGAIN]
            )
    return among[0, number]


@step_with_refcounts
def _come_so(
    plan: Ints,
    odds: Floats,
    state: Ints,
    wave: int,
    order: Ints,
    first: int,
    end: int,
    most: int,
    among: Floats,
    again: int,
) -> float:
    dice, sorted_ = 0, True
    for i in range(first, end):
        dice += _dice(plan, state, order[i])
        sorted_ = sorted_ and (i == first or order[i - 1] < order[i])
    if dice == 0:
        return 1.0 if sorted_ else 0.0
    # reached[p]: those up to p have more successes than the numbers still to come.
    reached = np.zeros(end - first + 1)
    reached[0] = 1.0
    all_tied = 0.0
    for hits in range(most, -1, -1):
        after = reached.copy()
        for p in range(first, end):
            if reached[p - first] == 0.0:
                continue
            likely = reached[p - first]
            in_order = True
            for q in range(p + 1, end + 1):
                unit = order[q - 1]
                net = net_of(plan, unit, wave)
                likely *= success_at(odds, _dice(plan, state, unit), net, hits)
                in_order = in_order and (q == p + 1 or order[q - 2] < order[q - 1])
                if p == first and q == end and again:
                    all_tied += likely
                elif again:
                    after[q - first] += likely * among[p, q]
                elif in_order:
                    after[q - first] += likely
        reached = after
    found = reached[end - first]
    return found / (1.0 - all_tied) if again else found


@kernel_with_refcounts
def mean_gauge(plan: Ints, odds: Floats, state: Ints, wave: int) -> float:
    """The mean number of highest faces that players' animon roll for initiative, rerolls included."""
    order = np.empty(_ROOM, np.int64)
    number = standing(plan, state, order)
    whole = (1 << number) - 1
    found = np.zeros(whole + 1)
    # By sets of those who roll against one another, the small ones first; the chance that exactly a set ties.
    for group in range(1, whole + 1):
        found[group] = _gauge_of(plan, odds, state, wave, order, number, group, found)
    return found[whole]


@step_without_refcounts
def _gauge_of(
    plan: Ints, odds: Floats, state: Ints, wave: int, order: Ints, number: int, group: int, found: Floats
) -> float:
    size, dice, most, sixes = 0, 0, 0, 0.0
    for i in range(number):
        if (group >> i) & 1:
            mine = _dice(plan, state, order[i])
            size += 1
            dice += mine
            most = max(most, mine)
            if unit_at(plan, order[i], at.IS_PC):
                sixes += mine / plan[at.SIDES]
    if size < 2 or dice == 0:
        return 0.0
    if not plan[at.TIES_AGAIN]:
        return sixes
    total, all_tied = sixes, 0.0
    part = group
    while part:  # every part of the group that may tie at some number of successes
        tied = 0.0
        for hits in range(most + 1):
            likely = 1.0
            for i in range(number):
                if (group >> i) & 1:
                    net = net_of(plan, order[i], wave)
                    chance = success_at(odds, _dice(plan, state, order[i]), net, hits)
                    likely *= chance if (part >> i) & 1 else 1.0 - chance
            tied += likely
        if part == group:
            all_tied = tied
        else:
            total += tied * found[part]
        part = (part - 1) & group
    return total / (1.0 - all_tied)
