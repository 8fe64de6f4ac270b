"""Builds that the turn limit is near to: turn by turn, from the last one back.

The more turns are left the more a fight counts, up to its value without a limit. Fields that are so near to
it that it makes no difference stay there, from the lowest up: what they lead to are fields below them.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step, step_without_refcounts
from buildsearch.systems.vitality.exact.batch.compiled import set_part
from buildsearch.systems.vitality.exact.nodes.families import Family, Readings, fill_lanes, read_values
from buildsearch.systems.vitality.exact.nodes.values import (
    Ground,
    Memory,
    Program,
    Rolls,
    lane_values,
    roll_out,
)
from buildsearch.systems.vitality.exact.vectors import LANES, add_product, copy

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_SETTLED = 1e-11


@step
def _set_course(
    program: Program, process: int, arrived: Readings, limit: int, stood: NDArray[np.bool_],
    made: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Which gates fights of a process may stand in before each turn, and which rolls it makes.

    Cooldowns, charges and uses run by the clock: most turns see one gate of many.
    """
    gates = program.gates
    nodes = len(program.rolls)
    kinds = len(program.next_rows) // max(nodes, 1)
    stood[:] = False
    made[:] = False
    for i in range(arrived.starts[process], arrived.starts[process + 1]):
        for turn in range(1, min(limit + 1, len(arrived.weights))):
            if arrived.weights[turn, i] != 0.0:
                stood[turn, arrived.gates[i]] = True
    for turn in range(1, limit + 1):
        for i in range(len(program.steps)):
            if not stood[turn, program.steps[i, 0]]:
                continue
            row = program.steps[i, 2]
            if row < gates:
                stood[turn + 1, row] = True
            else:
                made[turn, row - gates] = True
        # Nodes stand behind those that they lead to.
        for node in range(nodes - 1, -1, -1):
            if not made[turn, node]:
                continue
            for k in range(node * kinds, (node + 1) * kinds):
                row = program.next_rows[k]
                if row < 0:
                    continue
                if row < gates:
                    stood[turn + 1, row] = True
                else:
                    made[turn, row - gates] = True


@step_without_refcounts
def _settle(
    settled: Floats, known: Floats, fields: int, turn: int, stood: NDArray[np.bool_],
    made: NDArray[np.bool_], stuck: NDArray[np.bool_], opens: Ints, floors: Ints, lowest: int,
) -> None:  # fmt: skip
    """Raise floors over fields in which no gate is far from its value without a limit any more.

    Lane by lane: what a lane gets is the same whoever goes beside it. `opens`: by gate and lane its first
    field that was far when fights last stood in it. `lowest`: of the floors.
    """
    gates = opens.shape[0]
    for lane in range(LANES):
        floor = fields
        for gate in range(gates):
            field = opens[gate, lane]
            while stood[turn, gate] and field < fields and not stuck[lane]:
                at = (gate * fields + field) * LANES + lane
                if settled[at] - known[at] >= _SETTLED and field >= floors[lane]:
                    break
                field += 1
            opens[gate, lane] = field
            floor = min(floor, field)
        for row in range(gates + made.shape[1]):
            # Of rows that this turn did not work out only what is settled now.
            worked_out = stood[turn, row] if row < gates else made[turn, row - gates]
            for field in range(lowest if worked_out else floors[lane], floor):
                at = (row * fields + field) * LANES + lane
                known[at] = settled[at]
        floors[lane] = floor


@step_without_refcounts
def _take_turn(
    ground: Ground, program: Program, rolls: Rolls, memory: Memory, turn: int, stood: NDArray[np.bool_],
    made: NDArray[np.bool_], lowest: int, later: Floats,
) -> None:  # fmt: skip
    """From what is known of the turn after it to what is known of this one, in fields from the lowest on."""
    fields = len(ground.front)
    gates = program.gates
    steps = len(program.steps)
    known = memory.known
    for node in range(len(program.rolls)):
        if made[turn, node]:
            row = (gates + node) * fields * LANES
            set_part(known, row + lowest * LANES, row + fields * LANES, 0.0)
    for gate in range(gates):
        if stood[turn, gate]:
            row = gate * fields * LANES
            set_part(later, row + lowest * LANES, row + fields * LANES, 1.0)
    for field in range(lowest, fields):
        roll_out(field, ground, program, rolls, made, turn, known)
        living = ground.living[field]
        for i in range(steps):
            if not stood[turn, program.steps[i, 0]]:
                continue
            row = program.steps[i, 2]
            there = field if row >= gates else ground.rest[field]
            out = (program.steps[i, 0] * fields + field) * LANES
            add_product(later, out, memory.weights, (living * steps + i) * LANES,
                        known, (row * fields + there) * LANES)  # fmt: skip
    for gate in range(gates):
        if stood[turn, gate]:
            for field in range(lowest, fields):
                at = (gate * fields + field) * LANES
                copy(known, at, later, at)


@njit(cache=True, nogil=True)
def limited_family(
    ground: Ground,
    program: Program,
    family: Family,
    rolls: Rolls,
    memory: Memory,
    arrived: Readings,
    limit: int,
    means: Floats,
) -> None:
    """Mean turns up to the limit; all builds stand in the same gates before each turn.

    `arrived.weights`: by turn how many fights arrive there just before it. Only gates that fights may stand
    in then are worked out, and only the rolls that are made there.
    """
    fields = len(ground.front)
    gates = program.gates
    known = memory.known
    settled = np.zeros((gates + len(program.rolls)) * fields * LANES)
    later = np.zeros(gates * fields * LANES)
    stood = np.zeros((limit + 2, gates), np.bool_)
    made = np.zeros((limit + 2, len(program.rolls)), np.bool_)
    opens = np.zeros((gates, LANES), np.int64)
    floors = np.zeros(LANES, np.int64)
    if len(family.starts) > 0:
        _set_course(program, family.processes[0], arrived, limit, stood, made)
    for first in range(0, len(family.starts), LANES):
        last = min(first + LANES, len(family.starts))
        fill_lanes(family, first, last, rolls, memory.weights)
        lane_values(ground, program, rolls, 1.0, memory)
        for i in range(len(settled)):
            settled[i] = known[i]
        set_part(known, 0, len(known), 0.0)
        for lane in range(LANES):
            floors[lane] = 1
            for gate in range(gates):
                opens[gate, lane] = 1 if stood[:, gate].any() else fields
        for lane in range(last - first):
            means[first + lane] = 0.0
        for turn in range(limit, 0, -1):
            lowest = floors.min()
            if lowest < fields:
                _take_turn(ground, program, rolls, memory, turn, stood, made, lowest, later)
                _settle(settled, known, fields, turn, stood, made, memory.stuck, opens, floors, lowest)
            if turn < len(arrived.weights):
                for lane in range(last - first):
                    means[first + lane] += read_values(
                        family, first + lane, lane, arrived, turn, fields, known
                    )
