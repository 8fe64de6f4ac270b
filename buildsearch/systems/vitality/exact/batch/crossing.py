"""Before the attacker's HP have fallen to a limit on them: basic attacks, whatever the attack is.

Limits are asked every turn, so up to the crossing nothing is charged, used or cooling down. HP never rise
again, so after it the limit always holds. The crossing is the joint walk of the enemies' and the
attacker's HP; what it leaves to the attack is a weight for every field, turn, and kind of turn before
(`Arrivals`).
"""


# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts, step
from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.batch.compiled import set_all
from buildsearch.systems.vitality.exact.batch.damage_rows import Damages, Places

# What the last basic attack did: feedback limits ask for it. A turn of waiting is a miss.
MISSED, TOUCHED, HARMED, DEFEATED = range(4)
KINDS = 4
_NEGLIGIBLE = 1e-17


class Crossing(NamedTuple):
    """`before`: mean turns up to the crossing or the end. `arrivals[t, kind, field]`: crossed before turn t.

    Fields: HP less 1, enemy after enemy.
    """

    before: float
    arrivals: NDArray[np.float64]


# A game asks for some ten, of about a megabyte each.
_known = LruCache[tuple[object, ...], Crossing](64)


def crossing_of(
    places: Places, blows: NDArray[np.float64], room: int, damages: Damages, max_turns: int, *, waits: bool
) -> Crossing:
    """The crossing of a limit that holds when `room` HP are lost; `blows[place, j]`: the chance to lose j.

    It depends on the basic attack alone, so whoever asks next finds it known.
    """
    rows, width = damages.basic, int(places.max_hp.max()) + 1
    basic = (damages.chances[rows, :width], damages.at_least[rows, :width], damages.touched[rows])
    arrays = (*basic, places.strike_class, places.max_hp, places.ends_wave, blows)
    key = (room, max_turns, waits, *(each.tobytes() for each in arrays), blows.shape)
    return _known.get(key, lambda: _crossed(places, blows, room, damages, max_turns, waits=waits))


def _crossed(
    places: Places, blows: NDArray[np.float64], room: int, damages: Damages, max_turns: int, *, waits: bool
) -> Crossing:
    fields = int(places.max_hp.sum())
    # Made here: numba would compile each way to make an array.
    mass, crossing = np.zeros((3, fields, room)), np.zeros((len(blows), room))
    arrivals = np.zeros((max_turns + 2, KINDS, fields))
    before = _cross(places, blows, damages, max_turns, waits, mass[0], mass[1], mass[2], crossing, arrivals)
    return Crossing(before, arrivals[: max_turns + 1])


@step
def _highest(row: NDArray[np.float64]) -> float:
    highest = 0.0
    for k in range(len(row)):
        highest = max(highest, row[k])
    return highest


@step
def _strike(
    place: int,
    first: int,
    places: Places,
    damages: Damages,
    mass: NDArray[np.float64],
    crossing: NDArray[np.float64],
    middle: NDArray[np.float64],
    spared: NDArray[np.float64],
    arrivals: NDArray[np.float64],
) -> None:
    """A basic attack from every field of a place; `crossing[place, a]`: the chance to lose more than a HP."""
    row = damages.basic[places.strike_class[place]]
    room = mass.shape[1]
    last = place + 1 == len(places.max_hp)
    chances = damages.chances[row]
    touched = damages.touched[row]
    for hp in range(1, places.max_hp[place] + 1):
        field = first + hp - 1
        here = mass[field]
        if _highest(here) < _NEGLIGIBLE:
            continue
        crossed = 0.0
        for a in range(room):
            crossed += here[a] * crossing[place, a]
        arrivals[MISSED, field] += (chances[0] - touched) * crossed
        arrivals[TOUCHED, field] += touched * crossed
        for damage in range(min(damages.highest[row], hp - 1) + 1):
            chance = chances[damage]
            if chance == 0.0:
                continue
            if damage > 0:
                arrivals[HARMED, field - damage] += chance * crossed
            target = middle[field - damage]
            for k in range(room):
                target[np.uint64(k)] += chance * here[np.uint64(k)]
        down = damages.at_least[row, hp]
        if down == 0.0 or last:
            continue
        then = first + places.max_hp[place] + places.max_hp[place + 1] - 1
        if places.ends_wave[place] != 0:
            for k in range(room):
                spared[np.uint64(then), np.uint64(k)] += down * here[np.uint64(k)]
            continue
        crossed = 0.0
        for a in range(room):
            crossed += here[a] * crossing[place + 1, a]
        arrivals[DEFEATED, then] += down * crossed
        for k in range(room):
            middle[np.uint64(then), np.uint64(k)] += down * here[np.uint64(k)]


