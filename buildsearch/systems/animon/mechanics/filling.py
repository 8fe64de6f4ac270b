"""A build written into a plan."""

from __future__ import annotations

from buildsearch.engines.uncounted import uncounted, uncounted_kept
from buildsearch.systems.animon.mechanics.layout import (
    A_CHOICES,
    A_EFFECTS,
    A_RANK,
    A_STAGE,
    ATTACKS,
    BOND_AT_FIRST,
    D_ATTACK_LESS,
    D_ATTACK_MORE,
    D_DODGE_LESS,
    D_DODGE_MORE,
    D_HALVED,
    D_PLAIN,
    F_ATTACK,
    F_DAMAGE,
    F_DODGE,
    F_HP,
    FORM_WIDTH,
    FORMS,
    IS_BUILD,
    LEVEL,
    MOST_BOOST,
    QUICK_STRIKE,
    R_ATTACKS,
    R_BOND,
    R_EFFECTS,
    R_ELEMENTS,
    R_FIRST,
    R_INNATE,
    R_LEVEL,
    R_RANK,
    R_STAGE,
    R_START,
    R_TOP,
    R_WIDTH,
    SIDE,
    START,
    TOP,
    UNITS,
    WATCHES_ACTED,
    Floats,
    Ground,
    Ints,
)
from buildsearch.systems.animon.mechanics.luck import clamp
from buildsearch.systems.animon.mechanics.plans import (
    attack_at,
    attack_place,
    edge_at,
    edge_place,
    form_at,
    form_place,
    margin_row,
    mean_place,
    unit_at,
    unit_place,
)


@uncounted_kept
def fill_plan(ground: Ground, row: Ints, plan: Ints, odds: Floats, everybody: bool) -> None:
    """Write a build, and its copies, into a plan; `everybody`: what others do to one another as well."""
    units = plan[UNITS]
    plan[WATCHES_ACTED] = ground.law[WATCHES_ACTED]
    for unit in range(units):
        if unit_at(plan, unit, IS_BUILD):
            _fill_unit(row, plan, unit)
    for unit in range(units):
        for target in range(units):
            if unit_at(plan, unit, SIDE) == unit_at(plan, target, SIDE):
                continue
            if everybody or unit_at(plan, unit, IS_BUILD) or unit_at(plan, target, IS_BUILD):
                _fill_edges(ground, row, plan, unit, target)
                _fill_means(plan, odds, unit, target)


@uncounted
def _fill_unit(row: Ints, plan: Ints, unit: int) -> None:
    plan[unit_place(unit, LEVEL)] = row[R_LEVEL]
    plan[unit_place(unit, TOP)] = row[R_TOP]
    plan[unit_place(unit, START)] = row[R_START]
    plan[unit_place(unit, BOND_AT_FIRST)] = row[R_BOND]
    plan[unit_place(unit, ATTACKS)] = row[R_ATTACKS]
    for form in range(FORMS):
        for column in range(FORM_WIDTH):
            plan[form_place(unit, form, column)] = row[form * FORM_WIDTH + column]
    for attack in range(row[R_ATTACKS]):
        at = R_FIRST + attack * R_WIDTH
        plan[attack_place(unit, attack, A_EFFECTS)] = row[at + R_EFFECTS]
        plan[attack_place(unit, attack, A_RANK)] = row[at + R_RANK]
        plan[attack_place(unit, attack, A_STAGE)] = row[at + R_STAGE]
        plan[attack_place(unit, attack, A_CHOICES)] = row[at + R_ELEMENTS] & 15
        if row[at + R_EFFECTS] & QUICK_STRIKE:
            plan[WATCHES_ACTED] = 1


@uncounted
def _fill_edges(ground: Ground, row: Ints, plan: Ints, unit: int, target: int) -> None:
    """What elements add to the attacks of one unit at another."""
    theirs = row[R_INNATE] if unit_at(plan, target, IS_BUILD) else ground.innate[target]
    mine = row[R_INNATE] if unit_at(plan, unit, IS_BUILD) else ground.innate[unit]
    plan[edge_place(unit, 0, 0, target)] = ground.versus[mine, theirs]
    for attack in range(unit_at(plan, unit, ATTACKS)):
        for choice in range(attack_at(plan, unit, attack, A_CHOICES)):
            element = ground.elements[unit, attack, choice]
            if unit_at(plan, unit, IS_BUILD):
                listed = row[R_FIRST + attack * R_WIDTH + R_ELEMENTS]
                element = (listed >> (4 * (choice + 1))) & 15
            plan[edge_place(unit, attack + 1, choice, target)] = ground.versus[element, theirs]


@uncounted
def _fill_means(plan: Ints, odds: Floats, unit: int, target: int) -> None:
    """D for every pair of forms that there are."""
    most = plan[MOST_BOOST]
    for mine in range(FORMS):
        if form_at(plan, unit, mine, F_HP) == 0:
            continue
        dice, score = form_at(plan, unit, mine, F_ATTACK), form_at(plan, unit, mine, F_DAMAGE)
        for theirs in range(FORMS):
            if form_at(plan, target, theirs, F_HP) == 0:
                continue
            dodge = form_at(plan, target, theirs, F_DODGE)
            net = edge_at(plan, unit, 0, 0, target) + clamp(mine - theirs, most)
            at = mean_place(unit, mine, target, theirs)
            now = clamp(net, most)
            odds[at + D_PLAIN] = _mean(odds, dice, now, dodge, 0, score, 0)
            odds[at + D_HALVED] = _mean(odds, dice, now, dodge, 0, score, 1)
            odds[at + D_DODGE_LESS] = _mean(odds, dice, now, dodge, -1, score, 0)
            odds[at + D_DODGE_MORE] = _mean(odds, dice, now, dodge, 1, score, 0)
            odds[at + D_ATTACK_LESS] = _mean(odds, dice, clamp(net - 1, most), dodge, 0, score, 0)
            odds[at + D_ATTACK_MORE] = _mean(odds, dice, clamp(net + 1, most), dodge, 0, score, 0)


@uncounted
def _mean(odds: Floats, dice: int, net: int, dodge: int, dodge_net: int, score: int, halves: int) -> float:
    total = 0.0
    row = margin_row(dice, net, dodge, dodge_net)
    for margin in range(1, dice + 1):
        total += odds[row + margin] * ((score + margin) >> halves)
    return total
