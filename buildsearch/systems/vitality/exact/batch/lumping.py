"""Chains with as few states as possible: states that act alike for ever are one.

Most limits stop to matter at some time: uses run out, the clock passes the last turn. And what only some
encounters ask (who was defeated, a bleed's tick) is forgotten in the others. States are numbered in the order
in which they are found, so gatings that act alike get the very same steps.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts, step
from buildsearch.systems.vitality.exact.batch.chain import NO_RETALIATION, STEP, Chain
from buildsearch.systems.vitality.exact.transitions import NOTHING

# The columns of a choice: its action, then the states after a miss, a hit, damage, a defeat, a defeat that
# ends a wave, a tick, a defeat and a hit by Splinter.
_COLUMNS = 8
# Events here are sets of `chain`'s events, as bits; this is all of them.
ALWAYS = (1 << NO_RETALIATION) - 1
SETS = ALWAYS + 1


def lumped(chain: Chain, *, bleeds: bool, several: bool, waves: bool) -> Chain:
    """The same process; `event` of its steps is a set of events. Told what the encounter may ask."""
    states, entered = chain.states, np.zeros(len(chain.entered), np.int64)
    room = _Room(
        np.full((states, NO_RETALIATION, 2, _COLUMNS), -1, np.int64),
        np.zeros((states, NO_RETALIATION, 2)),
        np.zeros((2, states), np.int64),
        np.full(states, -1, np.int64),
        np.zeros(states, np.int64),
        np.zeros(states * NO_RETALIATION * 2, STEP),
    )
    count, states = _lump(chain.steps, chain.entered, bleeds, several, waves, room, entered)
    steps = room.result[:count].copy()
    return Chain(states, steps, entered, bool((steps["event"] != ALWAYS).any()))


class _Room(NamedTuple):
    """By state its choices (by the activation roll) after each event, and their chances; its kind, now and
    before it is split; its new number, and in the order of these the states; the steps that come of it.

    Made outside the kernel: numba would compile each way to make an array.
    """

    table: NDArray[np.int64]
    chances: NDArray[np.float64]
    kinds: NDArray[np.int64]
    names: NDArray[np.int64]
    queue: NDArray[np.int64]
    result: NDArray[np.void]


@step
def _fill_choices(
    steps: NDArray[np.void],
    bleeds: bool,
    several: bool,
    waves: bool,
    table: NDArray[np.int64],
    chances: NDArray[np.float64],
) -> None:
    """Each state's choices after each event; what nobody asks is as after a miss."""
    for i in range(len(steps)):
        step = steps[i]
        first = 0
        last = NO_RETALIATION
        if step["event"] != NO_RETALIATION:
            first = step["event"]
            last = first + 1
        nothing = step["action"] == NOTHING
        missed = step["missed"]
        ticked = step["ticked"] if bleeds else missed
        # Who does nothing does damage by a bleed alone.
        damaged = ticked if nothing else step["damaged"]
        defeated = step["defeated"] if several and (bleeds or not nothing) else damaged
        for event in range(first, last):
            which = 0 if chances[step["state"], event, 0] == 0.0 else 1
            chances[step["state"], event, which] = step["chance"]
            row = table[step["state"], event, which]
            row[0] = step["action"]
            row[1] = missed
            row[2] = missed if nothing else step["touched"]
            row[3] = damaged
            row[4] = defeated
            row[5] = step["cleared"] if waves and (bleeds or not nothing) else defeated
            row[6] = ticked
            row[7] = step["splintered"] if several and not nothing else defeated


@step
def _alike(
    one: int, other: int, kinds: NDArray[np.int64], table: NDArray[np.int64], chances: NDArray[np.float64]
) -> bool:
    """Whether two states choose the same and go to states of the same kinds."""
    for event in range(NO_RETALIATION):
        for which in range(2):
            if chances[one, event, which] != chances[other, event, which]:
                return False
            if chances[one, event, which] == 0.0:
                continue
            if table[one, event, which, 0] != table[other, event, which, 0]:
                return False
            for k in range(1, _COLUMNS):
                if kinds[table[one, event, which, k]] != kinds[table[other, event, which, k]]:
                    return False
    return True


@step
def _refine(room: _Room) -> int:
    """Split kinds until no two states of one differ; in which row of `kinds` they are then.

    A kind is named by its first state.
    """
    table = room.table
    chances = room.chances
    now = 0
    number = 1
    while True:
        kinds = room.kinds[now]
        split = room.kinds[1 - now]
        found = 0
        for state in range(len(table)):
            split[state] = state
            for other in range(state):
                named = split[other] == other and kinds[other] == kinds[state]
                if named and _alike(state, other, kinds, table, chances):
                    split[state] = other
                    break
            if split[state] == state:
                found += 1
        now = 1 - now
        if found == number:
            return now
        number = found


@kernel_without_refcounts
def _lump(
    steps: NDArray[np.void],
    entries: NDArray[np.int64],
    bleeds: bool,
    several: bool,
    waves: bool,
    room: _Room,
    entered: NDArray[np.int64],
) -> tuple[int, int]:
    """How many steps and states are left."""
    table = room.table
    chances = room.chances
    names = room.names
    queue = room.queue
    result = room.result
    _fill_choices(steps, bleeds, several, waves, table, chances)
    kinds = room.kinds[_refine(room)]
    reached = 0
    for i in range(len(entries)):
        kind = kinds[entries[i]]
        if names[kind] < 0:
            names[kind] = reached
            queue[reached] = kind
            reached += 1
        entered[i] = names[kind]
    count = 0
    here = 0
    while here < reached:
        state = queue[here]
        mine = count
        for event in range(NO_RETALIATION):
            for which in range(2):
                if chances[state, event, which] == 0.0:
                    continue
                row = table[state, event, which]
                for k in range(1, _COLUMNS):
                    kind = kinds[row[k]]
                    if names[kind] < 0:
                        names[kind] = reached
                        queue[reached] = kind
                        reached += 1
                same = mine
                while same < count:
                    known = result[same]
                    if (
                        known["chance"] == chances[state, event, which]
                        and known["action"] == row[0]
                        and known["missed"] == names[kinds[row[1]]]
                        and known["touched"] == names[kinds[row[2]]]
                        and known["damaged"] == names[kinds[row[3]]]
                        and known["defeated"] == names[kinds[row[4]]]
                        and known["cleared"] == names[kinds[row[5]]]
                        and known["ticked"] == names[kinds[row[6]]]
                        and known["splintered"] == names[kinds[row[7]]]
                        and known["event"] & (1 << event) == 0
                    ):
                        break
                    same += 1
                step = result[same]
                step["event"] |= 1 << event
                if same == count:
                    count += 1
                    step["state"] = here
                    step["chance"] = chances[state, event, which]
                    step["action"] = row[0]
                    step["missed"] = names[kinds[row[1]]]
                    step["touched"] = names[kinds[row[2]]]
                    step["damaged"] = names[kinds[row[3]]]
                    step["defeated"] = names[kinds[row[4]]]
                    step["cleared"] = names[kinds[row[5]]]
                    step["ticked"] = names[kinds[row[6]]]
                    step["splintered"] = names[kinds[row[7]]]
        here += 1
    return count, reached
