"""Forward in time from every arrival, where the turn limit is near: attacks that come in late, Splinter.

As `walking`, HP run backwards in memory: index = HP lost, enemy after enemy.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.recursion import REGROUPED
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.batch.values import row_of
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING

_NEGLIGIBLE = 1e-14
# An enemy whom less than this fights is left alone: a hundred turns of it take less than 1e-13 off a mean.
_EMPTY = 1e-18


@njit(cache=True, nogil=True)
def starts_of(places: Places) -> NDArray[np.int64]:
    """The first index of each enemy, and behind them the number of all."""
    starts = np.zeros(len(places.max_hp) + 1, np.int64)
    for place in range(len(places.max_hp)):
        starts[place + 1] = starts[place] + places.max_hp[place]
    return starts


@njit(cache=True, nogil=True)
def arrive(
    turn: int,
    states: NDArray[np.int64],
    by_turn: NDArray[np.float64],
    places: Places,
    now: NDArray[np.float64],
) -> bool:
    """Add who arrives in a turn; whether somebody may arrive later."""
    if turn >= len(by_turn):
        return False
    start = 0
    for place in range(len(places.max_hp)):
        max_hp = places.max_hp[place]
        for i in range(len(states)):
            for lost in range(max_hp):
                now[states[i], start + lost] += by_turn[turn, i, start + max_hp - 1 - lost]
        start += max_hp
    return turn + 1 < len(by_turn)


class _Plan(NamedTuple):
    """By step and field, the chance to stay after a miss, to stay after a hit, to strike, and to defeat."""

    misses: NDArray[np.float64]
    touches: NDArray[np.float64]
    strikes: NDArray[np.float64]
    defeats: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _plan(
    steps: NDArray[np.void], starts: NDArray[np.int64], places: Places, damages: Damages, first_row: int
) -> _Plan:
    size = (len(steps), starts[-1])
    plan = _Plan(np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size))
    for i in range(len(steps)):
        step = steps[i]
        for place in range(len(places.max_hp)):
            weight = step["chance"] * places.sets[place, step["event"]]
            start = starts[place]
            stop = starts[place + 1]
            if step["action"] == NOTHING:
                plan.misses[i, start:stop] = weight
                continue
            row = row_of(step["action"], places.strike_class[place], first_row, damages.classes)
            touched = weight * damages.touched[row]
            plan.misses[i, start:stop] = weight * damages.chances[row, 0] - touched
            plan.touches[i, start:stop] = touched
            plan.strikes[i, start:stop] = weight
            for j in range(start, stop):
                down = damages.at_least[row, max(1, stop - j - damages.kill_at[row])]
                plan.defeats[i, j] = weight * down
    return plan


class _Follow(NamedTuple):
    """By action and place, what follows a defeat there."""

    hits: NDArray[np.float64]  # by field: struck by Splinter and standing
    untouched: NDArray[np.float64]  # by place: at full HP, in the same wave
    cleared: NDArray[np.float64]  # the wave is over
    ends: NDArray[np.int64]  # the place behind the last that may be struck


@njit(cache=True, nogil=True)
def _follow(
    actions: int,
    starts: NDArray[np.int64],
    places: Places,
    damages: Damages,
    splinter: Splinter,
    first_row: int,
) -> _Follow:
    enemies = len(places.max_hp)
    follow = _Follow(
        np.zeros((actions, enemies, starts[-1])),
        np.zeros((actions, enemies, enemies)),
        np.zeros((actions, enemies)),
        np.zeros((actions, enemies), np.int64),
    )
    for action in range(BASIC, actions):
        limit = splinter.limit if action > BASIC else 0
        for place in range(enemies):
            weight = 1.0
            target = place + 1
            while target <= place + limit and places.ends_wave[target - 1] == 0:
                row = row_of(action, places.strike_class[target], first_row, damages.classes)
                follow.untouched[action, place, target] += weight * splinter.missed[row]
                for damage in range(places.max_hp[target]):
                    chance = weight * splinter.strikes[row, damage]
                    follow.hits[action, place, starts[target] + damage] = chance
                weight *= splinter.defeats[row]
                target += 1
            follow.ends[action, place] = target
            if places.ends_wave[target - 1] != 0:
                follow.cleared[action, place] = weight
            else:
                follow.untouched[action, place, target] += weight
    return follow


@njit(cache=True, nogil=True, fastmath=REGROUPED)
def walk_from(  # noqa: PLR0912, PLR0915 - calls in its inner loops would cost more than they do
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    splinter: Splinter,
    first_row: int,
    max_turns: int,
    arriving: NDArray[np.int64],
    by_turn: NDArray[np.float64],
) -> float:
    """The mean number of turns after arrival; a fight that is not over by then ends with `max_turns`."""
    starts = starts_of(places)
    misses, touches, strikes, defeats = _plan(steps, starts, places, damages, first_row)
    actions = steps["action"].max() + 1
    hits, untouched, cleared, ends = _follow(actions, starts, places, damages, splinter, first_row)
    max_hp = places.max_hp
    enemies = len(max_hp)
    rows = np.zeros((len(spreads), enemies), np.int64)
    for i in range(len(spreads)):
        for place in range(enemies):
            rows[i, place] = row_of(spreads[i, 0], places.strike_class[place], first_row, damages.classes)
    chances = damages.chances
    lowest = damages.lowest
    highest = damages.highest
    kill_at = damages.kill_at
    now = np.zeros((states, starts[-1]))
    later = np.zeros((states, starts[-1]))
    together = np.zeros((max(len(spreads), 1), starts[-1]))
    busy = np.zeros(states)
    moves = np.zeros(len(spreads))
    mean = 0.0
    for turn in range(1, max_turns + 1):
        more = arrive(turn, arriving, by_turn, places, now)
        # The mass moves through the enemies as a front: only those between its ends are looked at.
        left = 0
        reached = 0
        remaining = 0.0
        busy[:] = 0.0
        for place in range(enemies):
            there = 0.0
            for i in range(states):
                total = 0.0
                for k in range(starts[place], starts[place + 1]):
                    total += now[np.uint64(i), np.uint64(k)]
                busy[i] += total
                there += total
            remaining += there
            if there > _EMPTY:
                reached = place + 1
            elif reached == 0:
                left = place + 1
        if remaining < _NEGLIGIBLE and not more:
            break
        mean += remaining
        if reached == 0:
            now[:] = 0.0
            continue
        begin = starts[left]
        end = starts[reached]
        later[:] = 0.0
        together[:, begin:end] = 0.0
        moves[:] = 0.0
        for i in range(len(steps)):
            step = steps[i]
            if busy[step["state"]] == 0.0:
                continue
            state = np.uint64(step["state"])
            after = np.uint64(step["missed"])
            for k in range(begin, end):
                later[after, np.uint64(k)] += misses[np.uint64(i), np.uint64(k)] * now[state, np.uint64(k)]
            action = step["action"]
            if action == NOTHING:
                continue
            after = np.uint64(step["touched"])
            spread = np.uint64(step["spread"])
            moves[spread] = 1.0
            for k in range(begin, end):
                there = now[state, np.uint64(k)]
                later[after, np.uint64(k)] += touches[np.uint64(i), np.uint64(k)] * there
                together[spread, np.uint64(k)] += strikes[np.uint64(i), np.uint64(k)] * there
            for place in range(left, min(reached, enemies - 1)):
                start = starts[place]
                down = 0.0
                for k in range(max_hp[place]):
                    down += defeats[np.uint64(i), np.uint64(start + k)] * now[state, np.uint64(start + k)]
                if down == 0.0:
                    continue
                last = ends[action, place]
                after = np.uint64(step["splintered"])
                start = starts[place + 1]
                for k in range(starts[last] - start):
                    later[after, np.uint64(start + k)] += (
                        down * hits[np.uint64(action), np.uint64(place), np.uint64(start + k)]
                    )
                for target in range(place + 1, min(last + 1, enemies)):
                    later[step["defeated"], starts[target]] += down * untouched[action, place, target]
                if last < enemies:
                    later[step["cleared"], starts[last]] += down * cleared[action, place]
        for i in range(len(spreads)):
            if moves[i] == 0.0:
                continue
            after = np.uint64(spreads[i, 1])
            for place in range(left, reached):
                row = np.uint64(rows[i, place])
                low = lowest[row]
                high = highest[row] + 1
                end = starts[place + 1] - kill_at[row]
                for j in range(starts[place], end - low):
                    there = together[i, j]
                    if there == 0.0:
                        continue
                    for k in range(min(high, end - j) - low):
                        later[after, np.uint64(j + low + k)] += there * chances[row, np.uint64(low + k)]
        now, later = later, now
    return mean
