"""Attacks in which no outcome changes what is done: turns are followed forward in time, eight at a time.

After some turns many are all alike: few uses are followed by basic attacks, channelling by the attack at its
last level. What is left of a fight is then the same for every profile, or needs one state. With w(i, h) the
chance that enemy i has h HP left after the first l turns

    E min(N, n) = sum over t < l of P(N > t) + sum over i, h of w(i, h) E min(N', n - l)

and where N' is of the attack, E N' is taken with a proof that the limit is far, as in `solving`.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import ABOVE, GROWTHS, NEARLY, TOLERANCE
from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all
from buildsearch.systems.vitality.exact.batch.lanes.alike import Alike, alike_for, basic_values, read_alike
from buildsearch.systems.vitality.exact.batch.lanes.following import (
    Followed,
    begin,
    followed_for,
    turn,
    weigh,
)
from buildsearch.systems.vitality.exact.batch.lanes.tables import (
    Ladders,
    Tables,
    fill_tables,
    group_from,
    tables_for,
)
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES, add_scaled
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.moves import BASIC, SPECIAL


@inner
def _read_attack(
    last: int,
    turns: int,
    limit: int,
    places: Places,
    tables: Tables,
    followed: Followed,
    alike: Alike,
    moments: NDArray[np.float64],
    means: NDArray[np.float64],
) -> None:
    """Add what the attack takes, less half of what the limit takes off at most; NaN where that may be much.

    `moments`: by growth what the first turns add to the mean of growth ** turns.
    """
    proved = np.zeros(LANES, np.bool_)
    # By the first growth: infinite where it has no moment.
    bounds = np.full(LANES, np.inf)
    wanted = np.zeros(LANES, np.bool_)
    for i in range(-1, len(GROWTHS)):
        for lane in range(len(means)):
            # The proof is a factor of two away at least, and nobody knows who goes beside it.
            wanted[lane] = not proved[lane] and 2 * means[lane] <= limit
            if i >= ABOVE[0]:
                above = i < ABOVE[1]
                wanted[lane] = wanted[lane] and (bounds[lane] < NEARLY if above else bounds[lane] == np.inf)
        if i >= 0 and not wanted.any():
            continue
        growth = 1.0 if i < 0 else GROWTHS[i]
        read_alike(last, growth, places, tables, followed, alike)
        for lane in range(len(means)):
            if i < 0:
                means[lane] += np.inf if alike.stuck[lane] else alike.read[lane]
                continue
            if not wanted[lane] or alike.stuck[lane]:
                continue
            moment = moments[i, lane] + growth**turns * alike.read[lane]
            bound = moment * growth**-limit / (math.e * math.log(growth))
            if i == 0:
                bounds[lane] = bound
            if bound < TOLERANCE:
                proved[lane] = True
                means[lane] -= bound / 2
    for lane in range(len(means)):
        if not proved[lane]:
            means[lane] = np.nan


@inner
def _read_basic(
    after: NDArray[np.float64], one_less: NDArray[np.float64], places: Places, followed: Followed,
    mean: NDArray[np.float64],
) -> None:  # fmt: skip
    """Add what basic attacks take: by place and HP, in the turns `after` these, and in one turn less."""
    hps = places.max_hp
    bleeds = len(followed.pending) > 0
    for i in range(len(after)):
        add_scaled(mean, 0, after[i], followed.now, i * LANES)
        if bleeds:
            # To a basic attack a bleed that is pending is damage that is done.
            add_scaled(mean, 0, after[i], followed.pending, i * LANES)
    if not bleeds:
        return
    field = 0
    for place in range(len(hps)):
        field += hps[place]
        then = one_less[field + hps[place + 1] - 1] if place + 1 < len(hps) else 0.0
        turn_taken = 1.0 if after[0] > 0.0 else 0.0
        add_scaled(mean, 0, turn_taken + then, followed.doomed, place * LANES)


@njit(cache=True, nogil=True)
def follow_turns(
    damages: Damages,
    splinter: Splinter,
    ladders: Ladders,
    places: Places,
    actions: NDArray[np.int64],
    last: int,
    limit: int,
    means: NDArray[np.float64],
) -> None:
    """Mean turns of profiles that make these actions one after the other, and then the last for ever.

    Those that defeat at the same HP stand together (`tables.group_from`). NaN where the limit may be near;
    followed up to the limit, or where the last action is the basic attack, nobody is too near to it.
    """
    turns = min(len(actions), limit)
    highest = max(actions.max(), last)
    if len(damages.echoes) > 0 and highest >= SPECIAL:
        # Every level has an echo behind it.
        highest = SPECIAL + 2 * (highest - SPECIAL) + 1
    tables = tables_for(highest + 1, places, damages, splinter)
    followed = followed_for(places, tables)
    alike = alike_for(tables)
    left = limit - turns if last == BASIC else 0
    after = basic_values(places, damages, left)
    one_less = basic_values(places, damages, max(left - 1, 0)) if tables.bleeds else after
    mean = np.zeros(LANES)
    moments = np.zeros((len(GROWTHS), LANES))
    everybody = np.arange(len(means))
    start = 0
    while start < len(means):
        eight = group_from(ladders, everybody, start)
        stop = start + len(eight.starts)
        fill_tables(tables, damages, splinter, eight)
        begin(places, followed)
        set_all(mean, 0.0)
        for i in range(len(moments)):
            set_all(moments[i], 1.0)
        for number in range(turns):
            if not weigh(followed):
                break
            add_scaled(mean, 0, 1.0, followed.mass, 0)
            for i in range(len(GROWTHS)):
                add_scaled(moments[i], 0, (GROWTHS[i] - 1.0) * GROWTHS[i] ** number, followed.mass, 0)
            followed = turn(actions[number], places, tables, followed)
        weigh(followed)
        if last == BASIC:
            _read_basic(after, one_less, places, followed, mean)
        for lane in range(stop - start):
            means[start + lane] = mean[lane]
        if last != BASIC:
            _read_attack(last, turns, limit, places, tables, followed, alike, moments, means[start:stop])
        start = stop
