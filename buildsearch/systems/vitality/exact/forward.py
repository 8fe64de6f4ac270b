"""One build forward in time: the whole distribution of turns, and survival, whatever its attack.

Mass lies by row (gate or node), field and an innermost axis: a choice or an outcome is a scaled addition of
vectors. The axis is the attacker's HP where limits ask about it or about retaliation. Else blows change
nothing that is done, and it is enough to count those of the first kind (by two enemies, say, before only one
is left): until the second kind begins all mass of a turn lies in one place of the axis.
Retaliation is followed when the next turn begins, as what it was decides what is done.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from collections.abc import Sequence
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


class States(NamedTuple):
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


def starts_of(sizes: Sequence[Sequence[int] | Ints]) -> Ints:
    """Where entries begin: `sizes` by roll and field, but for the end of the fight, how many there are."""
    ends = np.cumsum([np.concatenate([[0], each]) for each in sizes]).reshape(len(sizes), -1)
    return np.concatenate([ends[:, :1], ends], axis=1).astype(np.int64)


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


def _empty(rows: int, states: States, size: int) -> Mass:
    fields = len(states.rest)
    width = int(states.places[fields - 1]) + (room_of(size) if states.wide[fields - 1] else 1)
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
    out: Mass, row: int, field: int, chance: float, mass: Floats, low: int, high: int, states: States
) -> None:
    place = row * out.width + states.places[field]
    if states.wide[field]:
        first = low - low % LANES
        add_scaled_all(out.at, place + first, chance, mass, first, (high - first + LANES - 1) // LANES)
        out.low[row, field] = min(out.low[row, field], low)
        out.high[row, field] = max(out.high[row, field], high)
    else:
        out.at[place] += chance * mass[low]


@step
def _take(
    mass: Mass, row: int, field: int, room: Floats, states: States, position: int
) -> tuple[int, int, float]:
    """Move mass out: the first place and one behind the last, and how much it is.

    `position`: where on the axis all mass is that lies in one place.
    """
    low = mass.low[row, field]
    high = mass.high[row, field]
    start = row * mass.width + states.places[field]
    if not states.wide[field]:
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
    node: int, field: int, position: int, states: States, plan: Plan, entries: Entries, later: Mass,
    nodes: Mass, over: Floats, room: Floats,
) -> None:  # fmt: skip
    """The roll of a node whose mass lies in one place of the axis: as `_roll`, without vectors."""
    total = room[position]
    roll = plan.rolls[node]
    gates = plan.gates
    rows = plan.next_rows[node]
    places = states.places
    wide = states.wide
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
                _add(later, row, there, chance, room, position, position + 1, states)
            else:
                _add(nodes, row - gates, there, chance, room, position, position + 1, states)
        elif row < gates:
            to_gates[row * later.width + places[there]] += chance * total
        else:
            to_nodes[(row - gates) * nodes.width + places[there]] += chance * total


@step
def _struck(
    living: int, event: int, states: States, mass: Floats, low: int, high: int, out: Floats
) -> tuple[int, int]:
    """What an event of retaliation makes of mass along the axis: from where up to where it lies then."""
    if len(states.shifts) > 0:
        # No limit asks, so everything is accepted.
        moved = states.shifts[living]
        last = len(mass)
        if event == 0:
            return 0, 0
        for k in range(low, high):
            out[min(k + moved, last - 1)] = mass[k]
        _pad(out, low + moved, min(high + moved, last))
        return low + moved, min(high + moved, last)
    blow = states.blows[living, event]
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
    gate: int, field: int, event: int, struck: Floats, low: int, high: int, states: States, plan: Plan,
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
            _add(later, row, states.rest[field], chance, mass, first, last, states)
        else:
            _add(nodes, row - plan.gates, field, chance, mass, first, last, states)


@step
def _begin(
    turn: int, field: int, states: States, plan: Plan, now: Mass, later: Mass, nodes: Mass, room: Floats,
    position: int, lost: Floats,
) -> float:  # fmt: skip
    """Retaliation and choice in one field; what is too little to follow."""
    living = states.living[field]
    mass = room[0]
    struck = room[1]
    apart = room[2]
    in_time = timing_allows(turn, plan.first_turn, plan.last_turn, turn, 1, 0)
    unmet = NOBODY if states.idle[field] else UNUSABLE
    met = NOBODY if states.idle[field] else USABLE
    dropped = 0.0
    for gate in range(plan.gates):
        if states.wide[field] and now.high[gate, field] == 0:
            continue
        low, high, total = _take(now, gate, field, mass, states, position)
        if total < _UNSEEN:
            dropped += total
            continue
        for event in range(_EVENTS):
            first, last = _struck(living, event, states, mass, low, high, struck)
            if plan.is_lost and first == 0 and first < last:
                lost[gate, field] += struck[0]
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
                _choose(gate, field, met, apart, start, stop, states, plan, later, nodes, room[3])
            if first < start or stop < last:
                _choose(gate, field, unmet, struck, first, last, states, plan, later, nodes, room[3])
    return dropped


@step
def _roll(
    field: int,
    states: States,
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
        if states.wide[field] and nodes.high[node, field] == 0:
            continue
        low, high, total = _take(nodes, node, field, mass, states, position)
        if total < _UNSEEN:
            dropped += total
            continue
        if not states.wide[field]:
            _scatter(node, field, position, states, plan, entries, later, nodes, over, mass)
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
                _add(later, row, there, chance, mass, low, high, states)
            else:
                _add(nodes, row - plan.gates, there, chance, mass, low, high, states)
    return dropped


class Fight:
    """A fight forward in time. `mass` lies between two turns, along an axis of so many places.

    `cut`: how much was too little to follow, which counts as ending on the spot, at place `start`. `lost`: by
    gate and field what fell to place 0, if a plan says that it is lost there.
    """

    def __init__(self, states: States, plan: Plan, entries: Entries, size: int, start: int) -> None:
        self._states, self._plan, self._entries = states, plan, entries
        self.size, self._start = size, start
        self.mass, self._later = (_empty(plan.gates, states, size) for _ in range(2))
        self._nodes, self._room = _empty(len(plan.rolls), states, size), np.zeros((4, room_of(size)))
        # Whether the blows are counted that come first; where HP are followed no mass lies in one place.
        narrow = np.flatnonzero(~states.wide & (states.rest == np.arange(len(states.rest))))[1:]
        self._moved = int(states.shifts[states.living[narrow[0]]]) if len(narrow) else 0
        self.cut, self.remaining = 0.0, 1.0
        self.lost = np.zeros((plan.gates, len(states.rest)))

    def begin(self, field: int) -> None:
        """Everything is in this field, in the gate that fights begin in."""
        gate, states = self._plan.first_gate, self._states
        first = int(states.places[field]) + (self._start if states.wide[field] else 0)
        self.mass.at[gate * self.mass.width + first] = 1.0
        self.mass.low[gate, field], self.mass.high[gate, field] = self._start, self._start + 1

    def run(self, first: int, last: int, ends: Floats) -> int:
        """From the first turn up to the last, or as long as enough is on; the turn that it came to.

        `ends[turn]` gets what is over, along the axis.
        """
        turn, cut, self.remaining = run_turns(
            self._states, self._plan, self._entries, first, last, self._moved, self._start,
            self.mass, self._later, self._nodes, self._room, ends, self.lost,
        )  # fmt: skip
        if (turn - first) % 2 == 0:
            self.mass, self._later = self._later, self.mass
        self.cut += cut
        return int(turn)

    def left(self, turn: int) -> Floats:
        """What is on after this turn and the enemies' answer to it, along the axis."""
        states, found = self._states, np.zeros(self.size)
        at = self.mass.at.reshape(self._plan.gates, -1).sum(axis=0)
        for living in np.unique(states.living[1:]).tolist():
            own = 1 + np.flatnonzero(states.living[1:] == living)
            wide, narrow = own[states.wide[own]], own[~states.wide[own]]
            mass = at[states.places[wide][:, None] + np.arange(self.size)].sum(axis=0)
            mass[(turn - 1) * self._moved] += at[states.places[narrow]].sum()
            if len(states.shifts) > 0:
                moved = int(states.shifts[living])
                found[moved:] += mass[: self.size - moved]
            else:
                found += struck_by(states.blows[living].sum(axis=0), mass)
        return found


