"""Proofs that the turn limit is out of reach, cheap enough to be asked for every mean.

Let d be a turn's damage cut at c, and u = HP left + (c - 1) * enemies still to come: every turn lowers u by d
or more, whatever enemy it goes at. Take any numbers x(g) > 0 for the states of the chain. If at every place

    sum over steps from g of weight * E[exp(-a d) x(g')] <= r x(g),

then exp(a u) x(g) shrinks in the mean by r with every turn, so that more than t turns have a chance of at
most r^t exp(a (u_0 - 1)) x(g_0) / min x (Chernoff's bound, Foster and Lyapunov's way). Any x proves
something; steps of the power method from a good guess find one that proves nearly all there is.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.values import row_of
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING

# What the turn limit may take off a mean before it is respected.
TOLERANCE = 3e-10
RATES = (0.1, 0.2, 0.05, 0.4)
_SEVERAL_CUT = 12
_NO_CUT = 1 << 30
# Guesses come from an attack like this, so that they depend on the chain alone: the chance of no damage, and
# the mean of exp(-a d) over damage.
_USUAL_MISS = 0.25
_USUAL_SHRINK = 0.3
_GUESSES = 24
_TRIES = 4


class Prover(NamedTuple):
    """What proofs about one chain share."""

    # By place that differs from the next, and step: its chance. By such a place: its class.
    weights: NDArray[np.float64]
    classes: NDArray[np.int64]
    # By step: the state, the action, the states after a miss, a hit, and all that damage may lead to.
    moves: NDArray[np.int64]
    # By rate and state.
    guesses: NDArray[np.float64]
    # By place, step and outcome (miss, hit, damage): the factor at the rate that is tried.
    factors: NDArray[np.float64]
    old: NDArray[np.float64]
    new: NDArray[np.float64]
    here: NDArray[np.float64]
    # All HP, and what enemies to come add to them.
    potential: int


@njit(cache=True, nogil=True)
def shrinks_of(damages: Damages, enemies: int) -> NDArray[np.float64]:
    """By row of damages and rate: the mean of exp(-rate * damage) where there is damage."""
    cut = _SEVERAL_CUT if enemies > 1 else _NO_CUT
    rows, size = damages.chances.shape
    found = np.zeros((rows, len(RATES)))
    for i in range(len(RATES)):
        powers = np.zeros(size)
        for damage in range(1, size):
            powers[damage] = math.exp(-RATES[i] * min(damage, cut))
        for row in range(rows):
            total = 0.0
            for damage in range(damages.lowest[row], size):
                total += damages.chances[row, damage] * powers[damage]
            found[row, i] = total
    return found


@njit(cache=True, nogil=True)
def prover_for(
    steps: NDArray[np.void], states: int, places: Places, damages: Damages, shrinks: NDArray[np.float64]
) -> Prover:
    """What proofs about a chain start from."""
    enemies = len(places.max_hp)
    count = 0
    for place in range(enemies):
        count += 1 - places.same_as_next[place]
    weights = np.zeros((count, len(steps)))
    classes = np.zeros(count, np.int64)
    count = 0
    for place in range(enemies):
        if places.same_as_next[place] == 0:
            classes[count] = places.strike_class[place]
            for i in range(len(steps)):
                weights[count, i] = steps[i]["chance"] * places.sets[place, steps[i]["event"]]
            count += 1
    # A bleed's tick may follow any outcome, and may defeat.
    bleeds = len(damages.echoes) > 0
    moves = np.zeros((len(steps), 8), np.int64)
    for i in range(len(steps)):
        step = steps[i]
        moves[i, 0] = step["state"]
        moves[i, 1] = step["action"]
        moves[i, 2] = step["missed"]
        moves[i, 3] = step["touched"]
        moves[i, 4] = step["damaged"]
        moves[i, 5] = step["defeated"]
        moves[i, 6] = step["cleared"]
        moves[i, 7] = step["ticked"] if bleeds else step["splintered"]
    potential = places.max_hp.sum()
    if enemies > 1:
        potential += (_SEVERAL_CUT - 1) * (enemies - 1)
    prover = Prover(
        weights,
        classes,
        moves,
        np.ones((len(RATES), states)),
        np.zeros((count, len(steps), 3)),
        np.ones(states),
        np.zeros(states),
        np.zeros(states),
        potential,
    )
    for rate in range(len(RATES)):
        _set_factors(prover, rate, -1, damages, shrinks)
        prover.old[:] = 1.0
        for _ in range(_GUESSES):
            _advance(prover, bleeds)
        prover.guesses[rate] = prover.old
    return prover


@njit(cache=True, nogil=True)
def _set_factors(
    prover: Prover, rate: int, first_row: int, damages: Damages, shrinks: NDArray[np.float64]
) -> None:
    """Factors of every step; without a first row those of the usual attack."""
    factors = prover.factors
    for place in range(len(prover.classes)):
        for i in range(len(prover.moves)):
            weight = prover.weights[place, i]
            action = prover.moves[i, 1]
            if action == NOTHING:
                factors[place, i, 0] = weight
                factors[place, i, 1] = 0.0
                factors[place, i, 2] = 0.0
            elif action != BASIC and first_row < 0:
                factors[place, i, 0] = weight * _USUAL_MISS
                factors[place, i, 1] = 0.0
                factors[place, i, 2] = weight * (1.0 - _USUAL_MISS) * _USUAL_SHRINK
            else:
                row = row_of(action, prover.classes[place], first_row, damages.classes)
                touched = damages.touched[row]
                factors[place, i, 0] = weight * (damages.chances[row, 0] - touched)
                factors[place, i, 1] = weight * touched
                factors[place, i, 2] = weight * shrinks[row, rate]


@njit(cache=True, nogil=True)
def _advance(prover: Prover, bleeds: bool) -> float:
    """The smallest r that holds for `old`; then `old` is a better one, with 1 as its largest."""
    old = prover.old
    new = prover.new
    here = prover.here
    moves = prover.moves
    factors = prover.factors
    states = len(old)
    new[:] = 0.0
    for place in range(len(prover.classes)):
        here[:] = 0.0
        for i in range(len(moves)):
            then = max(old[moves[i, 4]], old[moves[i, 5]], old[moves[i, 6]], old[moves[i, 7]])
            missed = old[moves[i, 2]]
            touched = old[moves[i, 3]]
            if bleeds:
                then = max(then, missed, touched)
                missed = then
                touched = then
            here[moves[i, 0]] += (
                factors[place, i, 0] * missed + factors[place, i, 1] * touched + factors[place, i, 2] * then
            )
        for state in range(states):
            new[state] = max(new[state], here[state])
    ratio = 0.0
    for state in range(states):
        ratio = max(ratio, new[state] / old[state])
    if ratio == 0.0:
        return ratio
    # Half of what was: the power method alone goes round in circles with periodic chains.
    most = 0.0
    for state in range(states):
        new[state] = old[state] + new[state] / ratio
        most = max(most, new[state])
    for state in range(states):
        old[state] = new[state] / most
    return ratio


@njit(cache=True, nogil=True)
def is_far(
    prover: Prover,
    damages: Damages,
    shrinks: NDArray[np.float64],
    first_row: int,
    limit: int,
    arriving: NDArray[np.float64],
) -> bool:
    """Whether fights take less than the tolerance beyond the limit; `arriving[t]` start before turn t."""
    bleeds = len(damages.echoes) > 0
    old = prover.old
    for rate in range(len(RATES)):
        old[:] = prover.guesses[rate]
        _set_factors(prover, rate, first_row, damages, shrinks)
        for _ in range(_TRIES):
            least = 1.0
            for state in range(len(old)):
                least = min(least, old[state])
            ratio = _advance(prover, bleeds)
            if ratio == 0.0:
                return True
            if ratio >= 1.0:
                continue
            log = RATES[rate] * (prover.potential - 1) + limit * math.log(ratio)
            log -= math.log(least * (1.0 - ratio))
            if log > 0.0:
                continue
            # Late arrivals have so many turns less.
            late = 0.0
            for turn in range(len(arriving) - 1, 0, -1):
                late = late / ratio + arriving[turn]
            if math.exp(log) * late < TOLERANCE:
                return True
    return False
