"""The general exact engine: forward in time over the joint distribution of everything that matters.

State: field of enemies x state of the chain (`batch.chain`) x attacker's HP. A turn takes every state through
greedy play's choice, the transitions of the action, and the retaliation. The attacker's HP is the innermost
axis: what a limit on it allows is a range, so each transition is one scaled addition of vectors.

Where no limit looks at HP and the same enemies strike back every turn so far, what the attacker has lost
depends on the turn alone. Such early fields need no axis: one vector of HP serves them all.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts, step
from buildsearch.systems.vitality.exact.batch.chain import NOBODY, UNUSABLE, USABLE, Chain
from buildsearch.systems.vitality.exact.batch.compiled import set_all
from buildsearch.systems.vitality.exact.transitions import BIT_SETS, CALM, DAMAGED, DEFEATED, HIT
from buildsearch.systems.vitality.mechanics.limits import timing_allows

# Fights that are still on with less than this chance count as ending on the spot.
NEGLIGIBLE = 1e-15
SURVIVED, TIMED_OUT, LOST, CUT = range(4)
TOTALS = 4
_EVENTS = 3

# What is followed beside the chain.
AXES = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("max_turns", "first_turn", "last_turn", "no_retaliation", "defeat_is_loss", "hp_cost"),
            "accepted_size",  # 2: whether limits accept what the enemies did is kept
            "calm",  # whether a turn without retaliation is accepted
            "size",  # of chain and accepted together
            *("hp_size", "usable_from", "usable_to"),  # the attacker's HP, and which of them limits allow
        )
    ]
)


class Play(NamedTuple):
    """A `joint_chain`: steps by state and event, and by what happened (bits) the state after."""

    starts: NDArray[np.int64]
    actions: NDArray[np.int64]
    attempts: NDArray[np.int64]
    chances: NDArray[np.float64]
    after: NDArray[np.int64]


# What a chain calls a turn by its bits but for CALM, which is followed beside it.
_AFTER = {
    0: "missed",
    HIT: "touched",
    DAMAGED: "ticked",
    HIT | DAMAGED: "damaged",
    DEFEATED: "defeated",
    DEFEATED | DAMAGED: "defeated",
    DEFEATED | HIT: "splintered",
    DEFEATED | DAMAGED | HIT: "splintered",
}


def play_of(chain: Chain) -> Play:
    steps = chain.steps
    keys = steps["state"] * _EVENTS + steps["event"]
    after = np.zeros((len(steps), BIT_SETS), np.int64)
    for bits, name in _AFTER.items():
        after[:, bits] = after[:, bits | CALM] = steps[name]
    return Play(
        starts=np.searchsorted(keys, np.arange(chain.states * _EVENTS + 1)),
        actions=steps["action"].copy(),
        attempts=steps["attempts"].copy(),
        chances=steps["chance"].copy(),
        after=after,
    )


class Table(NamedTuple):
    """The arrays of `Transitions`."""

    starts: NDArray[np.int64]
    fields: NDArray[np.int64]
    bits: NDArray[np.int64]
    chances: NDArray[np.float64]
    idle: NDArray[np.bool_]


class Flow(NamedTuple):
    """Mass by (field x gates, HP) after the action: still to be attacked back, spared, and won.

    `early`: of the states that share the vector `hp`, which has the chance of each HP; they stand first.
    """

    middle: NDArray[np.float64]
    spared: NDArray[np.float64]
    over: NDArray[np.float64]
    early: NDArray[np.float64]
    hp: NDArray[np.float64]


@step
def _move_early(
    axes: np.void, play: Play, table: Table, step: int, field: int, mass: float, flow: Flow
) -> None:
    """Take the mass of an early state, whatever the HP, to other early ones, or spread it over HP."""
    early = flow.early
    after = play.after[step]
    action = play.actions[step]
    for entry in range(table.starts[action, field], table.starts[action, field + 1]):
        weight = mass * table.chances[entry]
        bits = table.bits[entry]
        where = table.fields[entry] * axes["size"] + after[bits]
        if table.fields[entry] < 0:
            for k in range(len(flow.hp)):
                flow.over[k] += weight * flow.hp[k]
        elif where < len(early):
            early[where] += weight
        else:
            row = flow.spared[where] if bits & CALM else flow.middle[where]
            for k in range(len(flow.hp)):
                row[k] += weight * flow.hp[k]


@step
def _move(
    axes: np.void,
    play: Play,
    table: Table,
    step: int,
    field: int,
    start: int,
    stop: int,
    mass: NDArray[np.float64],
    flow: Flow,
) -> None:
    """Take the mass of the HP range `start` to `stop`, less the HP paid, through every move of a step."""
    after = play.after[step]
    action = play.actions[step]
    paid = axes["hp_cost"] * play.attempts[step]
    for entry in range(table.starts[action, field], table.starts[action, field + 1]):
        chance = play.chances[step] * table.chances[entry]
        if table.fields[entry] < 0:
            for k in range(start, stop):
                flow.over[max(k - paid, 0)] += chance * mass[k]
            continue
        bits = table.bits[entry]
        where = table.fields[entry] * axes["size"] + after[bits] * axes["accepted_size"]
        row = flow.spared[where + axes["calm"]] if bits & CALM else flow.middle[where]
        if paid > 0:
            for k in range(start, stop):
                row[max(k - paid, 0)] += chance * mass[k]
            continue
        for k in range(stop - start):
            row[np.uint64(start + k)] += chance * mass[np.uint64(start + k)]


@step
def _act(
    axes: np.void, play: Play, table: Table, turn: int, state: int, mass: NDArray[np.float64], flow: Flow
) -> None:
    """Greedy play from one state, for every HP of the attacker."""
    field = state // axes["size"]
    gate = state % axes["size"] // axes["accepted_size"]
    accepted = axes["accepted_size"] == 1 or state % 2 == 1
    none = np.int64(0)
    start = none
    stop = none
    if accepted and timing_allows(turn, axes["first_turn"], axes["last_turn"], turn, 1, 0):
        start = axes["usable_from"]
        stop = axes["usable_to"]
    unmet = NOBODY if table.idle[field] else UNUSABLE
    met = NOBODY if table.idle[field] else USABLE
    # The HP that limits allow, those below, those above.
    for event, first, last in (
        (met, start, stop),
        (unmet, np.int64(0), start),
        (unmet, stop, axes["hp_size"]),
    ):
        if first == last:
            continue
        for move in range(play.starts[gate * _EVENTS + event], play.starts[gate * _EVENTS + event + 1]):
            if field * axes["size"] < len(flow.early):
                _move_early(axes, play, table, move, field, play.chances[move] * mass[0], flow)
            else:
                _move(axes, play, table, move, field, first, last, mass, flow)


@step
def retaliate(blow: NDArray[np.float64], mass: NDArray[np.float64], after: NDArray[np.float64]) -> None:
    """Spread the mass over the attacker's HP; `blow[j]` is the chance of losing j of them."""
    size = len(mass)
    below = 0.0
    for lost in range(len(blow)):
        chance = blow[lost]
        if 0 < lost <= size:
            below += mass[lost - 1]
        if chance == 0.0:
            continue
        for k in range(size - lost):
            after[np.uint64(k)] += chance * mass[np.uint64(lost + k)]
        after[0] += chance * below


