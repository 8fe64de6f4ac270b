"""The general exact engine: forward in time over the joint distribution of everything that matters.

State: field of enemies x gates x attacker's HP. A turn takes every state through greedy play's choice, the
moves of the action, and the retaliation. The attacker's HP is the innermost axis: what a limit on it
allows is a range, so each move is one scaled addition of vectors.

Where no limit looks at HP and the same enemies strike back every turn so far, what the attacker has lost
depends on the turn alone. Such early fields need no axis: one vector of HP serves them all.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.moves import BASIC, CALM, DAMAGED, DEFEATED, HIT, NOTHING, SPECIAL

# Fights that are still on with less than this chance count as ending on the spot.
NEGLIGIBLE = 1e-15
SURVIVED, TIMED_OUT, LOST, CUT = range(4)
TOTALS = 4


class Table(NamedTuple):
    """The arrays of `Moves`."""

    starts: NDArray[np.int64]
    fields: NDArray[np.int64]
    bits: NDArray[np.int64]
    chances: NDArray[np.float64]
    idle: NDArray[np.bool_]


class Flow(NamedTuple):
    """Mass by (field x gates, HP) after the action: still to be attacked back, spared, and won.

    `early`: of the states that share the vector `hp`, which has the chance of each HP; they stand first.
    `targets`: as `_targets` says.
    """

    middle: NDArray[np.float64]
    spared: NDArray[np.float64]
    over: NDArray[np.float64]
    early: NDArray[np.float64]
    hp: NDArray[np.float64]
    targets: NDArray[np.int64]


@njit(cache=True, nogil=True)
def _targets(gates: np.void, table: Table) -> NDArray[np.int64]:
    """The state that each move leads to, apart from gates that the action decides; -1: the fight is over."""
    found = np.zeros(len(table.fields), np.int64)
    for entry in range(len(found)):
        where = table.fields[entry] * gates["size"]
        bits = table.bits[entry]
        # In a dimension that is not kept the step is times zero.
        if bits & DAMAGED:
            where += gates["damaged_step"] * (gates["damaged_size"] - 1)
        if bits & DEFEATED:
            where += gates["defeated_step"] * (gates["defeated_size"] - 1)
        if bits & HIT:
            where += gates["hit_step"] * (gates["hit_size"] - 1)
        found[entry] = where if table.fields[entry] >= 0 else -1
    return found


@njit(cache=True, nogil=True)
def _move_early(
    gates: np.void, table: Table, action: int, field: int, gate: int, weight: float, flow: Flow
) -> None:
    """Take the mass of an early state, whatever the HP, to other early ones, or spread it over HP."""
    early = flow.early
    targets = flow.targets
    chances = table.chances
    for entry in range(table.starts[action, field], table.starts[action, field + 1]):
        mass = weight * chances[entry]
        where = targets[entry] + gate
        if targets[entry] < 0:
            for k in range(len(flow.hp)):
                flow.over[k] += mass * flow.hp[k]
        elif where < len(early):
            early[where] += mass
        else:
            spared = table.bits[entry] & CALM
            row = flow.spared[where + gates["calm"]] if spared else flow.middle[where]
            for k in range(len(flow.hp)):
                row[k] += mass * flow.hp[k]


@njit(cache=True, nogil=True)
def _move(  # noqa: PLR0917 - a range of HP and what is paid from it are three numbers
    gates: np.void,
    table: Table,
    action: int,
    field: int,
    gate: int,
    weight: float,
    start: int,
    stop: int,
    paid: int,
    mass: NDArray[np.float64],
    flow: Flow,
) -> None:
    """Take the mass of the HP range `start` to `stop`, less the HP paid, through every move of an action."""
    if field * gates["size"] < len(flow.early):
        _move_early(gates, table, action, field, gate, weight * mass[0], flow)
        return
    for entry in range(table.starts[action, field], table.starts[action, field + 1]):
        chance = weight * table.chances[entry]
        if flow.targets[entry] < 0:
            for k in range(start, stop):
                flow.over[max(k - paid, 0)] += chance * mass[k]
            continue
        where = flow.targets[entry] + gate
        row = flow.spared[where + gates["calm"]] if table.bits[entry] & CALM else flow.middle[where]
        if paid > 0:
            for k in range(start, stop):
                row[max(k - paid, 0)] += chance * mass[k]
            continue
        for k in range(stop - start):
            row[np.uint64(start + k)] += chance * mass[np.uint64(start + k)]


@njit(cache=True, nogil=True)
def _allowed(gates: np.void, gate: int, held: int, rest: int, uses: int) -> bool:
    """Whether every limit holds but those on the turn, on HP and Passive."""
    if rest > 0 or (uses == 0 and gates["uses_size"] > 1):
        return False
    if gates["accepted_size"] > 1 and gate // gates["accepted_step"] % 2 == 0:
        return False
    # Action limits are asked only while no charge is held.
    if held > 0:
        return True
    if gates["damaged_size"] > 1 and gate // gates["damaged_step"] % 2 == 0:
        return False
    if gates["defeated_size"] > 1 and gate // gates["defeated_step"] % 2 == 0:
        return False
    return not (gates["hit_size"] > 1 and gate // gates["hit_step"] % 2 == 0)


@njit(cache=True, nogil=True)
def _act(gates: np.void, table: Table, turn: int, state: int, mass: NDArray[np.float64], flow: Flow) -> None:
    """Greedy play from one state, for every HP of the attacker."""
    field = state // gates["size"]
    gate = state % gates["size"]
    held = gate // gates["held_step"] % gates["held_size"]
    rest = gate // gates["rest_step"] % gates["rest_size"]
    uses = gate // gates["uses_step"] % gates["uses_size"]
    channel = gate // gates["channel_step"] % gates["channel_size"]
    attacked = gate // gates["attacked_step"] % gates["attacked_size"]
    # To numba a constant has a type of its own, and a function called with it is compiled for it again.
    nothing = np.int64(NOTHING)
    none = np.int64(0)
    start = none
    stop = none
    if table.idle[field]:
        idle = uses * gates["uses_step"] + max(rest - 1, 0) * gates["rest_step"]
        _move(gates, table, nothing, field, idle, 1.0, none, gates["hp_size"], none, mass, flow)
        return
    if gates["first_turn"] <= turn <= gates["last_turn"] and _allowed(gates, gate, held, rest, uses):
        start = gates["usable_from"]
        stop = gates["usable_to"]
    # What stays whatever is done: uses, and a cooldown that runs on. Charge and channel do not.
    same = uses * gates["uses_step"] + max(rest - 1, 0) * gates["rest_step"]
    made = (gates["attacked_size"] - 1) * gates["attacked_step"]
    if stop > start:
        if attacked == 1:
            _move(gates, table, nothing, field, same, 1.0, start, stop, none, mass, flow)
        elif held < gates["charge"]:
            charging = same + (held + 1) * gates["held_step"]
            _move(gates, table, nothing, field, charging, 1.0, start, stop, none, mass, flow)
        else:
            tried = gates["cooldown"] * gates["rest_step"] + max(uses - 1, 0) * gates["uses_step"]
            activation = gates["activation"]
            paid = gates["hp_cost"]
            level = min(channel + 1, gates["channel_size"] - 1)
            after = tried + made + level * gates["channel_step"]
            if activation > 0.0:
                _move(
                    gates, table, SPECIAL + channel, field, after, activation, start, stop, paid, mass, flow
                )
            if activation < 1.0:
                # Ruling failed_activation: no attack, or one made that does nothing.
                failed = after if gates["failed_attack"] != 0 else tried
                _move(gates, table, nothing, field, failed, 1.0 - activation, start, stop, paid, mass, flow)
    waits = gates["unmet_waits"] != 0
    unmet = nothing if waits else np.int64(BASIC)
    after = same if waits else same + made
    if start > 0:
        _move(gates, table, unmet, field, after, 1.0, none, start, none, mass, flow)
    if stop < gates["hp_size"]:
        _move(gates, table, unmet, field, after, 1.0, stop, gates["hp_size"], none, mass, flow)


@njit(cache=True, nogil=True)
def _retaliate(
    gates: np.void, blow: NDArray[np.float64], mass: NDArray[np.float64], after: NDArray[np.float64]
) -> None:
    """Spread the mass over the attacker's HP; `blow[j]` is the chance of losing j of them."""
    size = gates["hp_size"]
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


