"""What follows a defeat: the next enemy at full HP, Splinter's strikes before that; and who is doomed.

With Splinter the next enemy is at full HP too, so the strikes after a defeat are a short chain over enemies:
strike, and while it defeats and strikes are left, strike the next. Base and triggered defeats both feed it.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all, set_part, uncounted
from buildsearch.systems.vitality.exact.batch.lanes.program import Terms, doom_row, spread_row
from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_scaled,
    copy,
    dot_up,
    multiply,
)
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING


class Ahead(NamedTuple):
    """Values that a place's defeats lead to, in lanes. The place behind the last is the end."""

    full: NDArray[np.float64]  # by place and state: at full HP
    standing: NDArray[np.float64]  # by place, action and state: hit by Splinter, and left standing
    doomed: NDArray[np.float64]  # by place and state: it falls after this turn
    then: NDArray[np.float64]
    chance: NDArray[np.float64]


@inner
def ahead_of(places: int, states: int, tables: Tables) -> Ahead:
    """Memory for a chain."""
    splinters = places * tables.actions if tables.splinters > 0 else 0
    bleeds = places if tables.bleeds else 0
    return Ahead(
        np.zeros((places + 1) * states * LANES),
        np.zeros(splinters * states * LANES),
        np.zeros(bleeds * states * LANES),
        np.zeros(LANES),
        np.zeros(LANES),
    )


@uncounted
def _set_after_splinter(
    step: np.void, place: int, places: Places, tables: Tables, states: int, ahead: Ahead
) -> None:
    """Fill `then` with the value after a defeat by the attack at a place."""
    ends_wave = places.ends_wave
    strike_class = places.strike_class
    full = ahead.full
    standing = ahead.standing
    then = ahead.then
    chance = ahead.chance
    missed = tables.splinter_missed
    defeats = tables.splinter_defeats
    action = step["action"]
    set_all(then, 0.0)
    set_all(chance, 1.0)
    target = place + 1
    while target <= place + tables.splinters and ends_wave[target - 1] == 0:
        row = (action * tables.classes + strike_class[target]) * LANES
        at = ((target * tables.actions + action) * states + step["splintered"]) * LANES
        add_product(then, 0, chance, 0, standing, at)
        at = (target * states + step["defeated"]) * LANES
        for lane in range(LANES):
            then[lane] += chance[lane] * missed[row + lane] * full[at + lane]
        multiply(chance, 0, defeats, row)
        target += 1
    after = step["cleared"] if ends_wave[target - 1] != 0 else step["defeated"]
    add_product(then, 0, chance, 0, full, (target * states + after) * LANES)


@uncounted
def set_defeats(
    steps: NDArray[np.void],
    place: int,
    places: Places,
    tables: Tables,
    states: int,
    turn: float,
    weights: NDArray[np.float64],
    ahead: Ahead,
    terms: Terms,
    coefficients: NDArray[np.float64],
) -> None:
    """What an action leads to that defeats, as coefficients, and what those are worth who are doomed.

    `weights`: the chances of steps. `turn`: what a turn counts.
    """
    full = ahead.full
    doomed = ahead.doomed
    cleared = places.ends_wave[place] != 0
    slots = terms.slots
    set_part(coefficients, 0, terms.starts[tables.actions - 1] * LANES, 0.0)
    bleeds = tables.bleeds
    if bleeds:
        at = place * states * LANES
        for i in range(states * LANES):
            doomed[at + i] = turn
    for i in range(len(steps)):
        step = steps[i]
        action = step["action"]
        then = ((place + 1) * states + (step["cleared"] if cleared else step["defeated"])) * LANES
        if bleeds:
            add_scaled(doomed, (place * states + step["state"]) * LANES, weights[i], full, then)
        if action == NOTHING:
            continue
        at = slots[action - 1, step["state"]] * LANES
        if tables.splinters > 0 and action > BASIC:
            _set_after_splinter(step, place, places, tables, states, ahead)
            add_scaled(coefficients, at, weights[i], ahead.then, 0)
        else:
            add_scaled(coefficients, at, weights[i], full, then)


@uncounted
def set_dooms(
    steps: NDArray[np.void],
    place: int,
    tables: Tables,
    states: int,
    weights: NDArray[np.float64],
    ahead: Ahead,
    terms: Terms,
    coefficients: NDArray[np.float64],
) -> None:
    """What an action leads to that dooms, as coefficients."""
    is_echo = tables.is_echo
    slots = terms.slots
    starts = terms.starts
    first = starts[doom_row(1, tables.actions)] * LANES
    set_part(coefficients, first, starts[spread_row(0, tables.actions)] * LANES, 0.0)
    for i in range(len(steps)):
        step = steps[i]
        if is_echo[step["action"]]:
            at = slots[doom_row(step["action"], tables.actions), step["state"]] * LANES
            add_scaled(coefficients, at, weights[i], ahead.doomed, (place * states + step["damaged"]) * LANES)


@uncounted
def set_ahead(
    place: int,
    max_hp: int,
    strike_class: int,
    tables: Tables,
    states: int,
    known: NDArray[np.float64],
    start: int,
    ahead: Ahead,
) -> None:
    """Keep what a place is worth to those before it; its values start there in `known`."""
    full = ahead.full
    for state in range(states):
        copy(full, (place * states + state) * LANES, known, start + ((state + 1) * max_hp - 1) * LANES)
    if tables.splinters == 0:
        return
    standing = ahead.standing
    leaves = tables.splinter_leaves
    for action in range(BASIC + 1, tables.actions):
        row = (action * tables.classes + strike_class) * tables.width * LANES
        for state in range(states):
            at = ((place * tables.actions + action) * states + state) * LANES
            dot_up(standing, at, leaves, row, known, start + state * max_hp * LANES, max_hp)
