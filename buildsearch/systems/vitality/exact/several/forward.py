"""One build forward in time: the whole distribution of turns, and survival, by the same nodes and tables.

Mass lies by row (gate or node), field and the attacker's HP, which is the innermost axis: a choice or an
outcome is a scaled addition of vectors, retaliation a convolution. Retaliation is followed when the next turn
begins, as what it was decides what is done.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import NO_RETALIATION
from buildsearch.systems.vitality.exact.batch.compiled import inner

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Fights that are still on with less than this chance count as ending on the spot; what is rarer than the
# second in one row is not followed.
NEGLIGIBLE = 1e-15
_UNSEEN = 1e-22
SURVIVED, TIMED_OUT, CUT = range(3)
TOTALS = 3


class Terrain(NamedTuple):
    """A map. `blows[living, event, j]`: the chance that the event comes with a loss of j HP."""

    front: Ints
    rest: Ints
    living: Ints
    starts: Ints
    codes: Ints
    blows: Floats


class Plan(NamedTuple):
    """Turns and chances: by roll and front's class its table, where its chances start and how many they are.

    `limit` is the HP at or below which an attack comes into use (-1: it always is in use), `entered` the gate
    then by turn and by what the last basic attack did; those gates come behind `late`.
    """

    gates: int
    rolls: Ints
    next_rows: Ints
    steps: Ints
    step_chances: Floats
    tables: Ints
    begins: Ints
    sizes: Ints
    chances: Floats
    limit: int
    late: int
    waits: bool
    entered: Ints
    first_gate: int


@inner
def _add(out: Floats, chance: float, mass: Floats) -> None:
    for k in range(len(mass)):
        out[np.uint64(k)] += chance * mass[np.uint64(k)]


@inner
def _total(mass: Floats) -> float:
    total = 0.0
    for k in range(len(mass)):
        total += mass[k]
    return total


@inner
def _struck(mass: Floats, blow: Floats, out: Floats) -> None:
    """What is left of HP after a blow; none or fewer are 0."""
    size = len(mass)
    for k in range(size):
        out[k] = 0.0
    for lost in range(len(blow)):
        chance = blow[lost]
        if chance == 0.0:
            continue
        below = 0.0
        for k in range(min(lost + 1, size)):
            below += mass[k]
        out[0] += chance * below
        for k in range(1, size - lost):
            out[np.uint64(k)] += chance * mass[np.uint64(lost + k)]


@inner
def _choose(
    gate: int, field: int, event: int, mass: Floats, terrain: Terrain, plan: Plan, later: Floats, nodes: Floats
) -> None:
    """Take mass in a gate through its choices after an event; -1: whatever the event."""
    for i in range(len(plan.steps)):
        if plan.steps[i, 0] != gate or (event >= 0 and (plan.steps[i, 1] >> event) & 1 == 0):
            continue
        row = plan.steps[i, 2]
        if row < plan.gates:
            _add(later[row, terrain.rest[field]], plan.step_chances[i], mass)
        else:
            _add(nodes[row - plan.gates, field], plan.step_chances[i], mass)


@inner
def _begin(
    turn: int, field: int, terrain: Terrain, plan: Plan, now: Floats, later: Floats, nodes: Floats, room: Floats
) -> None:
    """Retaliation and choice in one field."""
    living = terrain.living[field]
    struck = room[0]
    apart = room[1]
    for gate in range(plan.gates):
        mass = now[gate, field]
        if _total(mass) < _UNSEEN:
            continue
        for event in range(NO_RETALIATION):
            blow = terrain.blows[living, event]
            if _total(blow) == 0.0:
                continue
            _struck(mass, blow, struck)
            if gate < plan.late:
                _choose(gate, field, event, struck, terrain, plan, later, nodes)
                continue
            # The attack comes into use when HP have fallen to the limit; before that basic attacks are made.
            for k in range(len(struck)):
                apart[k] = struck[k] if k <= plan.limit else 0.0
                struck[k] -= apart[k]
            clock = min(turn - 1, len(plan.entered) - 1)
            entered = plan.entered[clock, min(gate - plan.late, plan.entered.shape[1] - 1)]
            _choose(entered, field, -1, apart, terrain, plan, later, nodes)
            if plan.waits:
                _add(later[plan.late, terrain.rest[field]], 1.0, struck)
            else:
                _add(nodes[plan.steps[len(plan.steps) - 1, 2] - plan.gates, field], 1.0, struck)


@inner
def _roll(field: int, terrain: Terrain, plan: Plan, later: Floats, nodes: Floats, over: Floats) -> None:
    """All rolls in one field, those first that lead to others."""
    front = terrain.front[field]
    for node in range(len(plan.rolls) - 1, -1, -1):
        mass = nodes[node, field]
        if _total(mass) < _UNSEEN:
            continue
        roll = plan.rolls[node]
        codes = terrain.starts[plan.tables[roll, front], field]
        begin = plan.begins[roll, front]
        for k in range(plan.sizes[roll, front]):
            chance = plan.chances[begin + k]
            if chance == 0.0:
                continue
            code = terrain.codes[codes + k]
            there = code >> 8
            if there == 0:
                _add(over, chance, mass)
                continue
            row = plan.next_rows[node, code & 255]
            if row < plan.gates:
                _add(later[row, there], chance, mass)
            else:
                _add(nodes[row - plan.gates, there], chance, mass)
        for k in range(len(mass)):
            mass[k] = 0.0


@njit(cache=True, nogil=True)
def run_forward(
    terrain: Terrain, plan: Plan, hp: int, max_turns: int, ends: Floats, totals: Floats
) -> None:
    """Fill the chance of each length of fight and the totals, from the last field and the first gate on."""
    fields = len(terrain.front)
    now = np.zeros((plan.gates, fields, hp + 1))
    later = np.zeros((plan.gates, fields, hp + 1))
    nodes = np.zeros((len(plan.rolls), fields, hp + 1))
    over = np.zeros(hp + 1)
    room = np.zeros((2, hp + 1))
    now[plan.first_gate, fields - 1, hp] = 1.0
    remaining = 1.0
    for turn in range(1, max_turns + 1):
        for k in range(hp + 1):
            over[k] = 0.0
        for field in range(fields - 1, 0, -1):
            _begin(turn, field, terrain, plan, now, later, nodes, room)
            _roll(field, terrain, plan, later, nodes, over)
        won = _total(over)
        ends[turn] += won
        totals[SURVIVED] += won - over[0]
        now, later = later, now
        remaining = 0.0
        for gate in range(plan.gates):
            for field in range(fields):
                remaining += _total(now[gate, field])
                for k in range(hp + 1):
                    later[gate, field, k] = 0.0
        if remaining < NEGLIGIBLE and turn < max_turns:
            totals[CUT] = remaining
            ends[turn] += remaining
            totals[SURVIVED] += remaining
            return
    totals[TIMED_OUT] = remaining
    ends[max_turns] += remaining
    for gate in range(plan.gates):
        for field in range(1, fields):
            for event in range(NO_RETALIATION):
                # Enemies strike back after the last turn too.
                _struck(now[gate, field], terrain.blows[terrain.living[field], event], room[0])
                totals[SURVIVED] += _total(room[0]) - room[0, 0]
