"""A build written into a plan."""

from __future__ import annotations

from buildsearch.engines.jit import kernel_without_refcounts, step_without_refcounts
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.layout import Floats, Ints, Template
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


@kernel_without_refcounts
def fill_plan(template: Template, row: Ints, plan: Ints, odds: Floats, everybody: bool) -> None:
    """Write a build, and its copies, into a plan; `everybody`: what others do to one another as well."""
    units = plan[at.UNITS]
    plan[at.WATCHES_ACTED] = template.law[at.WATCHES_ACTED]
    for unit in range(units):
        if unit_at(plan, unit, at.IS_BUILD):
            _fill_unit(row, plan, unit)
    for unit in range(units):
        for target in range(units):
            if unit_at(plan, unit, at.SIDE) == unit_at(plan, target, at.SIDE):
                continue
            if everybody or unit_at(plan, unit, at.IS_BUILD) or unit_at(plan, target, at.IS_BUILD):
                _fill_edges(template, row, plan, unit, target)
                _fill_means(plan, odds, unit, target)


@step_without_refcounts
def _fill_unit(row: Ints, plan: Ints, unit: int) -> None:
    plan[unit_place(unit, at.LEVEL)] = row[at.R_LEVEL]
    plan[unit_place(unit, at.TOP)] = row[at.R_TOP]
    plan[unit_place(unit, at.START)] = row[at.R_START]
    plan[unit_place(unit, at.BOND_AT_FIRST)] = row[at.R_BOND]
    plan[unit_place(unit, at.ATTACKS)] = row[at.R_ATTACKS]
    for form in range(at.FORMS):
        for column in range(at.FORM_WIDTH):
            plan[form_place(unit, form, column)] = row[form * at.FORM_WIDTH + column]
    for attack in range(row[at.R_ATTACKS]):
        where = at.R_FIRST + attack * at.R_WIDTH
        plan[attack_place(unit, attack, at.A_EFFECTS)] = row[where + at.R_EFFECTS]
        plan[attack_place(unit, attack, at.A_RANK)] = row[where + at.R_RANK]
        plan[attack_place(unit, attack, at.A_STAGE)] = row[where + at.R_STAGE]
        plan[attack_place(unit, attack, at.A_CHOICES)] = row[where + at.R_ELEMENTS] & 15
        if row[where + at.R_EFFECTS] & at.QUICK_STRIKE:
            plan[at.WATCHES_ACTED] = 1


@step_without_refcounts
def _fill_edges(template: Template, row: Ints, plan: Ints, unit: int, target: int) -> None:
    """What elements add to the attacks of one unit at another."""
    theirs = row[at.R_INNATE] if unit_at(plan, target, at.IS_BUILD) else template.innate[target]
    mine = row[at.R_INNATE] if unit_at(plan, unit, at.IS_BUILD) else template.innate[unit]
    plan[edge_place(unit, 0, 0, target)] = template.versus[mine, theirs]
    for attack in range(unit_at(plan, unit, at.ATTACKS)):
        for choice in range(attack_at(plan, unit, attack, at.A_CHOICES)):
            element = template.elements[unit, attack, choice]
            if unit_at(plan, unit, at.IS_BUILD):
                listed = row[at.R_FIRST + attack * at.R_WIDTH + at.R_ELEMENTS]
                element = (listed >> (4 * (choice + 1))) & 15
            plan[edge_place(unit, attack + 1, choice, target)] = template.versus[element, theirs]


@step_without_refcounts
def _fill_means(plan: Ints, odds: Floats, unit: int, target: int) -> None:
    """D for every pair of forms that there are."""
    most = plan[at.MOST_BOOST]
    for mine in range(at.FORMS):
        if form_at(plan, unit, mine, at.F_HP) == 0:
            continue
        dice, score = form_at(plan, unit, mine, at.F_ATTACK), form_at(plan, unit, mine, at.F_DAMAGE)
        for theirs in range(at.FORMS):
            if form_at(plan, target, theirs, at.F_HP) == 0:
                continue
            dodge = form_at(plan, target, theirs, at.F_DODGE)
            net = edge_at(plan, unit, 0, 0, target) + clamp(mine - theirs, most)
            where = mean_place(unit, mine, target, theirs)
            now = clamp(net, most)
            odds[where + at.D_PLAIN] = _mean(odds, dice, now, dodge, 0, score, 0)
            odds[where + at.D_HALVED] = _mean(odds, dice, now, dodge, 0, score, 1)
            odds[where + at.D_DODGE_LESS] = _mean(odds, dice, now, dodge, -1, score, 0)
            odds[where + at.D_DODGE_MORE] = _mean(odds, dice, now, dodge, 1, score, 0)
            odds[where + at.D_ATTACK_LESS] = _mean(odds, dice, clamp(net - 1, most), dodge, 0, score, 0)
            odds[where + at.D_ATTACK_MORE] = _mean(odds, dice, clamp(net + 1, most), dodge, 0, score, 0)


@step_without_refcounts
def _mean(odds: Floats, dice: int, net: int, dodge: int, dodge_net: int, score: int, halves: int) -> float:
    total = 0.0
    row = margin_row(dice, net, dodge, dodge_net)
    for margin in range(1, dice + 1):
        total += odds[row + margin] * ((score + margin) >> halves)
    return total
