"""Before the attacker's HP have fallen to a limit on them: basic attacks, whatever the attack is.

Limits are asked every turn, so up to the crossing nothing is charged, used or cooling down. HP never rise
again, so after it the limit always holds. The crossing is the joint walk of the enemies' and the
attacker's HP; what it leaves to the attack is a weight for every field, turn, and kind of turn before
(`Arrivals`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.batch.chain import NOBODY, UNUSABLE, USABLE
from buildsearch.systems.vitality.exact.forward import Fight, Plan, States, room_of
from buildsearch.systems.vitality.exact.forward_solver import laid_out, single_target_transitions
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.transitions import BASIC, NOTHING

# What the last basic attack did: feedback limits ask for it. A turn of waiting is a miss.
MISSED, TOUCHED, HARMED, DEFEATED = range(4)
KINDS = 4
# By the bits DAMAGED, DEFEATED, HIT of `transitions`.
_BY_BITS = (MISSED, HARMED, DEFEATED, DEFEATED, TOUCHED, HARMED, DEFEATED, DEFEATED)
_ANY_EVENT = 1 << UNUSABLE | 1 << USABLE | 1 << NOBODY
_NEGLIGIBLE = 1e-17


class Crossing(NamedTuple):
    """`before`: mean turns up to the crossing or the end. `arrivals[t, kind, field]`: crossed before turn t.

    Fields: HP less 1, enemy after enemy.
    """

    before: float
    arrivals: NDArray[np.float64]


# A game asks for some ten, of about a megabyte each.
_known = LruCache[tuple[object, ...], Crossing](64)


def crossing_of(ground: ExactGround, room: int, *, waits: bool) -> Crossing:
    """The crossing of a limit that holds when `room` HP are lost; below 0: it never does.

    It depends on the basic attack alone, so whoever asks next finds it known.
    """
    return _known.get((ground.digest(), room, waits), lambda: _crossed(ground, room, waits=waits))


def _crossed(ground: ExactGround, room: int, *, waits: bool) -> Crossing:
    """A fight with the HP above the limit as its axis: who falls to the limit leaves it."""
    found = single_target_transitions(ground, 0, tracks_hit=True)
    rest, living, idle, entries = laid_out(found)
    max_turns, size = int(ground.setup["max_turns"]), 1 + max(room, 1)
    blows = np.zeros((len(found.living) + 1, 2, int(ground.setup["attacker_hp"]) + 1))
    for i, who in enumerate((*found.living, [])):
        blows[i, 1] = ground.losses(who if room > 0 else [])
    states = States(
        rest=rest,
        living=living,
        idle=idle,
        blows=blows,
        shifts=np.zeros(0, np.int64),
        places=room_of(size) * np.arange(len(rest)),
        wide=np.ones(len(rest), bool),
    )
    # A gate says what the turn before did; whatever happened, a basic attack follows.
    plan = Plan(
        gates=KINDS,
        rolls=np.array([NOTHING if waits else BASIC]),
        next_rows=np.array([_BY_BITS]),
        step_starts=np.arange(KINDS + 1),
        steps=np.array([[_ANY_EVENT, KINDS, 0]] * KINDS),
        step_chances=np.ones(KINDS),
        first_gate=MISSED,
        first_turn=1,
        last_turn=max_turns,
        usable_from=0,
        usable_to=size,
        is_lost=True,
    )
    fight = Fight(states, plan, entries, size, size - 1)
    fight.begin(len(rest) - 1)
    arrivals, ends = np.zeros((max_turns + 1, KINDS, found.size)), np.zeros((max_turns + 1, size))
    before = 0.0
    for turn in range(1, max_turns + 1):
        on = fight.remaining
        if on < _NEGLIGIBLE:
            break
        fight.lost[:] = 0.0
        fight.run(turn, turn, ends)
        arrivals[turn] = fight.lost[:, 1 : 1 + found.size]
        before += on - float(fight.lost.sum())
    return Crossing(before, arrivals)


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
