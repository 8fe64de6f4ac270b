"""`attempts` for attacks that bleed: with nothing pending, with a bleed pending, and who is doomed.

As in `pending` what is pending is taken off at once. With p(d) the damage of an attack that is made with
chance a, e(x) its echo, V and P the attacks that h HP take with nothing pending and with a bleed, and with
s = 1 - a + a p(0) for no damage

    V(h) = 1 + s V(h) + a (sum over 0 < x < h of e(x) P(h - x) + P(the bleed alone dooms))
    P(h) = 1 + s V(h) + a sum over 0 < d < h of p(d) V(h - d)

Who is doomed takes one more attack.

A bleed is followed by an attack that harms and finds it pending, or by one that does nothing; either way the
next one that harms bleeds again. So between two bleeds lie this one attack and those that do nothing. Say C_u
for the damage before bleed u + 1, and D for that of its attack without the bleed:

    P(K(h) > m) = sum over u of P(u of m - u attacks harm) P(C_u < h)
                + P(u of m - u - 1 attacks harm) a P(C_u + D < h and D > 0)

From C_u to C_(u+1) it is the echo of an attack that harms, and the damage of the attempt after it.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_all, set_part
from buildsearch.systems.vitality.exact.batch.lanes.attempts import (
    NEVER,
    Items,
    Lanes,
    Standing,
    Trials,
    add_standing,
    fill_lanes,
    lanes_for,
    no_harm,
    one_more_harm,
    set_harms,
    set_stays,
    standing_for,
    stands_after,
    tell_standing,
    tops_of,
)
from buildsearch.systems.vitality.exact.batch.lanes.spreading import (
    add_damage_of_one,
    convolve,
    odd_end,
    sum_two,
)
from buildsearch.systems.vitality.exact.batch.lanes.tables import fill_dooms, fill_rows
from buildsearch.systems.vitality.exact.batch.lanes.values import STUCK
from buildsearch.systems.vitality.exact.batch.lanes.vectors import (
    LANES,
    add_product,
    add_scaled,
    copy,
    dot_pairs_down,
    multiply,
)
from buildsearch.systems.vitality.exact.batch.places import Damages


class _Echoes(NamedTuple):
    """Of eight rows the echo's chances by damage, and by HP the chance that only what is pending defeats."""

    chances: NDArray[np.float64]
    dooms: NDArray[np.float64]


@inner
def _fill_echoes(damages: Damages, lanes: Lanes, height: int, echoes: _Echoes) -> int:
    """The echoes of the eight rows that were filled in; the answer: the highest damage."""
    fill_dooms(damages, lanes.rows, lanes.at_least, height, echoes.dooms, 0)
    return fill_rows(damages.echoes, damages.echo_highest, lanes.rows, height - 1, echoes.chances, 0)


@njit(cache=True, nogil=True)
def mean_bleeding(
    damages: Damages, items: Items, activation: float, growth: float, found: NDArray[np.float64]
) -> None:
    """As `attempts.mean_attempts`."""
    lanes = lanes_for(items)
    chances = lanes.chances
    at_least = lanes.at_least
    size = len(chances)
    echoes = _Echoes(np.zeros(size), np.zeros(size))
    calm = np.zeros(size)
    pending = np.zeros(size)
    two = np.zeros(2 * LANES)
    echoed = np.zeros(2 * LANES)
    stays = np.zeros(LANES)
    led_to = np.zeros(LANES)
    stuck = np.zeros(LANES, np.bool_)
    turn = 1.0 if growth == 1.0 else 0.0
    for start in range(0, len(items.rows), LANES):
        low, high, height = fill_lanes(damages, items, start, lanes)
        echo_high = _fill_echoes(damages, lanes, height, echoes)
        set_stays(lanes, activation, stays)
        for lane in range(LANES):
            leaves = 1.0 - growth * stays[lane]
            stuck[lane] = leaves < STUCK
            led_to[lane] = 1.0 / (1.0 if stuck[lane] else leaves)
        set_all(two, 0.0)
        set_all(echoed, 0.0)
        for hp in range(1, height + 1):
            at = (hp - 1) * LANES
            part = hp % 2 * LANES
            if part == 0:
                sum_two(echoes.chances, 0, 0, echo_high, pending, at, hp, echoed, 0)
                sum_two(chances, 0, low, high, calm, at, hp, two, 0)
            # An echo is of 2 at least. The doomed take one more attack, those who are down none.
            add_scaled(echoed, part, growth, echoes.dooms, hp * LANES)
            add_scaled(echoed, part, 1.0 - turn, at_least, hp * LANES)
            for lane in range(LANES):
                calm[at + lane] = turn + growth * activation * echoed[part + lane]
            multiply(calm, at, led_to, 0)
            add_damage_of_one(chances, 0, low, high, calm, at, hp, two, part)
            add_scaled(two, part, 1.0 - turn, at_least, hp * LANES)
            for lane in range(LANES):
                missed = stays[lane] * calm[at + lane]
                pending[at + lane] = turn + growth * (missed + activation * two[part + lane])
        for lane in range(min(LANES, len(items.rows) - start)):
            for i in range(items.first[start + lane], items.first[start + lane + 1]):
                found[i] = np.inf if stuck[lane] else calm[(items.heights[i] - 1) * LANES + lane]


