"""One solver that knows no rule: mean turns to come by field and gate, eight builds side by side.

Fields are solved from the lowest number up. Whatever hurts somebody leads to a lower one, so a node's value
is a sum over known values, and what stays in the field is one system of gates, the same wherever the same
live: it is inverted once for each of these. Lanes never mix, and sums run in an order that does not depend
on who goes beside whom: a build's number is the same bit for bit in any company.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step_without_refcounts
from buildsearch.systems.vitality.exact.batch.compiled import set_part
from buildsearch.systems.vitality.exact.vectors import LANES, add_product, add_through

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# A pivot below this: the chain may stay for ever, or the moment is infinite.
_STUCK = 1e-12


class Ground(NamedTuple):
    """By field its front's class, where resting leads, the number of its living; the rest as in `Map`."""

    front: Ints
    rest: Ints
    living: Ints
    starts: Ints
    codes: Ints
    tails: Ints


class Program(NamedTuple):
    """`Turns` as the kernel reads them; offsets instead of rows, node after node by kind.

    `stay_gates` from `stay_starts[n]` on: the gates that node n may lead to without hurting anybody.
    """

    gates: int
    rolls: Ints
    offsets: Ints
    next_rows: Ints
    steps: Ints
    stay_starts: Ints
    stay_gates: Ints


class Rolls(NamedTuple):
    """By roll and class of the front: its table, and where its chances start, in lanes.

    `stretches` from `first[roll, class]` on: by part of a table its outcomes from the first up to the last
    that have a chance. `sums`: the chances of an outcome and all behind it in its part.
    """

    tables: Ints
    begins: Ints
    first: Ints
    stretches: Ints
    chances: Floats
    sums: Floats


class Memory(NamedTuple):
    """What solving takes; `known` by row and field in lanes, `weights` by living and step their chances.

    `filled`: which parts of the inverses are not nothing in all lanes. `matrix`, `inverse`: to invert in.
    """

    known: Floats
    weights: Floats
    inverses: Floats
    filled: NDArray[np.bool_]
    stays: Floats
    is_set: NDArray[np.bool_]
    right: Floats
    stuck: NDArray[np.bool_]
    matrix: Floats
    inverse: Floats
    every: NDArray[np.bool_]  # one turn on which every roll is made


def room_for(ground: Ground, program: Program) -> int:
    """How many numbers there are by row and field; the last row is nothing, where outcomes lead nowhere."""
    return (program.gates + len(program.rolls) + 1) * len(ground.front) * LANES


def memory_for(ground: Ground, program: Program, room: Floats) -> Memory:
    """Memory for a program on a map; `known` is in a room that is used again and again."""
    living, gates = int(ground.living.max()) + 1, program.gates
    return Memory(
        room[: room_for(ground, program)],
        np.zeros(living * len(program.steps) * LANES),
        np.zeros(living * gates * gates * LANES),
        np.zeros(living * gates * gates, np.bool_),
        np.zeros(living * max(len(program.stay_gates), 1) * LANES),
        np.zeros(living, np.bool_),
        np.zeros(gates * LANES),
        np.zeros(LANES, np.bool_),
        np.zeros((gates, gates, LANES)),
        np.zeros((gates, gates, LANES)),
        np.ones((1, len(program.rolls)), np.bool_),
    )


@step_without_refcounts
def _set_stays(field: int, ground: Ground, program: Program, rolls: Rolls, memory: Memory) -> None:
    """By node and gate the chance to get to it from here without hurting anybody."""
    living = ground.living[field]
    gates = program.gates
    kinds = len(program.offsets) // max(len(program.rolls), 1)
    size = len(program.stay_gates)
    base = living * size * LANES
    set_part(memory.stays, base, base + size * LANES, 0.0)
    front = ground.front[field]
    for node in range(len(program.rolls)):
        roll = program.rolls[node]
        table = rolls.tables[roll, front]
        codes = ground.starts[table, field]
        chances = rolls.begins[roll, front]
        for which in range(rolls.first[roll, front], rolls.first[roll, front] + ground.tails.shape[2]):
            for k in range(rolls.stretches[which, 0], rolls.stretches[which, 1]):
                code = ground.codes[codes + k]
                if code >> 8 != field:
                    continue
                row = program.next_rows[node * kinds + (code & 255)]
                for i in range(program.stay_starts[node], program.stay_starts[node + 1]):
                    gate = program.stay_gates[i]
                    at = base + i * LANES
                    if row == gate:
                        for lane in range(LANES):
                            memory.stays[at + lane] += rolls.chances[chances + k * LANES + lane]
                    elif row >= gates:
                        other = row - gates
                        for j in range(program.stay_starts[other], program.stay_starts[other + 1]):
                            if program.stay_gates[j] == gate:
                                add_product(memory.stays, at, rolls.chances, chances + k * LANES,
                                            memory.stays, base + j * LANES)  # fmt: skip


