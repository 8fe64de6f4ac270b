"""What follows a defeat: the next enemy at full HP, Splinter's strikes before that; and who is doomed.

With Splinter the next enemy is at full HP too, so the strikes after a defeat are a short chain over enemies:
strike, and while it defeats and strikes are left, strike the next. Base and triggered defeats both feed it.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all
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


@inner
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


@inner
def set_defeats(
    steps: NDArray[np.void],
    place: int,
    places: Places,
    tables: Tables,
    states: int,
    turn: float,
    weights: NDArray[np.float64],
    ahead: Ahead,
    defeats: NDArray[np.float64],
    dooms: NDArray[np.float64],
) -> None:
    """What an action leads to that defeats (`defeats`, by action and state), or dooms.

    `weights`: the chances of steps. `turn`: what a turn counts.
    """
    full = ahead.full
    doomed = ahead.doomed
    is_echo = tables.is_echo
    cleared = places.ends_wave[place] != 0
    set_all(defeats, 0.0)
    bleeds = tables.bleeds
    if bleeds:
        set_all(dooms, 0.0)
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
        at = (action * states + step["state"]) * LANES
        if tables.splinters > 0 and action > BASIC:
            _set_after_splinter(step, place, places, tables, states, ahead)
            add_scaled(defeats, at, weights[i], ahead.then, 0)
        else:
            add_scaled(defeats, at, weights[i], full, then)
    if bleeds:
        for i in range(len(steps)):
            step = steps[i]
            if is_echo[step["action"]]:
                at = (step["action"] * states + step["state"]) * LANES
                add_scaled(dooms, at, weights[i], doomed, (place * states + step["damaged"]) * LANES)


@inner
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
