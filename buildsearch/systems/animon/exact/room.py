"""Where a graph grows: states found by hash, and the outcomes that lead from one to another.

Nothing here, nor in what fills it, allocates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step_without_refcounts
from buildsearch.systems.animon.mechanics.bits import hp_of
from buildsearch.systems.animon.mechanics.layout import Floats, Ints, Words

TOO_MANY = -1


class Room(NamedTuple):
    """The graph so far; `used` counts nodes, options, outcomes and starts."""

    keys: Ints  # (nodes, words)
    table: NDArray[np.int32]
    standing: Ints
    first: Ints
    begin: Ints
    chance: Floats
    target: NDArray[np.int32]
    gain: Floats
    what: Ints
    starts: Ints
    start_chances: Floats
    used: Ints


class Desk(NamedTuple):
    """Scratch."""

    now: Ints
    paid: Ints
    next: Ints
    opened: Ints
    order: Ints
    plain: Floats
    tally: Floats
    luck: Words
    listed: Ints


@step_without_refcounts
def copy(words: Ints, into: Ints) -> None:
    """Word by word: assigning whole arrays makes a copy first, in case they overlap."""
    for i in range(len(words)):
        into[i] = words[i]


@step_without_refcounts
def _hash(words: Ints) -> np.uint64:
    found = np.uint64(0x243F6A8885A308D3)
    for word in words:
        found = (found ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return found


@step_without_refcounts
def visit(room: Room, words: Ints) -> int:
    """The node of a state, a new one where it was not seen; TOO_MANY if there is no room."""
    mask = np.uint64(len(room.table) - 1)
    slot = _hash(words) & mask
    while room.table[slot] >= 0:
        node = room.table[slot]
        same = True
        for i in range(len(words)):
            if room.keys[node, i] != words[i]:
                same = False
                break
        if same:
            return node
        slot = (slot + np.uint64(1)) & mask
    node = room.used[0]
    if node >= len(room.keys):
        return TOO_MANY
    room.used[0] = node + 1
    room.table[slot] = node
    copy(words, room.keys[node])
    room.standing[node] = hp_of(words, 0)
    return node


@step_without_refcounts
def emit(room: Room, likely: float, target: int) -> bool:
    """An outcome of the option under way."""
    number = room.used[2]
    if number >= len(room.chance):
        return False
    room.chance[number] = likely
    room.target[number] = target
    room.used[2] = number + 1
    return True
