"""Fields in which the attacker's HP are an axis: few enemies are left, or there are several waves.

Everything that these fields lead to is one of them, so each roll is a sparse kernel over them alone.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts, step
from buildsearch.systems.vitality.exact.batch.chain import NO_RETALIATION
from buildsearch.systems.vitality.exact.batch.compiled import set_all
from buildsearch.systems.vitality.exact.nodes.areas.kernels import Kernel, collect, forget, made
from buildsearch.systems.vitality.exact.nodes.areas.rolls import Roll
from buildsearch.systems.vitality.exact.nodes.areas.turns import CLEARED, HAPPENINGS, TOGETHER

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

OVER = -1


class Followed(NamedTuple):
    """By field who strikes back (a row of `blows`), and where doing nothing leads.

    `blows[kind, event, j]`: the chance that the event comes with a loss of j HP. By level and field the
    entries of its roll from `starts[level, field]` on: a field or `OVER`, what happened, the chance.
    """

    kinds: Ints
    rest: Ints
    blows: Floats
    starts: Ints
    targets: Ints
    happened: Ints
    chances: Floats


class Play(NamedTuple):
    """`Turns`, and when the attack comes into use: at `limit` HP (-1: never), by turn and gate (`entered`).

    Gates from `late` on are of turns before that. `waits`: nothing is done in these.
    """

    gates: int
    rolls: Ints
    next_rows: Ints
    steps: Ints
    step_chances: Floats
    limit: int
    late: int
    waits: bool
    entered: Ints


def field_kernel(roll: Roll, rows: Ints, columns: Ints, numbers: Ints, cleared: int) -> Kernel:
    """The kernel of these fields (pairs of rows and columns), which lead to nothing but one another.

    `numbers[row, column]`: which they are. `cleared`: where the end of the wave leads.
    """
    size = (len(roll.row_starts[0]) - 1) * numbers.shape[1] * HAPPENINGS
    sums, touched = np.zeros(size), np.zeros(size, np.int64)
    return made(
        len(rows),
        16 * len(rows),
        lambda first, kernel: _fill_fields(
            roll, rows, columns, numbers, cleared, first, sums, touched, kernel
        ),
    )


@kernel_without_refcounts
def _fill_fields(
    roll: Roll, rows: Ints, columns: Ints, numbers: Ints, cleared: int, begin: int, sums: Floats,
    touched: Ints, kernel: Kernel,
) -> int:  # fmt: skip
    fields = len(rows)
    targets = kernel.targets
    happened = kernel.happened
    for i in range(begin, fields):
        row = rows[i]
        column = columns[i]
        count = 0
        for group in range(len(roll.row_starts)):
            for j in range(roll.column_starts[group, column], roll.column_starts[group, column + 1]):
                for k in range(roll.row_starts[group, row], roll.row_starts[group, row + 1]):
                    both = TOGETHER[roll.column_happened[j], roll.row_happened[k]]
                    place = roll.row_targets[k] * numbers.shape[1] + roll.column_targets[j]
                    place = place * HAPPENINGS + both
                    if sums[place] == 0.0:
                        touched[count] = place
                        count += 1
                    sums[place] += roll.column_chances[j] * roll.row_chances[k]
        first = kernel.starts[i]
        if first + count > len(targets):
            forget(count, touched, sums)
            return i
        collect(first, count, touched, sums, targets, happened, kernel.chances)
        for k in range(first, first + count):
            if targets[k] == 0:
                targets[k] = cleared
                happened[k] = CLEARED
            else:
                targets[k] = numbers[targets[k] // numbers.shape[1], targets[k] % numbers.shape[1]]
        kernel.starts[i + 1] = first + count
    return fields


def no_fields() -> Kernel:
    """A kernel of no fields at all."""
    return Kernel(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


@kernel_without_refcounts
def strike_back(blow: Floats, mass: Floats, out: Floats) -> None:
    """Add to `out` what is left of the attacker's HP after losses with these chances; 0: none."""
    for lost in range(len(blow)):
        chance = blow[lost]
        if chance == 0.0:
            continue
        for hp in range(len(mass)):
            if mass[hp] > 0.0:
                out[max(hp - lost, 0)] += chance * mass[hp]


@step
def _add(out: Floats, chance: float, mass: Floats) -> None:
    for k in range(len(mass)):
        out[k] += chance * mass[k]


@step
def _choose(
    play: Play, gate: int, event: int, field: int, rest: int, struck: Floats, later: Floats, nodes: Floats
) -> None:
    """Take mass in a gate through its choices after an event; -1: whatever the event."""
    for i in range(len(play.steps)):
        if play.steps[i, 0] != gate or (event >= 0 and (play.steps[i, 1] >> event) & 1 == 0):
            continue
        row = play.steps[i, 2]
        if row < play.gates:
            _add(later[row, rest], play.step_chances[i], struck)
        else:
            _add(nodes[row - play.gates, field], play.step_chances[i], struck)


@step
def _is_empty(mass: Floats) -> bool:
    highest = 0.0
    for k in range(len(mass)):
        highest = max(highest, mass[k])
    return highest == 0.0


def follow_turn(
    followed: Followed, play: Play, turn: int, now: Floats, later: Floats, nodes: Floats, over: Floats
) -> None:
    """One turn: `now` and `later` by gate, field and HP; both `now` and `nodes` are empty in the end."""
    _follow_turn(followed, play, turn, now, later, nodes, over, np.zeros((2, now.shape[2])))


@kernel_without_refcounts
def _follow_turn(  # noqa: PLR0912 - retaliation and choice, then rolls
    followed: Followed, play: Play, turn: int, now: Floats, later: Floats, nodes: Floats, over: Floats,
    room: Floats,
) -> None:  # fmt: skip
    size = now.shape[2]
    struck = room[0]
    apart = room[1]
    for field in range(len(followed.kinds)):
        for gate in range(play.gates):
            mass = now[gate, field]
            if _is_empty(mass):
                continue
            for event in range(NO_RETALIATION):
                set_all(struck, 0.0)
                strike_back(followed.blows[followed.kinds[field], event], mass, struck)
                if _is_empty(struck):
                    continue
                rest = followed.rest[field]
                if gate < play.late:
                    _choose(play, gate, event, field, rest, struck, later, nodes)
                    continue
                # The attack comes into use when HP have fallen to the limit.
                for hp in range(size):
                    apart[hp] = struck[hp] if hp <= play.limit else 0.0
                    struck[hp] -= apart[hp]
                entered = play.entered[min(turn - 1, len(play.entered) - 1), gate - play.late]
                _choose(play, entered, -1, field, rest, apart, later, nodes)
                if play.waits:
                    _add(later[play.late, rest], 1.0, struck)
                else:
                    _add(nodes[play.steps[len(play.steps) - 1, 2] - play.gates, field], 1.0, struck)
            set_all(mass, 0.0)
    for node in range(len(play.rolls) - 1, -1, -1):
        level = play.rolls[node]
        for field in range(len(followed.kinds)):
            mass = nodes[node, field]
            if _is_empty(mass):
                continue
            for k in range(followed.starts[level, field], followed.starts[level, field + 1]):
                row = play.next_rows[node, followed.happened[k]]
                target = followed.targets[k]
                if target == OVER:
                    _add(over, followed.chances[k], mass)
                elif row < play.gates:
                    _add(later[row, target], followed.chances[k], mass)
                else:
                    _add(nodes[row - play.gates, target], followed.chances[k], mass)
            set_all(mass, 0.0)