@inner
def _fill_between(  # noqa: PLR0917 - all that a bleed depends on
    lanes: Lanes, low: int, high: int, height: int, activation: float, stays: NDArray[np.float64],
    given: NDArray[np.float64], echoes: _Echoes, echo_high: int, between: NDArray[np.float64],
    two: NDArray[np.float64],
) -> int:  # fmt: skip
    """By damage the chance that it is done from one bleed to the next; the answer: below it there is none."""
    set_part(echoes.chances, (echo_high + 1) * LANES, height * LANES, 0.0)
    convolve(lanes.chances, low, high, echoes.chances, 0, height, between, two)
    set_part(between, height * LANES, (height + 1) * LANES, 0.0)
    least = height
    for done in range(height - 1, -1, -1):
        at = done * LANES
        for lane in range(LANES):
            between[at + lane] *= activation
        add_product(between, at, stays, 0, echoes.chances, at)
        multiply(between, at, given, 0)
        if between[at : at + LANES].any():
            least = done
    return least


@inner
def _fill_harm(lanes: Lanes, high: int, height: int, activation: float, harm: NDArray[np.float64]) -> None:
    """By HP, up to these, the chance that an attempt harms and does less."""
    set_part(harm, 0, LANES, 0.0)
    for hp in range(1, height + 1):
        copy(harm, hp * LANES, harm, (hp - 1) * LANES)
        if hp - 1 <= high:
            add_scaled(harm, hp * LANES, activation, lanes.chances, (hp - 1) * LANES)


@inner
def _stands_harmed(
    before: NDArray[np.float64], harm: NDArray[np.float64], tops: NDArray[np.int64], height: int,
    items: Items, start: int, who: Standing, total: NDArray[np.float64],
) -> None:  # fmt: skip
    """Fill in the chances that so much damage and an attempt that harms leave somebody standing."""
    set_all(who.chances, 0.0)
    for top in tops:
        if top > height:
            break
        dot_pairs_down(total, 0, before, 0, harm, top * LANES, top)
        for lane in range(min(LANES, len(items.rows) - start)):
            first = items.first[start + lane]
            for rank in range(items.first[start + lane + 1] - first):
                if items.heights[first + rank] == top and total[lane] >= NEVER:
                    who.chances[rank * LANES + lane] = total[lane]


@njit(cache=True, nogil=True)
def lasting_bleeding(damages: Damages, items: Items, activation: float, lasts: NDArray[np.float64]) -> None:
    """As `attempts.lasting_attempts`."""
    lanes = lanes_for(items)
    tops = tops_of(items)
    size = len(lanes.chances)
    most = lasts.shape[1] - 1
    echoes = _Echoes(np.zeros(size), np.zeros(size))
    between = np.zeros(size)
    harm = np.zeros(size)
    before = np.zeros(size)
    trials = Trials(np.zeros((most + 1) * LANES), np.zeros((most + 1) * LANES))
    two = np.zeros(2 * LANES)
    stays = np.zeros(LANES)
    harms = np.zeros(LANES)
    given = np.zeros(LANES)
    who = standing_for(items, most)
    for start in range(0, len(items.rows), LANES):
        low, high, height = fill_lanes(damages, items, start, lanes)
        echo_high = _fill_echoes(damages, lanes, height, echoes)
        set_stays(lanes, activation, stays)
        set_harms(lanes, activation, harms, given)
        no_harm(stays, most, trials)
        least = _fill_between(
            lanes, low, high, height, activation, stays, given, echoes, echo_high, between, two
        )
        _fill_harm(lanes, high, height, activation, harm)
        set_part(before, 0, height * LANES, 0.0)
        set_part(before, 0, LANES, 1.0)
        bleeds = 0
        while stands_after(before, height, items, start, who):
            add_standing(trials, bleeds, who)
            if 2 * bleeds >= most:
                break
            _stands_harmed(before, harm, tops, height, items, start, who, two)
            add_standing(trials, bleeds + 1, who)
            low = least - least % 2
            convolve(between, low, odd_end(height), before, bleeds * least, height, before, two)
            bleeds += 1
            trials = one_more_harm(stays, harms, most, trials)
        tell_standing(items, start, who, lasts)
