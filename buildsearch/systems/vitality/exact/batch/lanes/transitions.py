"""The steps of a chain as transitions of fights: those that do the same are taken together."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner
from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES, add_scaled
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.moves import NOTHING


class Transitions(NamedTuple):
    """The steps of a chain, those that do the same to the same state taken together."""

    # (state, state after): nothing was hurt.
    stays: NDArray[np.int64]
    # (state, spread): somebody may be.
    strikes: NDArray[np.int64]
    # (state, action): somebody may fall.
    downs: NDArray[np.int64]
    # By step: which of them it belongs to.
    stay_of: NDArray[np.int64]
    touch_of: NDArray[np.int64]
    strike_of: NDArray[np.int64]
    down_of: NDArray[np.int64]


@inner
def _number_of(pairs: NDArray[np.int64], count: int, first: int, second: int) -> int:
    """The place of a pair in a list of so many; the count where it is new."""
    for i in range(count):
        if pairs[i, 0] == first and pairs[i, 1] == second:
            return i
    pairs[count, 0] = first
    pairs[count, 1] = second
    return count


@inner
def transitions_of(steps: NDArray[np.void]) -> Transitions:
    """The distinct transitions of a chain."""
    size = len(steps)
    stays = np.zeros((2 * size, 2), np.int64)
    strikes = np.zeros((size, 2), np.int64)
    downs = np.zeros((size, 2), np.int64)
    of = np.full((4, size), -1)
    staying = np.int64(0)
    striking = np.int64(0)
    falling = np.int64(0)
    for i in range(size):
        step = steps[i]
        of[0, i] = _number_of(stays, staying, step["state"], step["missed"])
        staying = max(staying, of[0, i] + 1)
        if step["action"] == NOTHING:
            continue
        of[1, i] = _number_of(stays, staying, step["state"], step["touched"])
        staying = max(staying, of[1, i] + 1)
        of[2, i] = _number_of(strikes, striking, step["state"], step["spread"])
        striking = max(striking, of[2, i] + 1)
        of[3, i] = _number_of(downs, falling, step["state"], step["action"])
        falling = max(falling, of[3, i] + 1)
    return Transitions(stays[:staying], strikes[:striking], downs[:falling], of[0], of[1], of[2], of[3])


class Weights(NamedTuple):
    """By place: the chances of transitions."""

    stays: NDArray[np.float64]  # in lanes
    strikes: NDArray[np.float64]
    steps: NDArray[np.float64]


@inner
def weights_of(steps: NDArray[np.void], transitions: Transitions, places: Places, tables: Tables) -> Weights:
    """The chances of a chain's transitions."""
    enemies = len(places.max_hp)
    weights = Weights(
        np.zeros(enemies * len(transitions.stays) * LANES),
        np.zeros((enemies, len(transitions.strikes))),
        np.zeros((enemies, len(steps))),
    )
    staying = weights.stays
    striking = weights.strikes
    chances = weights.steps
    sets = places.sets
    strike_classes = places.strike_class
    nothing = tables.nothing
    touched = tables.touched
    classes = tables.classes
    stay_of = transitions.stay_of
    touch_of = transitions.touch_of
    strike_of = transitions.strike_of
    stays = len(transitions.stays)
    for place in range(enemies):
        first = place * stays
        for i in range(len(steps)):
            step = steps[i]
            weight = step["chance"] * sets[place, step["event"]]
            chances[place, i] = weight
            at = (first + stay_of[i]) * LANES
            if step["action"] == NOTHING:
                for lane in range(LANES):
                    staying[at + lane] += weight
                continue
            row = (step["action"] * classes + strike_classes[place]) * LANES
            add_scaled(staying, at, weight, nothing, row)
            add_scaled(staying, (first + touch_of[i]) * LANES, weight, touched, row)
            striking[place, strike_of[i]] += weight
    return weights