def struck_by(blow: Floats, mass: Floats) -> Floats:
    """What is left of mass by HP after losses with these chances; who loses more is at 0."""
    found = np.convolve(mass[::-1], blow)
    return np.append(found[len(mass) - 1 :].sum(), found[: len(mass) - 1][::-1])


@kernel_without_refcounts
def run_turns(  # noqa: PLR0917 - arrays of compiled code
    states: States, plan: Plan, entries: Entries, first: int, last: int, moved: int, start: int, now: Mass,
    later: Mass, nodes: Mass, room: Floats, ends: Floats, lost: Floats,
) -> tuple[int, float, float]:  # fmt: skip
    """The turn that it came to; how much was too little to follow, how much is on. Arrays are given."""
    cut = 0.0
    remaining = 1.0
    turn = first
    while True:
        over = ends[turn]
        # Nobody strikes before the first turn.
        before = max(turn - 2, 0) * moved
        after = (turn - 1) * moved
        for field in range(len(states.rest) - 1, 0, -1):
            unseen = _begin(turn, field, states, plan, now, later, nodes, room, before, lost)
            unseen += _roll(field, states, plan, entries, later, nodes, over, room, after)
            over[start] += unseen
            cut += unseen
        now, later = later, now
        remaining = 0.0
        for k in range(len(now.at)):
            remaining += now.at[k]
        if turn == last or remaining < NEGLIGIBLE:
            return turn, cut, remaining
        turn += 1