# Loops over what numpy says in a word: numba takes seconds to compile the words.
@step
def _is_empty(row: NDArray[np.float64]) -> bool:
    highest = 0.0
    for k in range(len(row)):
        highest = max(highest, row[k])
    return highest == 0.0


@step
def _sum(row: NDArray[np.float64], first: int) -> float:
    total = 0.0
    for k in range(first, len(row)):
        total += row[k]
    return total


@step
def _sum_rows(rows: NDArray[np.float64], first: int) -> float:
    total = 0.0
    for row in range(rows.shape[0]):
        for k in range(first, rows.shape[1]):
            total += rows[row, k]
    return total


@step
def _take_first(rows: NDArray[np.float64]) -> float:
    """The sum of the first column, which is zero afterwards."""
    total = 0.0
    for row in range(rows.shape[0]):
        total += rows[row, 0]
        rows[row, 0] = 0.0
    return total


@step
def _clear(rows: NDArray[np.float64]) -> None:
    for row in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            rows[row, k] = 0.0


class _Room(NamedTuple):
    """Mass by state and HP: now, after the action, later; of early states now and after it, a row each; by HP
    the chance, the same after retaliation, what is over, a row each."""

    now: NDArray[np.float64]
    middle: NDArray[np.float64]
    later: NDArray[np.float64]
    early: NDArray[np.float64]
    hp: NDArray[np.float64]


