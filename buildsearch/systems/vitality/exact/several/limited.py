"""Builds that the turn limit is near to: turn by turn, from the last one back."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_part
from buildsearch.systems.vitality.exact.several.families import Family, Readings, fill_lanes, read_values
from buildsearch.systems.vitality.exact.several.values import Ground, Memory, Program, Rolls, roll_out
from buildsearch.systems.vitality.exact.vectors import LANES, add_product, copy

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@inner
def _set_course(
    program: Program, family: Family, first: int, last: int, arrived: Readings, limit: int,
    stood: NDArray[np.bool_], made: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Which gates builds from the first up to the last may stand in before each turn, which rolls it makes.

    Cooldowns, charges and uses run by the clock: most turns see one gate of many.
    """
    gates = program.gates
    nodes = len(program.rolls)
    kinds = len(program.next_rows) // max(nodes, 1)
    stood[:] = False
    made[:] = False
    for build in range(first, last):
        process = family.processes[build]
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
    """Mean turns up to the limit, turn by turn from the last one back.

    `arrived.weights`: by turn how many fights arrive there just before it. Only gates that some build of
    the eight may stand in then are worked out, and only the rolls that it makes there.
    """
    fields = len(ground.front)
    gates = program.gates
    nodes = len(program.rolls)
    known = memory.known
    later = np.zeros(gates * fields * LANES)
    read = np.zeros(LANES)
    stood = np.zeros((limit + 2, gates), np.bool_)
    made = np.zeros((limit + 2, nodes), np.bool_)
    first = 0
    while first < len(family.starts):
        last = min(first + LANES, len(family.starts))
        fill_lanes(family, first, last, rolls, memory.weights)
        _set_course(program, family, first, last, arrived, limit, stood, made)
        set_part(known, 0, len(known), 0.0)
        set_part(read, 0, LANES, 0.0)
        for turn in range(limit, 0, -1):
            for node in range(nodes):
                if made[turn, node]:
                    row = (gates + node) * fields * LANES
                    set_part(known, row, row + fields * LANES, 0.0)
            for gate in range(gates):
                if stood[turn, gate]:
                    set_part(later, gate * fields * LANES, (gate + 1) * fields * LANES, 1.0)
            for field in range(1, fields):
                roll_out(field, ground, program, rolls, made[turn], known)
                living = ground.living[field]
                for i in range(len(program.steps)):
                    if not stood[turn, program.steps[i, 0]]:
                        continue
                    row = program.steps[i, 2]
                    there = field if row >= gates else ground.rest[field]
                    out = (program.steps[i, 0] * fields + field) * LANES
                    add_product(later, out, memory.weights, (living * len(program.steps) + i) * LANES,
                                known, (row * fields + there) * LANES)  # fmt: skip
            for gate in range(gates):
                if not stood[turn, gate]:
                    continue
                for field in range(1, fields):
                    at = (gate * fields + field) * LANES
                    copy(known, at, later, at)
            if turn < len(arrived.weights):
                for lane in range(last - first):
                    read[lane] += read_values(family, first + lane, lane, arrived, turn, fields, known)
        for lane in range(last - first):
            means[first + lane] = read[lane]
        first = last