@njit(cache=True, nogil=True)
def run_forward(  # noqa: PLR0915 - one loop over turns
    gates: np.void,
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
    size = gates["size"]
    hp_size = gates["hp_size"]
    outer = len(retaliation_of) * size
    early_size = early_fields * size
    early_now = np.zeros(early_size)
    early_after = np.zeros(early_size)
    hp = np.zeros(hp_size)
    hp[hp_size - 1] = 1.0
    hp_after = np.zeros(hp_size)
    targets = _targets(gates, table)
    now = np.zeros((outer, hp_size))
    middle = np.zeros((outer, hp_size))
    later = np.zeros((outer, hp_size))
    over = np.zeros(hp_size)
    first = first_field * size + gates["first"]
    if first < early_size:
        early_now[first] = 1.0
    else:
        now[first, hp_size - 1] = 1.0
    unmoved = gates["no_retaliation"] != 0 or (hp_size == 1 and gates["accepted_size"] == 1)
    for turn in range(1, gates["max_turns"] + 1):
        middle[:] = 0.0
        later[:] = 0.0
        over[:] = 0.0
        early_after[:] = 0.0
        flow = Flow(middle, later, over, early_after, hp, targets)
        for state in range(early_size):
            if early_now[state] > 0.0:
                _act(gates, table, turn, state, early_now[state : state + 1], flow)
        for state in range(early_size, outer):
            mass = now[state]
            if mass.max() > 0.0:
                _act(gates, table, turn, state, mass, flow)
        ends[turn] += over.sum()
        totals[SURVIVED] += over[1:].sum()

        if early_size > 0:
            hp_after[:] = 0.0
            _retaliate(gates, blows[retaliation_of[0], 0], hp, hp_after)
            hp, hp_after = hp_after, hp
            early_now, early_after = early_after, early_now
        for state in range(early_size, outer):
            mass = middle[state]
            if mass.max() == 0.0:
                continue
            if unmoved:
                later[state + gates["calm"]] += mass
                continue
            row = retaliation_of[state // size]
            for accepted in range(gates["accepted_size"]):
                _retaliate(gates, blows[row, accepted], mass, later[state + accepted])
        if gates["defeat_is_loss"] != 0:
            fallen = later[:, 0].sum()
            later[:, 0] = 0.0
            totals[LOST] += fallen
            ends[gates["max_turns"]] += fallen
        now, later = later, now
        early = early_now.sum()
        remaining = now.sum() + early
        if remaining < NEGLIGIBLE and turn < gates["max_turns"]:
            totals[CUT] = remaining
            ends[turn] += remaining
            totals[SURVIVED] += now[:, 1:].sum() + early * hp[1:].sum()
            return
    early = early_now.sum()
    totals[TIMED_OUT] = now.sum() + early
    totals[SURVIVED] += now[:, 1:].sum() + early * hp[1:].sum()
    ends[gates["max_turns"]] += totals[TIMED_OUT]
