"""What kernels of a statement write on: a desk for each thread, room for a graph, and what went wrong.

Nothing here knows any rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.statement import rule

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

# What went wrong, as `Trouble` holds it.
FINE, FULL, OUT_OF_RANGE, TOO_WIDE, TOO_MANY_ROLLS, ENDLESS, BAD_METRIC, CYCLE, BAD_CODE, TOO_MANY = range(10)
# What `work` does.
TELL, EXPLORE, FREE, SOLVE = range(4)
# Columns of `Room.used`.
NODES, OPTIONS, OUTCOMES, ENDS, STARTS = range(5)
# Actions between two ticks of the clock.
MOST_STEPS = 100_000
_OUTCOMES_AN_OPTION = 3
_STARTS = 1 << 12


class Desk(NamedTuple):
    """What one thread writes on while it follows a fight."""

    flat: Ints  # the state
    t: Any
    c: Any
    own: Ints  # the tables of the build, as words
    blank: Ints  # the same before a build is written
    most: Ints  # ranges of the fields
    mask: Words  # their bits in a key
    shift: Words
    word: Ints  # the first field of each word of a key
    here: Ints  # the state that is being explored
    key: Words
    out: Ints  # metrics
    tops: Ints  # ranges of the metrics
    listed: Ints  # options
    trouble: Ints  # what, which field or metric, its value; whether in `act`, and in which action


class Room(NamedTuple):
    """Where a graph is written; see `graphs.py`."""

    keys: Words
    table: NDArray[np.int32]
    slots: NDArray[np.int32]
    seen: Ints  # the last outcome that led to a node, or to an end
    standing: Ints
    first: Ints
    begin: Ints
    what: Ints
    gain: Floats
    chance: Floats
    target: NDArray[np.int32]
    end_of: NDArray[np.int32]  # by what is measured
    ends: Ints  # what is measured, by end
    starts: Ints
    start_chances: Floats
    used: Ints  # nodes, options, outcomes, ends, starts
    order: Ints
    degree: NDArray[np.int32]


class Sweeping(NamedTuple):
    """What `sweep` works on; all zero between two builds. `none`: nobody counts visits."""

    mass: Floats
    later: Floats
    ended: Floats
    ticks: Floats
    none: Floats


def make_room(nodes: int, options: int, words: int, codes: int) -> Room:
    """Room for so many nodes with keys of so many words, options and ends."""
    outcomes = options * _OUTCOMES_AN_OPTION
    return Room(
        keys=np.empty(nodes * words, np.uint64),
        table=np.full(2 * nodes, -1, np.int32),
        slots=np.empty(nodes, np.int32),
        seen=np.zeros(nodes + codes, np.int64),
        standing=np.empty(nodes, np.int64),
        first=np.empty(nodes + 1, np.int64),
        begin=np.empty(options + 2, np.int64),
        what=np.empty(options + 1, np.int64),
        gain=np.zeros(options + 2),
        chance=np.empty(outcomes),
        target=np.empty(outcomes, np.int32),
        end_of=np.full(codes, -1, np.int32),
        ends=np.empty(codes, np.int64),
        starts=np.empty(_STARTS, np.int64),
        start_chances=np.empty(_STARTS),
        used=np.zeros(5, np.int64),
        order=np.empty(nodes, np.int64),
        degree=np.empty(nodes, np.int32),
    )


@rule
def report(trouble: Ints, what: int, where: int, value: int) -> int:
    """What went wrong, in which field or metric, and its value; always 0."""
    trouble[0] = what
    trouble[1] = where
    trouble[2] = value
    return 0


@rule
def end_number(code: int, end_of: NDArray[np.int32], ends: Ints, used: Ints) -> int:
    """The number of the end that has these metrics; -1 if there is trouble with them."""
    if code < 0:
        return -1
    end = int(end_of[code])
    if end < 0:
        end = used[ENDS]
        end_of[code] = end
        ends[end] = code
        used[ENDS] = end + 1
    return end


@rule
def clear(
    table: NDArray[np.int32], slots: NDArray[np.int32], end_of: NDArray[np.int32], ends: Ints, used: Ints
) -> None:
    """For the next build."""
    for node in range(used[NODES]):
        table[slots[node]] = -1
    for end in range(used[ENDS]):
        end_of[ends[end]] = -1


@rule
def add_measured(code: int, share: float, tops: Ints, found: Floats) -> None:
    """Add a share of the metrics that were measured as one number."""
    for i in range(len(tops) - 1, -1, -1):
        found[i] += share * (code % (tops[i] + 1))
        code //= tops[i] + 1