@kernel_without_refcounts
def _cross(  # noqa: PLR0912 - loops over fields, where numpy has words
    places: Places,
    blows: NDArray[np.float64],
    damages: Damages,
    max_turns: int,
    waits: bool,
    now: NDArray[np.float64],
    middle: NDArray[np.float64],
    later: NDArray[np.float64],
    crossing: NDArray[np.float64],
    arrivals: NDArray[np.float64],
) -> float:
    """Turn by turn over (field, HP that may still be lost before the crossing, less 1)."""
    fields, room = now.shape
    # crossing[place, a]: a blow of more than a.
    for place in range(len(blows)):
        for a in range(room):
            for lost in range(a + 1, blows.shape[1]):
                crossing[place, a] += blows[place, lost]
    now[places.max_hp[0] - 1, room - 1] = 1.0
    before = 0.0
    for turn in range(1, max_turns + 1):
        on = 0.0
        for field in range(fields):
            for a in range(room):
                on += now[field, a]
        before += on
        if on < _NEGLIGIBLE:
            break
        for field in range(fields):
            set_all(middle[field], 0.0)
            set_all(later[field], 0.0)
        first = np.int64(0)
        for place in range(len(places.max_hp)):
            if waits:
                for field in range(first, first + places.max_hp[place]):
                    for a in range(room):
                        middle[field, a] = now[field, a]
                        arrivals[turn + 1, MISSED, field] += now[field, a] * crossing[place, a]
            else:
                _strike(place, first, places, damages, now, crossing, middle, later, arrivals[turn + 1])
            first += places.max_hp[place]
        first = 0
        for place in range(len(places.max_hp)):
            for field in range(first, first + places.max_hp[place]):
                mass = middle[field]
                if _highest(mass) == 0.0:
                    continue
                for lost in range(min(blows.shape[1], room)):
                    chance = blows[place, lost]
                    if chance == 0.0:
                        continue
                    target = later[field]
                    for k in range(room - lost):
                        target[np.uint64(k)] += chance * mass[np.uint64(lost + k)]
            first += places.max_hp[place]
        now, later = later, now
    return before


# What the turn limit may take off a mean at most before it is respected. Half of that bound is taken off, so
# that a mean is off by half of this at most.
TOLERANCE = 1e-6


class Arrivals(NamedTuple):
    """Who arrives where and when. `before`: the mean turns until then, or to an end before.

    `by_turn[t, i, field]`: the chance to arrive in state `states[i]` before turn t.
    """

    before: float
    states: NDArray[np.int64]
    by_turn: NDArray[np.float64]


def folded(crossing: Crossing, entered: NDArray[np.int64]) -> Arrivals:
    """Arrivals by state: what a chain does not tell apart is added up."""
    given = crossing.arrivals[:, : entered.shape[1]]
    turns = np.flatnonzero(given.any(axis=(1, 2)))
    last = int(turns[-1]) + 1 if len(turns) else 1
    states, compact = np.unique(entered, return_inverse=True)
    compact = compact.reshape(entered.shape)
    by_turn = np.zeros((last, len(states), given.shape[2]))
    for turn in range(1, last):
        clock = compact[min(turn - 1, len(entered) - 1)]
        for kind in range(given.shape[1]):
            by_turn[turn, clock[kind]] += given[turn, kind]
    used = by_turn.any(axis=(0, 2))
    return Arrivals(crossing.before, states[used].astype(np.int64), by_turn[:, used])
