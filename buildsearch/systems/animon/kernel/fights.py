"""Fights, sampled: one after the other from a plan, and rows of builds from a template."""

from __future__ import annotations

import numpy as np
from numba import njit

from buildsearch.engines.jit import kernel_without_refcounts, step_without_refcounts
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.bits import form_of, hp_of, turn_off, turn_on
from buildsearch.systems.animon.mechanics.build_plan import fill_plan
from buildsearch.systems.animon.mechanics.greedy import buys_die, choose, evolves_to
from buildsearch.systems.animon.mechanics.hits import (
    attack_dice,
    attack_net,
    dodge_net,
    dodger_of,
    effects_of,
    pay,
    strike,
    targets_of,
    transfer,
)
from buildsearch.systems.animon.mechanics.initiative import roll_order
from buildsearch.systems.animon.mechanics.layout import Floats, Ints, Template, Words
from buildsearch.systems.animon.mechanics.luck import GAUGE, TALLY, roll
from buildsearch.systems.animon.mechanics.plans import form_at, unit_at
from buildsearch.systems.animon.mechanics.slots import (
    ACTS,
    MISSES,
    begin,
    between,
    enter,
    evolve,
    finish,
    is_beaten,
    mark_acted,
)

LOST, DREW, WON = 0, 1, 2
_ROOM = 16


@step_without_refcounts
def _strike(
    plan: Ints,
    odds: Floats,
    state: Ints,
    unit: int,
    attack: int,
    choice: int,
    target: int,
    uses: int,
    bought: bool,
    luck: Words,
    tally: Floats,
) -> None:
    die = buys_die(plan, state, unit, bought)
    targets = targets_of(plan, state, unit, effects_of(plan, unit, attack), target, uses)
    dodger = dodger_of(plan, state, target, targets)
    dice = attack_dice(plan, state, unit, attack) + (1 if die else 0)
    needed = plan[at.SUCCESS] - attack_net(plan, state, unit, attack, choice, dodger)
    pay(plan, state, unit, attack, uses, bought, die)
    hits, highest = roll(luck, dice, plan[at.SIDES], needed)
    dodge = form_at(plan, dodger, form_of(state, dodger), at.F_DODGE)
    dodges, theirs = roll(luck, dodge, plan[at.SIDES], plan[at.SUCCESS] - dodge_net(plan, state, dodger))
    if unit_at(plan, unit, at.IS_PC):
        tally[GAUGE] += highest
    if unit_at(plan, dodger, at.IS_PC):
        tally[GAUGE] += theirs
    if hits > dodges:
        strike(plan, odds, state, unit, attack, target, uses, hits - dodges, luck, tally, True)


@step_without_refcounts
def _slot(
    plan: Ints, odds: Floats, state: Ints, unit: int, plain: Floats, luck: Words, tally: Floats
) -> bool:
    """The slot of a unit; whether the wave is over."""
    what = begin(plan, state, unit)
    if what != MISSES:
        stage = evolves_to(plan, state, unit)
        if stage >= 0:
            evolve(plan, state, unit, stage)
        if what == ACTS:
            if stage < 0 or not plan[at.EVOLVING_ACTS]:
                kind, attack, choice, target, uses, bought = choose(plan, odds, state, unit, plain)
                if kind == at.STRIKE:
                    _strike(plan, odds, state, unit, attack, choice, target, uses, bought, luck, tally)
                elif kind == at.TRANSFER:
                    pay(plan, state, unit, attack, 1, bought, False)
                    transfer(plan, state, unit, attack)
                elif kind == at.DEFEND:
                    turn_on(state, unit, at.DEFENDING)
            mark_acted(plan, state, unit)
        else:
            turn_off(state, unit, at.INCAPACITATED)
        if is_beaten(plan, state, 0) or is_beaten(plan, state, 1):
            return True
    finish(plan, odds, state, unit, luck, tally, True)
    return is_beaten(plan, state, 0) or is_beaten(plan, state, 1)


@kernel_without_refcounts
def _fight(
    plan: Ints, odds: Floats, state: Ints, order: Ints, plain: Floats, luck: Words, tally: Floats
) -> tuple[int, int]:
    """One fight: how it ended, and its rounds."""
    state[:] = 0
    tally[:] = 0.0
    rounds = 0
    for wave in range(plan[at.WAVES]):
        if wave > 0:
            if rounds == plan[at.MAX_ROUNDS]:
                return DREW, rounds  # the next wave would begin in the next round, and there is none
            between(plan, odds, state, luck, tally, True)
        enter(plan, state, wave)
        number = roll_order(plan, state, wave, order, luck, tally)
        over = False
        while not over:
            if rounds == plan[at.MAX_ROUNDS]:
                return DREW, rounds
            rounds += 1
            for place in range(number):
                if _slot(plan, odds, state, order[place], plain, luck, tally):
                    over = True
                    break
        if is_beaten(plan, state, 0):
            return LOST, rounds
    return WON, rounds


@njit(cache=True, nogil=True)
def fight_block(plan: Ints, odds: Floats, luck: Words, fights: int, histogram: Ints, counts: Ints) -> None:
    """Count fights: by outcome; then histograms of rounds, HP left and the gauge one behind the other.

    `counts[0]` rows: rounds, HP, gauge; what is more than there is room for counts as the last.
    """
    units = plan[at.UNITS]
    state, order = np.zeros(units + 2, np.int64), np.zeros(_ROOM, np.int64)
    plain, tally = np.zeros(_ROOM), np.zeros(TALLY)
    last = counts.shape[1] - 1
    for _ in range(fights):
        outcome, rounds = _fight(plan, odds, state, order, plain, luck, tally)
        histogram[outcome] += 1
        counts[0, min(last, rounds)] += 1
        counts[1, min(last, hp_of(state, 0))] += 1
        counts[2, min(last, np.int64(tally[GAUGE]))] += 1


@njit(cache=True, nogil=True)
def fight_rows(
    template: Template,
    rows: Ints,
    plan: Ints,
    odds: Floats,
    streams: Words,
    fights: int,
    totals: Floats,
    squares: Floats,
) -> None:
    """So many fights of each row, from a stream each, added to the sums of outcomes.

    Outcomes in the order of the metrics: win rate, rounds, HP left, gauge, draws.
    """
    units = plan[at.UNITS]
    state, order = np.zeros(units + 2, np.int64), np.zeros(_ROOM, np.int64)
    plain, tally = np.zeros(_ROOM), np.zeros(TALLY)
    for i in range(len(rows)):
        fill_plan(template, rows[i], plan, odds, i == 0)
        luck = streams[i]
        for _ in range(fights):
            outcome, rounds = _fight(plan, odds, state, order, plain, luck, tally)
            value = 0.5 * outcome
            totals[0, i] += value
            squares[i] += value * value
            totals[1, i] += rounds
            totals[2, i] += hp_of(state, 0)
            totals[3, i] += tally[GAUGE]
            totals[4, i] += 1.0 if outcome == DREW else 0.0


@kernel_without_refcounts
def make_plan(template: Template, row: Ints, plan: Ints, odds: Floats) -> None:
    """One build written into a plan."""
    fill_plan(template, row, plan, odds, True)
