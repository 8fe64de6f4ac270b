"""One build forward in time: the whole distribution of turns, and survival, whatever its attack.

Mass lies by row (gate or node), field and an innermost axis: a choice or an outcome is a scaled addition of
vectors. The axis is the attacker's HP where limits ask about it or about retaliation. Else blows change
nothing that is done, and it is enough to count those of the first kind (by two enemies, say, before only one
is left): until the second kind begins all mass of a turn lies in one place of the axis.
Retaliation is followed when the next turn begins, as what it was decides what is done.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts, step
from buildsearch.systems.vitality.exact.batch.chain import NOBODY, UNUSABLE, USABLE
from buildsearch.systems.vitality.exact.batch.compiled import set_part
from buildsearch.systems.vitality.exact.vectors import LANES, add_scaled_all
from buildsearch.systems.vitality.mechanics.limits import timing_allows

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Fights that are still on with less than this chance count as ending on the spot, all of them, or those of
# one row in one field.
NEGLIGIBLE = 1e-15
_UNSEEN = 1e-18
# What enemies did: something that limits do not accept, something that they do.
_EVENTS = 2


class Terrain(NamedTuple):
    """By field where doing nothing leads, the number of its living, whether nobody is left to act against.

    `blows[living, event, j]`: the chance that the event comes with a loss of j HP. `shifts`: by living
    whether its blows are counted; empty where HP are followed. `wide[field]`: whether mass there lies along
    the axis from `places[field]` on, or all in one place of it.
    """

    rest: Ints
    living: Ints
    idle: NDArray[np.bool_]
    blows: Floats
    shifts: Ints
    places: Ints
    wide: NDArray[np.bool_]


class Entries(NamedTuple):
    """From `starts[roll, field]` up to that of the next field: where a roll leads to from there, how likely.

    A code is a field times 256, and a kind of outcome. Field 0 is the end of the fight.
    """

    starts: Ints
    codes: Ints
    chances: Floats


class Plan(NamedTuple):
    """Turns, and when limits allow the attack: between two turns, where enemies did what they accept, in a
    range of the axis.

    `steps[i]`: its events as bits, the row that it leads to, the HP that it costs; those of a gate stand from
    `step_starts[gate]` on. `is_lost`: who has no HP has lost.
    """

    gates: int
    rolls: Ints
    next_rows: Ints
    step_starts: Ints
    steps: Ints
    step_chances: Floats
    first_gate: int
    first_turn: int
    last_turn: int
    usable_from: int
    usable_to: int
    is_lost: bool


class Mass(NamedTuple):
    """What lies at the places of fields, `width` to a row; by row and field between which there is any."""

    at: Floats
    width: int
    low: Ints
    high: Ints


def room_of(size: int) -> int:
    """How many places an axis takes: it is added to in eights."""
    return (size + LANES - 1) // LANES * LANES


def _empty(rows: int, terrain: Terrain, size: int) -> Mass:
    fields = len(terrain.rest)
    width = int(terrain.places[fields - 1]) + (room_of(size) if terrain.wide[fields - 1] else 1)
    return Mass(
        np.zeros(rows * width),
        width,
        np.full((rows, fields), size, np.int64),
        np.zeros((rows, fields), np.int64),
    )


@step
def _pad(room: Floats, low: int, high: int) -> None:
    """Leave nothing beside mass in the eights that it lies in."""
    set_part(room, low - low % LANES, low, 0.0)
    set_part(room, high, high + -high % LANES, 0.0)


@step
def _add(
    out: Mass, row: int, field: int, chance: float, mass: Floats, low: int, high: int, terrain: Terrain
) -> None:
    place = row * out.width + terrain.places[field]
    if terrain.wide[field]:
        first = low - low % LANES
        add_scaled_all(out.at, place + first, chance, mass, first, (high - first + LANES - 1) // LANES)
        out.low[row, field] = min(out.low[row, field], low)
        out.high[row, field] = max(out.high[row, field], high)
    else:
        out.at[place] += chance * mass[low]


@step
def _take(
    mass: Mass, row: int, field: int, room: Floats, terrain: Terrain, position: int
) -> tuple[int, int, float]:
    """Move mass out: the first place and one behind the last, and how much it is.

    `position`: where on the axis all mass is that lies in one place.
    """
    low = mass.low[row, field]
    high = mass.high[row, field]
    start = row * mass.width + terrain.places[field]
    if not terrain.wide[field]:
        total = mass.at[start]
        room[position] = total
        mass.at[start] = 0.0
        _pad(room, position, position + 1)
        return position, position + 1, total
    total = 0.0
    for k in range(low, high):
        room[k] = mass.at[start + k]
        total += room[k]
        mass.at[start + k] = 0.0
    _pad(room, low, high)
    mass.low[row, field] = len(room)
    mass.high[row, field] = 0
    return low, high, total


@step
def _scatter(
    node: int, field: int, position: int, terrain: Terrain, plan: Plan, entries: Entries, later: Mass,
    nodes: Mass, over: Floats, room: Floats,
) -> None:  # fmt: skip
    """The roll of a node whose mass lies in one place of the axis: as `_roll`, without vectors."""
    total = room[position]
    roll = plan.rolls[node]
    gates = plan.gates
    rows = plan.next_rows[node]
    places = terrain.places
    wide = terrain.wide
    to_gates = later.at
    to_nodes = nodes.at
    for k in range(entries.starts[roll, field], entries.starts[roll, field + 1]):
        code = entries.codes[k]
        chance = entries.chances[k]
        there = code >> 8
        row = rows[code & 255]
        if there == 0:
            over[position] += chance * total
        elif wide[there]:
            if row < gates:
                _add(later, row, there, chance, room, position, position + 1, terrain)
            else:
                _add(nodes, row - gates, there, chance, room, position, position + 1, terrain)
        elif row < gates:
            to_gates[row * later.width + places[there]] += chance * total
        else:
            to_nodes[(row - gates) * nodes.width + places[there]] += chance * total


@step
def _struck(
    living: int, event: int, terrain: Terrain, mass: Floats, low: int, high: int, out: Floats
) -> tuple[int, int]:
    """What an event of retaliation makes of mass along the axis: from where up to where it lies then."""
    if len(terrain.shifts) > 0:
        # No limit asks, so everything is accepted.
        moved = terrain.shifts[living]
        last = len(mass)
        if event == 0:
            return 0, 0
        for k in range(low, high):
            out[min(k + moved, last - 1)] = mass[k]
        _pad(out, low + moved, min(high + moved, last))
        return low + moved, min(high + moved, last)
    blow = terrain.blows[living, event]
    first = high
    set_part(out, 0, len(out), 0.0)
    below = 0.0
    counted = low
    for lost in range(len(blow)):
        chance = blow[lost]
        if chance == 0.0:
            continue
        while counted <= min(lost, high - 1):
            below += mass[counted]
            counted += 1
        if below > 0.0:
            out[0] += chance * below
            first = 0
        start = max(low - lost, 1)
        for k in range(start, high - lost):
            out[np.uint64(k)] += chance * mass[np.uint64(lost + k)]
        if start < high - lost:
            first = min(first, start)
    return first, high


@step
def _choose(  # noqa: PLR0917 - arrays of compiled code
    gate: int, field: int, event: int, struck: Floats, low: int, high: int, terrain: Terrain, plan: Plan,
    later: Mass, nodes: Mass, paid: Floats,
) -> None:  # fmt: skip
    """Take mass in a gate through its choices after an event; `paid`: room for mass less the HP they cost."""
    for i in range(plan.step_starts[gate], plan.step_starts[gate + 1]):
        if (plan.steps[i, 0] >> event) & 1 == 0:
            continue
        row = plan.steps[i, 1]
        cost = plan.steps[i, 2]
        chance = plan.step_chances[i]
        mass = struck
        first = low
        last = high
        if cost > 0:
            mass = paid
            first = max(low - cost, 0)
            last = max(high - cost, 1)
            set_part(paid, 0, len(paid), 0.0)
            for k in range(low, high):
                paid[max(k - cost, 0)] += struck[k]
        if row < plan.gates:
            _add(later, row, terrain.rest[field], chance, mass, first, last, terrain)
        else:
            _add(nodes, row - plan.gates, field, chance, mass, first, last, terrain)


@step
def _begin(
    turn: int, field: int, terrain: Terrain, plan: Plan, now: Mass, later: Mass, nodes: Mass, room: Floats,
    position: int,
) -> tuple[float, float]:  # fmt: skip
    """Retaliation and choice in one field; what is too little to follow, and what is lost."""
    living = terrain.living[field]
    mass = room[0]
    struck = room[1]
    apart = room[2]
    in_time = timing_allows(turn, plan.first_turn, plan.last_turn, turn, 1, 0)
    unmet = NOBODY if terrain.idle[field] else UNUSABLE
    met = NOBODY if terrain.idle[field] else USABLE
    dropped = 0.0
    lost = 0.0
    for gate in range(plan.gates):
        if terrain.wide[field] and now.high[gate, field] == 0:
            continue
        low, high, total = _take(now, gate, field, mass, terrain, position)
        if total < _UNSEEN:
            dropped += total
            continue
        for event in range(_EVENTS):
            first, last = _struck(living, event, terrain, mass, low, high, struck)
            if plan.is_lost and first == 0 and first < last:
                lost += struck[0]
                struck[0] = 0.0
            if first >= last:
                continue
            start = max(first, plan.usable_from)
            stop = min(last, plan.usable_to)
            if event == 0 or not in_time:
                stop = start
            for k in range(first, last):
                apart[k] = struck[k] if start <= k < stop else 0.0
                struck[k] -= apart[k]
            if start < stop:
                _pad(apart, start, stop)
                _choose(gate, field, met, apart, start, stop, terrain, plan, later, nodes, room[3])
            if first < start or stop < last:
                _choose(gate, field, unmet, struck, first, last, terrain, plan, later, nodes, room[3])
    return dropped, lost


@step
def _roll(
    field: int,
    terrain: Terrain,
    plan: Plan,
    entries: Entries,
    later: Mass,
    nodes: Mass,
    over: Floats,
    room: Floats,
    position: int,
) -> float:
    """All rolls in one field, those first that lead to others; what is too little to follow."""
    mass = room[0]
    dropped = 0.0
    for node in range(len(plan.rolls) - 1, -1, -1):
        if terrain.wide[field] and nodes.high[node, field] == 0:
            continue
        low, high, total = _take(nodes, node, field, mass, terrain, position)
        if total < _UNSEEN:
            dropped += total
            continue
        if not terrain.wide[field]:
            _scatter(node, field, position, terrain, plan, entries, later, nodes, over, mass)
            continue
        roll = plan.rolls[node]
        for k in range(entries.starts[roll, field], entries.starts[roll, field + 1]):
            chance = entries.chances[k]
            there = entries.codes[k] >> 8
            row = plan.next_rows[node, entries.codes[k] & 255]
            if there == 0:
                for place in range(low, high):
                    over[place] += chance * mass[place]
            elif row < plan.gates:
                _add(later, row, there, chance, mass, low, high, terrain)
            else:
                _add(nodes, row - plan.gates, there, chance, mass, low, high, terrain)
    return dropped


def run_forward(
    terrain: Terrain, plan: Plan, entries: Entries, size: int, start: int, ends: Floats, last: Floats
) -> tuple[float, float]:
    """Fill `ends[turn]` along the axis (of so many places, from the start on), and `last` with what is left.

    The answer: how much was too little to follow, which counts as ending on the spot; how much is lost.
    """
    now, later = (_empty(plan.gates, terrain, size) for _ in range(2))
    nodes, room = _empty(len(plan.rolls), terrain, size), np.zeros((4, room_of(size)))
    cut, lost = run(terrain, plan, entries, start, now, later, nodes, room, ends, last)
    return float(cut), float(lost)


@kernel_without_refcounts
def run(
    terrain: Terrain, plan: Plan, entries: Entries, start: int, now: Mass, later: Mass, nodes: Mass,
    room: Floats, ends: Floats, last: Floats,
) -> tuple[float, float]:  # fmt: skip
    """`run_forward` in arrays that are there: numba would compile each way to make one."""
    fields = len(terrain.rest)
    max_turns = len(ends) - 1
    first = terrain.places[fields - 1] + (start if terrain.wide[fields - 1] else 0)
    now.at[plan.first_gate * now.width + first] = 1.0
    now.low[plan.first_gate, fields - 1] = start
    now.high[plan.first_gate, fields - 1] = start + 1
    cut = 0.0
    lost = 0.0
    # Whether the blows are counted that come first; where HP are followed no mass lies in one place.
    moved = 0
    for field in range(fields):
        if not terrain.wide[field] and terrain.rest[field] == field and field > 0:
            moved = terrain.shifts[terrain.living[field]]
    for turn in range(1, max_turns + 1):
        over = ends[turn]
        # Nobody strikes before the first turn.
        before = max(turn - 2, 0) * moved
        after = (turn - 1) * moved
        for field in range(fields - 1, 0, -1):
            unseen, fallen = _begin(turn, field, terrain, plan, now, later, nodes, room, before)
            unseen += _roll(field, terrain, plan, entries, later, nodes, over, room, after)
            over[start] += unseen
            cut += unseen
            lost += fallen
        now, later = later, now
        remaining = 0.0
        for k in range(len(now.at)):
            remaining += now.at[k]
        if remaining < NEGLIGIBLE and turn < max_turns:
            over[start] += remaining
            return cut + remaining, lost
    for gate in range(plan.gates):
        for field in range(1, fields):
            low, high, total = _take(now, gate, field, room[0], terrain, (max_turns - 1) * moved)
            if total == 0.0:
                continue
            # Enemies strike back after the last turn too.
            for event in range(_EVENTS):
                begin, end = _struck(terrain.living[field], event, terrain, room[0], low, high, room[1])
                for k in range(begin, end):
                    last[k] += room[1, k]
    return cut, lost
