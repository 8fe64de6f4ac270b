"""A build written into a plan."""

from __future__ import annotations

from numba import njit

from buildsearch.systems.animon.mechanics.ground import Ground
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
    SIDE,
    START,
    TOP,
    WATCHES_ACTED,
    Ints,
    Plan,
)
from buildsearch.systems.animon.mechanics.luck import clamp
from buildsearch.systems.animon.mechanics.rows import (
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
)


@njit(cache=True, nogil=True)
def fill_plan(ground: Ground, row: Ints, plan: Plan, everybody: bool) -> None:
    """Write a build, and its copies, into a plan; `everybody`: what others do to one another as well."""
    units = len(plan.unit)
    plan.law[WATCHES_ACTED] = ground.law[WATCHES_ACTED]
    for unit in range(units):
        if plan.unit[unit, IS_BUILD]:
            _fill_unit(row, plan, unit)
    for unit in range(units):
        for target in range(units):
            if plan.unit[unit, SIDE] == plan.unit[target, SIDE]:
                continue
            if everybody or plan.unit[unit, IS_BUILD] or plan.unit[target, IS_BUILD]:
                _fill_edges(ground, row, plan, unit, target)
                _fill_means(plan, unit, target)


@njit(nogil=True)
def _fill_unit(row: Ints, plan: Plan, unit: int) -> None:
    plan.unit[unit, LEVEL] = row[R_LEVEL]
    plan.unit[unit, TOP] = row[R_TOP]
    plan.unit[unit, START] = row[R_START]
    plan.unit[unit, BOND_AT_FIRST] = row[R_BOND]
    plan.unit[unit, ATTACKS] = row[R_ATTACKS]
    for form in range(FORMS):
        for column in range(FORM_WIDTH):
            plan.form[unit, form, column] = row[form * FORM_WIDTH + column]
    for attack in range(row[R_ATTACKS]):
        at = R_FIRST + attack * R_WIDTH
        plan.attack[unit, attack, A_EFFECTS] = row[at + R_EFFECTS]
        plan.attack[unit, attack, A_RANK] = row[at + R_RANK]
        plan.attack[unit, attack, A_STAGE] = row[at + R_STAGE]
        plan.attack[unit, attack, A_CHOICES] = row[at + R_ELEMENTS] & 15
        if row[at + R_EFFECTS] & QUICK_STRIKE:
            plan.law[WATCHES_ACTED] = 1


@njit(nogil=True)
def _fill_edges(ground: Ground, row: Ints, plan: Plan, unit: int, target: int) -> None:
    """What elements add to the attacks of one unit at another."""
    theirs = row[R_INNATE] if plan.unit[target, IS_BUILD] else ground.innate[target]
    mine = row[R_INNATE] if plan.unit[unit, IS_BUILD] else ground.innate[unit]
    plan.edge[unit, 0, 0, target] = ground.versus[mine, theirs]
    for attack in range(plan.unit[unit, ATTACKS]):
        for choice in range(plan.attack[unit, attack, A_CHOICES]):
            element = ground.elements[unit, attack, choice]
            if plan.unit[unit, IS_BUILD]:
                listed = row[R_FIRST + attack * R_WIDTH + R_ELEMENTS]
                element = (listed >> (4 * (choice + 1))) & 15
            plan.edge[unit, attack + 1, choice, target] = ground.versus[element, theirs]


@njit(nogil=True)
def _fill_means(plan: Plan, unit: int, target: int) -> None:
    """D for every pair of forms that there are."""
    most = plan.law[MOST_BOOST]
    for mine in range(FORMS):
        if plan.form[unit, mine, F_HP] == 0:
            continue
        dice, score = plan.form[unit, mine, F_ATTACK], plan.form[unit, mine, F_DAMAGE]
        for theirs in range(FORMS):
            if plan.form[target, theirs, F_HP] == 0:
                continue
            dodge = plan.form[target, theirs, F_DODGE]
            net = plan.edge[unit, 0, 0, target] + clamp(mine - theirs, most)
            found = plan.mean[unit, mine, target, theirs]
            now = clamp(net, most) + most
            found[D_PLAIN] = _mean(plan, dice, now, dodge, most, score, 0)
            found[D_HALVED] = _mean(plan, dice, now, dodge, most, score, 1)
            found[D_DODGE_LESS] = _mean(plan, dice, now, dodge, most - 1, score, 0)
            found[D_DODGE_MORE] = _mean(plan, dice, now, dodge, most + 1, score, 0)
            found[D_ATTACK_LESS] = _mean(plan, dice, clamp(net - 1, most) + most, dodge, most, score, 0)
            found[D_ATTACK_MORE] = _mean(plan, dice, clamp(net + 1, most) + most, dodge, most, score, 0)


@njit(nogil=True)
def _mean(plan: Plan, dice: int, net: int, dodge: int, dodge_net: int, score: int, halves: int) -> float:
    total = 0.0
    for margin in range(1, dice + 1):
        total += plan.margins[dice, net, dodge, dodge_net, margin] * ((score + margin) >> halves)
    return total