@step_without_refcounts
def _set_inverse(  # noqa: PLR0912 - a matrix, and its inverse lane by lane
    field: int, ground: Ground, program: Program, growth: float, memory: Memory
) -> None:
    """The inverse of what the gates of a field have to do with one another."""
    living = ground.living[field]
    gates = program.gates
    size = len(program.stay_gates)
    matrix = memory.matrix
    inverse = memory.inverse
    for i in range(gates):
        for k in range(gates):
            for lane in range(LANES):
                matrix[i, k, lane] = 1.0 if i == k else 0.0
                inverse[i, k, lane] = matrix[i, k, lane]
    for i in range(len(program.steps)):
        gate = program.steps[i, 0]
        row = program.steps[i, 2]
        weights = (living * len(program.steps) + i) * LANES
        if row < gates:
            if ground.rest[field] == field:
                for lane in range(LANES):
                    matrix[gate, row, lane] -= growth * memory.weights[weights + lane]
            continue
        node = row - gates
        for j in range(program.stay_starts[node], program.stay_starts[node + 1]):
            for lane in range(LANES):
                matrix[gate, program.stay_gates[j], lane] -= (
                    growth * memory.weights[weights + lane] * memory.stays[(living * size + j) * LANES + lane]
                )
    for lane in range(LANES):
        for i in range(gates):
            pivot = matrix[i, i, lane]
            if not pivot > _STUCK:
                memory.stuck[lane] = True
                pivot = 1.0
            for k in range(gates):
                matrix[i, k, lane] /= pivot
                inverse[i, k, lane] /= pivot
            for j in range(gates):
                factor = matrix[j, i, lane]
                if j == i or factor == 0.0:
                    continue
                for k in range(gates):
                    matrix[j, k, lane] -= factor * matrix[i, k, lane]
                    inverse[j, k, lane] -= factor * inverse[i, k, lane]
    at = living * gates * gates * LANES
    for i in range(gates):
        for k in range(gates):
            some = False
            for lane in range(LANES):
                memory.inverses[at] = inverse[i, k, lane]
                some = some or inverse[i, k, lane] != 0.0
                at += 1
            memory.filled[at // LANES - 1] = some


@step_without_refcounts
def roll_out(
    field: int, ground: Ground, program: Program, rolls: Rolls, made: NDArray[np.bool_], turn: int, known:
    Floats,
) -> None:  # fmt: skip
    """Add to nodes of a field whose roll is `made` in a turn what outcomes lead to, as far as is known."""
    gates = program.gates
    nodes = len(program.rolls)
    fields = len(ground.front)
    kinds = len(program.offsets) // max(nodes, 1)
    # Arrays by themselves, not fields of tuples: else their addresses are looked up for every product.
    chances = rolls.chances
    codes = ground.codes
    offsets = program.offsets
    front = ground.front[field]
    for node in range(nodes):
        if not made[turn, node]:
            continue
        roll = program.rolls[node]
        table = rolls.tables[roll, front]
        code = ground.starts[table, field]
        begin = rolls.begins[roll, front]
        out = ((gates + node) * fields + field) * LANES
        for part in range(ground.tails.shape[2]):
            k = rolls.stretches[rolls.first[roll, front] + part, 0]
            stop = rolls.stretches[rolls.first[roll, front] + part, 1]
            if k >= stop:
                continue
            tail = ground.tails[table, field, part]
            add_through(known, out, chances, begin + k * LANES, known, codes, code + k, offsets,
                        node * kinds, min(tail, stop) - k)  # fmt: skip
            if tail < stop:
                there = codes[code + tail]
                at = offsets[node * kinds + (there & 255)] + (there >> 8) * LANES
                add_product(known, out, rolls.sums, begin + tail * LANES, known, at)


@step_without_refcounts
def lane_values(ground: Ground, program: Program, rolls: Rolls, growth: float, memory: Memory) -> None:
    """Fill `known` with mean turns to come; with a growth above 1 with means of growth ** turns.

    `stuck`: in which lanes there is no such number.
    """
    gates = program.gates
    nodes = len(program.rolls)
    fields = len(ground.front)
    size = len(program.stay_gates)
    steps = len(program.steps)
    known = memory.known
    weights = memory.weights
    right = memory.right
    inverses = memory.inverses
    stays = memory.stays
    turn = 1.0 if growth == 1.0 else 0.0
    for lane in range(LANES):
        memory.stuck[lane] = False
    for living in range(len(memory.is_set)):
        memory.is_set[living] = False
    set_part(known, 0, len(known), 0.0)
    for row in range(gates + nodes):
        start = row * fields * LANES
        set_part(known, start, start + LANES, 1.0 - turn)
    for field in range(1, fields):
        living = ground.living[field]
        if not memory.is_set[living]:
            memory.is_set[living] = True
            _set_stays(field, ground, program, rolls, memory)
            _set_inverse(field, ground, program, growth, memory)
        at = field * LANES
        roll_out(field, ground, program, rolls, memory.every, 0, known)
        set_part(right, 0, gates * LANES, 0.0)
        for i in range(steps):
            row = program.steps[i, 2]
            there = at
            if row < gates:
                if ground.rest[field] == field:
                    continue
                there = ground.rest[field] * LANES
            add_product(right, program.steps[i, 0] * LANES, weights, (living * steps + i) * LANES,
                        known, row * fields * LANES + there)  # fmt: skip
        for i in range(gates * LANES):
            right[i] = turn + growth * right[i]
        entry = living * gates * gates
        for i in range(gates):
            for k in range(gates):
                if memory.filled[entry]:
                    add_product(known, i * fields * LANES + at, inverses, entry * LANES, right, k * LANES)
                entry += 1
        stay = living * size * LANES
        for node in range(nodes):
            for j in range(program.stay_starts[node], program.stay_starts[node + 1]):
                gate = program.stay_gates[j]
                add_product(known, (gates + node) * fields * LANES + at, stays, stay + j * LANES,
                            known, gate * fields * LANES + at)  # fmt: skip