def run_forward(
    axes: np.void,
    play: Play,
    first_field: int,
    table: Table,
    retaliation_of: NDArray[np.int64],
    blows: NDArray[np.float64],
    early_fields: int,
    ends: NDArray[np.float64],
    totals: NDArray[np.float64],
) -> None:
    """Fill the chance of each length of fight and the totals.

    `blows[r, a, j]`: the chance that retaliation r takes j HP and is (a = 1) or is not accepted by limits.
    `early_fields`: so many fields, the first, share what is left of the attacker's HP.
    """
    size, hp_size = int(axes["size"]), int(axes["hp_size"])
    shape = (len(retaliation_of) * size, hp_size)
    # Made here: numba would compile each way to make an array.
    room = _Room(
        np.zeros(shape), np.zeros(shape), np.zeros(shape),
        np.zeros((2, early_fields * size)), np.zeros((3, hp_size)),
    )  # fmt: skip
    _run(axes, play, first_field, table, retaliation_of, blows, room, ends, totals)


@kernel_without_refcounts
def _run(  # noqa: PLR0915 - one loop over turns
    axes: np.void,
    play: Play,
    first_field: int,
    table: Table,
    retaliation_of: NDArray[np.int64],
    blows: NDArray[np.float64],
    room: _Room,
    ends: NDArray[np.float64],
    totals: NDArray[np.float64],
) -> None:
    size = axes["size"]
    hp_size = axes["hp_size"]
    # To numba a constant has a type of its own, and a function called with it is compiled for it again.
    none = np.int64(0)
    one = np.int64(1)
    outer = len(retaliation_of) * size
    early_size = room.early.shape[1]
    early_now = room.early[0]
    early_after = room.early[1]
    hp = room.hp[0]
    hp[hp_size - 1] = 1.0
    hp_after = room.hp[1]
    over = room.hp[2]
    now = room.now
    middle = room.middle
    later = room.later
    first = first_field * size + axes["calm"]
    if first < early_size:
        early_now[first] = 1.0
    else:
        now[first, hp_size - 1] = 1.0
    unmoved = axes["no_retaliation"] != 0 or (hp_size == 1 and axes["accepted_size"] == 1)
    for turn in range(1, axes["max_turns"] + 1):
        _clear(middle)
        _clear(later)
        set_all(over, 0.0)
        set_all(early_after, 0.0)
        flow = Flow(middle, later, over, early_after, hp)
        for state in range(early_size):
            if early_now[state] > 0.0:
                _act(axes, play, table, turn, state, early_now[state : state + 1], flow)
        for state in range(early_size, outer):
            mass = now[state]
            if not _is_empty(mass):
                _act(axes, play, table, turn, state, mass, flow)
        ends[turn] += _sum(over, none)
        totals[SURVIVED] += _sum(over, one)

        if early_size > 0:
            set_all(hp_after, 0.0)
            retaliate(blows[retaliation_of[0], 0], hp, hp_after)
            hp, hp_after = hp_after, hp
            early_now, early_after = early_after, early_now
        for state in range(early_size, outer):
            mass = middle[state]
            if _is_empty(mass):
                continue
            if unmoved:
                spared = later[state + axes["calm"]]
                for k in range(hp_size):
                    spared[k] += mass[k]
                continue
            row = retaliation_of[state // size]
            for accepted in range(axes["accepted_size"]):
                retaliate(blows[row, accepted], mass, later[state + accepted])
        if axes["defeat_is_loss"] != 0:
            fallen = _take_first(later)
            totals[LOST] += fallen
            ends[axes["max_turns"]] += fallen
        now, later = later, now
        early = _sum(early_now, none)
        remaining = _sum_rows(now, none) + early
        if remaining < NEGLIGIBLE and turn < axes["max_turns"]:
            totals[CUT] = remaining
            ends[turn] += remaining
            totals[SURVIVED] += _sum_rows(now, one) + early * _sum(hp, one)
            return
    early = _sum(early_now, none)
    totals[TIMED_OUT] = _sum_rows(now, none) + early
    totals[SURVIVED] += _sum_rows(now, one) + early * _sum(hp, one)
    ends[axes["max_turns"]] += totals[TIMED_OUT]
