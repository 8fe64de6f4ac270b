"""Stretches of the attacker's HP, and which states of the counters are worth following in each.

HP never rise. Above the HP that a limit wants its attack has not been used yet, so its counters are where
they began; below them (where full HP are wanted) it is never used again, and its counters do not matter.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.best_play.counter_graph import OWN, SHARED, CounterGraph, widen_shared


class Regions(NamedTuple):
    """In each stretch of the HP axis, from few HP to many, the same attacks may be used.

    `slots[r, s]`: where state s stands in region r, -1 where it cannot be; states that act alike from there
    on share a slot. `members`: one state of each slot, those of region r from `first_slot[r]` on.
    """

    starts: NDArray[np.int64]
    slots: NDArray[np.int64]
    members: NDArray[np.int64]
    first_slot: NDArray[np.int64]


@step
def find_regions(limits: NDArray[np.void], graph: CounterGraph, size: int, everything: bool) -> Regions:
    """Cut the axis; with `everything` every state stays, whether it can be reached there or not."""
    states = len(graph.values)
    is_cut = np.zeros(size + 1, np.bool_)
    is_cut[0] = True
    is_cut[min(1, size)] = True  # nothing is lost any more at the lowest HP
    is_cut[size] = True
    for i in range(len(limits)):
        is_cut[min(limits[i]["usable_from"], size)] = True
        is_cut[min(limits[i]["usable_to"], size)] = True
    starts = np.flatnonzero(is_cut)
    count = len(starts) - 1
    slots = np.full((count, states), -1, np.int64)
    members = np.zeros(count * states, np.int64)
    first_slot = np.zeros(count + 1, np.int64)
    if count == 1:
        for state in range(states):
            slots[0, state] = state
            members[state] = state
        first_slot[1] = states
        return Regions(starts, slots, members, first_slot)
    highest = np.full(states, size - 1, np.int64) if everything else _highest(graph, size)
    keys = np.zeros(states, np.int64)
    kind_of = np.zeros(states, np.int64)
    slot_of_kind = np.zeros(states, np.int64)
    for region in range(count):
        used = first_slot[region]
        gone = False
        for i in range(len(limits)):
            gone = gone or starts[region + 1] <= limits[i]["usable_from"]
        if gone:
            _fill_keys(limits, graph, starts[region + 1], keys)
            order = np.argsort(keys)
            kinds = 0
            for i in range(states):
                if i > 0 and keys[order[i]] != keys[order[i - 1]]:
                    kinds += 1
                kind_of[order[i]] = kinds
            slot_of_kind[:] = -1
            for state in range(states):
                if highest[state] < starts[region + 1] - 1:
                    continue
                # The first of its kind stands for all of them.
                kind = kind_of[state]
                if slot_of_kind[kind] < 0:
                    slot_of_kind[kind] = used - first_slot[region]
                    members[used] = state
                    used += 1
                slots[region, state] = slot_of_kind[kind]
        else:
            for state in range(states):
                if highest[state] >= starts[region + 1] - 1:
                    slots[region, state] = used - first_slot[region]
                    members[used] = state
                    used += 1
        first_slot[region + 1] = used
    return Regions(starts, slots, members[: first_slot[count]].copy(), first_slot)


@step
def _highest(graph: CounterGraph, size: int) -> NDArray[np.int64]:
    """By state: the most HP at which it can be reached, -1 where it cannot."""
    states = len(graph.values)
    highest = np.full(states, -1, np.int64)
    highest[graph.first] = size - 1
    moved = True
    while moved:
        moved = False
        for state in range(states - 1, -1, -1):
            for c in range(graph.first_choice[state], graph.first_choice[state + 1]):
                choice = graph.choices[c]
                at = min(highest[state], choice["usable_to"] - 1)
                if at < choice["usable_from"]:
                    continue
                for part in range(2):
                    lead = choice["failed"] if part == 1 else choice["lead"]
                    if lead < 0:
                        continue
                    for bits in range(1, graph.leads.shape[1]):
                        to = graph.leads[lead, bits]
                        if highest[to] < at:
                            highest[to] = at
                            moved = moved or to >= state
    return highest


@step
def _fill_keys(limits: NDArray[np.void], graph: CounterGraph, end: int, keys: NDArray[np.int64]) -> None:
    """A number for each state by what still matters to attacks that may be used below `end`."""
    values = graph.values
    width = values.shape[1]
    sizes = np.ones(width, np.int64)
    for i in range(len(limits)):
        limit = limits[i]
        if end <= limit["usable_from"]:
            continue
        widen_shared(limit, sizes)
        for at in range(SHARED + OWN * i, SHARED + OWN * (i + 1)):
            for state in range(len(values)):
                sizes[at] = max(sizes[at], values[state, at] + 1)
    for state in range(len(values)):
        key = 1 if state < graph.standing else 0
        for at in range(width):
            key = key * sizes[at] + min(values[state, at], sizes[at] - 1)
        keys[state] = key
